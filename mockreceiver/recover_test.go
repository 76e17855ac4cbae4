package mockreceiver_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// TestWhatTheDatabaseHoldsIsRecordedAfterACrash: the process ended after a commit, before it could record what the commit had
// done and what the sender was answered.
func TestWhatTheDatabaseHoldsIsRecordedAfterACrash(t *testing.T) {
	for mode, want := range map[business.Mode]string{business.Transaction: "committed", business.Inbox: "queued"} {
		t.Run(string(mode), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal.db")
			first := start(t, mockreceiver.Config{Journal: path})
			hook := mockreceiver.Endpoint{Name: "a", Plan: mustPlan(t, "200"), Business: mode}
			url, err := first.AddEndpoint(hook)
			if err != nil {
				t.Fatal(err)
			}
			for id := range 3 { // the third one has no row: it was not to have one
				if id == 2 {
					if err := first.SetPlan("a", "2", mustPlan(t, "502, 200")); err != nil {
						t.Fatal(err)
					}
				}
				post(t, client(t), url, fmt.Sprintf(`{"id":"%d"}`, id))
			}
			first.outcomes(3)
			first.effects(2)
			if err := first.Close(); err != nil {
				t.Fatal(err)
			}
			db := open(t, path)
			if _, err := db.ExecContext(t.Context(), "DELETE FROM effect WHERE seq > 1; DELETE FROM outcome WHERE seq > 1"); err != nil {
				t.Fatal(err)
			}

			second := start(t, mockreceiver.Config{Journal: path})
			if url, err = second.AddEndpoint(hook); err != nil {
				t.Fatal(err)
			}
			a := second.get(t, "/v1/attempts/2")
			if e, _ := a["effect"].(map[string]any); e == nil || e["result"] != want || a["status"] != 0.0 || a["outcome"] != nil || a["open"] != false {
				t.Errorf("the recovered one: %v, outcome %v", e, a["outcome"])
			}
			if a := second.get(t, "/v1/attempts/3"); a["effect"] != nil {
				t.Errorf("an effect was made up: %v", a["effect"])
			}
			for id, state := range map[int]string{0: "delivered", 1: "received", 2: "unknown"} {
				if e := second.get(t, fmt.Sprintf("/v1/events/a/%d", id))["event"].(map[string]any); e["state"] != state {
					t.Errorf("event %d is %v, want %s", id, e["state"], state)
				}
			}
			post(t, client(t), url, `{"id":"1"}`)
			if e := second.effects(1)[0]; e.Result != "absorbed" {
				t.Errorf("the copy after the crash was %s", e.Result)
			}
			if a := second.get(t, "/v1/attempts/4"); a["class"] != "duplicate-after-success" || a["class_of"] != 2.0 {
				t.Errorf("the copy after the crash is a %v of %v", a["class"], a["class_of"])
			}
		})
	}
}
