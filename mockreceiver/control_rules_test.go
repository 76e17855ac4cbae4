package mockreceiver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
)

// TestPlansOverTheControlAPI sets plans in each form, and rules by match, and sees them act.
func TestPlansOverTheControlAPI(t *testing.T) {
	r := start(t, mockreceiver.Config{Seed: 1<<63 + 1})
	if status, got := r.api("POST", "/v1/endpoints", `{"name":"e","plan":{"steps":[501,{"429":{"retry-after":2}}],"then":204},"rules":[{"match":".body.n == 1","plan":"502"}]}`); status != 201 {
		t.Fatalf("add: %d %v", status, got)
	}
	url, c := r.DataURL()+"/hooks/e", client(t)
	for i, want := range []int{501, 429, 204} {
		if got, _ := post(t, c, url, `{"id":"a"}`); got != want {
			t.Errorf("request %d: got %d, want %d", i+1, got, want)
		}
	}
	if got, _ := post(t, c, url, `{"id":"b","n":1}`); got != 502 {
		t.Errorf("by match: got %d, want 502", got)
	}
	if _, got := r.api("GET", "/v1/status", ""); got["seed"] != "9223372036854775809" || got["random"] != false {
		t.Errorf("status: %v", got)
	}
	status, got := r.api("PUT", "/v1/endpoints/e/rules", `{"rules":[{"match":".body.n == 2","plan":{"then":{"mix":{"503":1}}}}]}`)
	if status != 200 || !strings.Contains(fmt.Sprint(got["rules"]), "mix(503=1)") || !strings.HasPrefix(fmt.Sprint(got["plan"]), "501, 429(retry-after=2), 204") {
		t.Errorf("rules: %d %v", status, got)
	}
	if got, _ := post(t, c, url, `{"id":"b","n":2}`); got != 503 {
		t.Errorf("by the new match: got %d, want 503", got)
	}
	if _, got := r.api("GET", "/v1/status", ""); got["random"] != true {
		t.Errorf("status: %v", got)
	}
	for body, want := range map[string]string{
		`{"rules":[{"match":"env","plan":"200"}]}`:         "rule 1: match \"env\": env: a match knows the request only",
		`{"rules":[{"match":"true","plan":"oops"}]}`:       "position 1: unknown step",
		`{"rules":[{"match":"true","plan":{"then":"x"}}]}`: "line 1, column 9",
		`{"rules":[{"match":"true","plans":"200"}]}`:       "unknown field",
		`{}`: "give them",
	} {
		if status, got := r.api("PUT", "/v1/endpoints/e/rules", body); status != 400 || !strings.Contains(fmt.Sprint(got["error"]), want) {
			t.Errorf("%s: %d %v, want %q", body, status, got, want)
		}
	}
	if status, got := r.api("PUT", "/v1/endpoints/e/rules", `{"rules":[]}`); status != 200 || got["rules"] != nil {
		t.Errorf("no rules: %d %v", status, got)
	}
}
