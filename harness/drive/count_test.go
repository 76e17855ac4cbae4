package drive_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// TestCountConnections: the record says which connections to the endpoint's listener are open, and none of another's.
func TestCountConnections(t *testing.T) {
	client := &http.Client{Transport: &http.Transport{}}
	play := func(ctx context.Context, st *drive.Stage) error {
		name, err := st.Listener(ctx, fault.ConnPlan{})
		if err != nil {
			return err
		}
		var all []*drive.Endpoint
		for _, listener := range []string{"", name} {
			e, err := st.Endpoint(ctx, drive.EndpointSpec{Listener: listener})
			if err != nil {
				return err
			}
			all = append(all, e)
		}
		for range 2 {
			res, err := client.Post(all[1].URL, "application/json", strings.NewReader("{}"))
			if err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, res.Body); err != nil {
				return err
			}
			_ = res.Body.Close()
		}
		for _, e := range all {
			if err := st.CountConnections(e); err != nil {
				return err
			}
		}
		client.CloseIdleConnections()
		return nil
	}
	var file bytes.Buffer
	_, err := drive.Drive(t.Context(), drive.Setup{
		Launcher: &launcher{make: func() *fakeSender { return &fakeSender{} }}, Evidence: &file, Scenarios: []drive.Scenario{{Name: "a/b", Play: play}},
	})
	if err != nil {
		t.Fatal(err)
	}
	run, err := evidence.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	open := map[string][]evidence.OpenConn{}
	for _, a := range run.Acts {
		if a.Act == evidence.ActCount {
			open[a.Endpoint] = a.Open
		}
	}
	if got := open["a.b.2"]; len(open) != 2 || len(open["a.b"]) != 0 || len(got) != 1 || got[0].Requests != 2 || got[0].ID == 0 || got[0].Opened <= 0 {
		t.Errorf("open: %+v", open)
	}
}
