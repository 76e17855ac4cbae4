package refsender

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRequestsHaveTheDocumentedFields(t *testing.T) {
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	for name, request := range map[string]any{
		"EndpointRequest":  endpointRequest{},
		"KeyRequest":       keyRequest{},
		"RangeRequest":     rangeRequest{},
		"EventRequest":     eventRequest{},
		"ReasonRequest":    reasonRequest{},
		"SendAgainRequest": reasonRequest{},
		"ObjectRequest":    objectRequest{},
	} {
		var want, got []string
		for field := range doc.Components.Schemas[name].Properties {
			want = append(want, field)
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(request)) {
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			got = append(got, tag)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, documented (-) and read (+): %s", name, diff)
		}
	}
}
