package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/mux"
)

// TestOpenAPIHasEveryRoute compares the document with the table of routes, both ways.
func TestOpenAPIHasEveryRoute(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	var described []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	r := &Receiver{meter: newMeter()}
	var routes []string
	err = control{r}.table().Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		path, err := route.GetPathTemplate()
		methods, merr := route.GetMethods()
		for _, m := range methods {
			routes = append(routes, fmt.Sprintf("%s %s", m, path))
		}
		return errors.Join(err, merr)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(described)
	slices.Sort(routes)
	if d := cmp.Diff(routes, described); d != "" {
		t.Errorf("- is in the table of routes only, + in the document only:\n%s", d)
	}
}
