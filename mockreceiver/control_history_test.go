package mockreceiver_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// seqs are the numbers of a list of attempts.
func seqs(t *testing.T, answer map[string]any) []int {
	t.Helper()
	list, ok := answer["attempts"].([]any)
	if !ok {
		t.Fatalf("no attempts in %v", answer)
	}
	out := []int{}
	for _, a := range list {
		out = append(out, int(a.(map[string]any)["seq"].(float64)))
	}
	return out
}

func (r *rig) get(t *testing.T, path string) map[string]any {
	t.Helper()
	status, answer := r.api("GET", path, "")
	if status != 200 {
		t.Fatalf("GET %s: got %d %v", path, status, answer)
	}
	return answer
}

func TestAttemptFilters(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	a, b := r.endpoint("a", "502, 200"), r.endpoint("b", "reset, 200")
	c := client(t)
	post(t, c, a, `{"id":"1","type":"x.y"}`)       // 1: 502
	post(t, c, a, `{"id":"2"}`)                    // 2: 502
	post(t, c, a, `{"id":"1"}`)                    // 3: 200, retry
	post(t, c, a, `{"id":"1"}`)                    // 4: 200, duplicate
	_, _, _ = try(c, b, `{"id":"1"}`)              // 5: reset
	post(t, c, b, `{"id":"1"}`)                    // 6: 200, retry
	post(t, c, r.DataURL()+"/nowhere", `{"id":1}`) // 7: 404, unhandled
	r.outcomes(7)
	future := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	for query, want := range map[string][]int{
		"":                                    {7, 6, 5, 4, 3, 2, 1},
		"after=0":                             {1, 2, 3, 4, 5, 6, 7},
		"after=5":                             {6, 7},
		"before=3":                            {2, 1},
		"endpoint=a":                          {4, 3, 2, 1},
		"endpoint=a&event=1":                  {4, 3, 1},
		"event=1":                             {7, 6, 5, 4, 3, 1},
		"event=":                              {},
		"status=502":                          {2, 1},
		"status=5xx,none":                     {5, 2, 1},
		"status=4xx":                          {7},
		"class=first":                         {5, 2, 1},
		"class=retry,duplicate-after-success": {6, 4, 3},
		"class=unhandled":                     {7},
		"signature=unchecked":                 {7, 6, 5, 4, 3, 2, 1},
		"signature=verified":                  {},
		"fault=reset":                         {5},
		"fault=status&endpoint=b":             {6},
		"since=" + future:                     {},
		"until=" + future + "&limit=2":        {7, 6},
	} {
		if d := cmp.Diff(want, seqs(t, r.get(t, "/v1/attempts?"+query))); d != "" {
			t.Errorf("%s: %s", query, d)
		}
	}
}

func TestPagesMeet(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("a", "502, 200"), client(t)
	for i := range 9 {
		post(t, c, url, fmt.Sprintf(`{"id":"%d"}`, i/2))
	}
	r.outcomes(9)
	for _, tc := range []struct {
		query, cursor string
		want          []int
	}{
		{"limit=2", "before", []int{9, 8, 7, 6, 5, 4, 3, 2, 1}},
		{"limit=4&after=0", "after", []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"limit=2&status=200", "before", []int{8, 6, 4, 2}},
		{"limit=3&class=first", "before", []int{9, 7, 5, 3, 1}},
	} {
		got, page := []int{}, r.get(t, "/v1/attempts?"+tc.query)
		for {
			got = append(got, seqs(t, page)...)
			if page["next"] == nil || len(got) > 9 {
				break
			}
			query := strings.Replace(tc.query, "after=0", "", 1)
			page = r.get(t, fmt.Sprintf("/v1/attempts?%s&%s=%.0f", query, tc.cursor, page["next"]))
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: %s", tc.query, d)
		}
	}
}

func TestAttemptDetail(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("a", "200")
	body := "{\"id\":\"1\",\"x\":\"\xff<script>\"}"
	post(t, client(t), url, body)
	r.effects(1)
	d := r.get(t, "/v1/attempts/1")
	raw, err := base64.StdEncoding.DecodeString(d["body"].(string))
	if err != nil || string(raw) != body {
		t.Errorf("body: got %q %v", raw, err)
	}
	head, err := base64.StdEncoding.DecodeString(d["head"].(string))
	if err != nil || !strings.HasPrefix(string(head), "POST /hooks/a HTTP/1.1\r\n") || !strings.HasSuffix(string(head), "\r\n\r\n") {
		t.Errorf("head: got %q %v", head, err)
	}
	want := map[string]any{
		"seq": 1.0, "endpoint": "a", "key": "1", "key_from": "body:/id", "attempt": 1.0, "method": "POST", "path": "/hooks/a",
		"proto": "HTTP/1.1", "class": "first", "status": 200.0, "end": "complete", "fault": "status", "chosen": "200",
		"effect":    map[string]any{"result": "committed", "rows": 1.0},
		"signature": map[string]any{"state": "unchecked", "reason": ""}, "signature_detail": nil, "open": false,
	}
	for name, v := range want {
		if diff := cmp.Diff(v, d[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for path, status := range map[string]int{
		"/v1/attempts/2": 404, "/v1/attempts/0": 400, "/v1/attempts/x": 400, "/v1/attempts/-1": 400,
		"/v1/attempts/99999999999999999999": 400, "/v1/attempts/2/body": 404, "/v1/attempts/1/body?x=1": 400,
	} {
		if got, a := r.api("GET", path, ""); got != status {
			t.Errorf("%s: got %d %v, want %d", path, got, a, status)
		}
	}
}

func TestEvents(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	a, b := r.endpoint("a", "502, lost-ack, 200"), r.endpoint("b/c", "200")
	c := client(t)
	post(t, c, a, `{"id":"1","type":"x.y"}`) // 1
	post(t, c, b, `{"id":"k/1"}`)            // 2
	_, _, _ = try(c, a, `{"id":"1"}`)        // 3: lost ack
	post(t, c, a, `{"id":"2"}`)              // 4
	r.outcomes(4)
	r.effects(2)
	list := func(query string) (keys []string, answer map[string]any) {
		answer = r.get(t, "/v1/events?"+query)
		keys = []string{}
		for _, e := range answer["events"].([]any) {
			keys = append(keys, e.(map[string]any)["key"].(string))
		}
		return keys, answer
	}
	for query, want := range map[string][]string{
		"": {"2", "k/1", "1"}, "endpoint=a": {"2", "1"}, "before=4": {"k/1", "1"}, "limit=1": {"2"},
	} {
		if got, _ := list(query); cmp.Diff(want, got) != "" {
			t.Errorf("%s: got %v, want %v", query, got, want)
		}
	}
	if _, answer := list("limit=1"); answer["next"] != 4.0 {
		t.Errorf("next: got %v", answer["next"])
	}
	if _, answer := list("limit=3"); answer["next"] != nil {
		t.Errorf("next of the last page: got %v", answer["next"])
	}
	got := r.get(t, "/v1/events/a/1")
	event := got["event"].(map[string]any)
	for name, v := range map[string]any{
		"attempts": 2.0, "state": "received", "type": "x.y", "rows": 1.0, "seq": 1.0, "last_seq": 3.0, "effect": "committed",
	} {
		if event[name] != v {
			t.Errorf("event: %s is %v, want %v", name, event[name], v)
		}
	}
	second := got["attempts"].([]any)[1].(map[string]any)
	if second["class"] != "retry" || second["gap_ns"].(float64) <= 0 || second["window"] != nil {
		t.Errorf("second attempt: %v", second)
	}
	if e := r.get(t, "/v1/events/b%2Fc/k%2F1")["event"].(map[string]any); e["state"] != "delivered" {
		t.Errorf("event with slashes: %v", e)
	}
	if status, a := r.api("GET", "/v1/events/a/nothing", ""); status != 404 {
		t.Errorf("unknown event: got %d %v", status, a)
	}
}

func TestTimelineKnowsTheWindow(t *testing.T) {
	r := start(t, mockreceiver.Config{
		Window: func(n int, _ *journal.Attempt) (mockreceiver.Window, bool) {
			switch n {
			case 2:
				return mockreceiver.Window{Min: 0, Max: time.Hour}, true
			case 3:
				return mockreceiver.Window{Min: time.Hour, Max: 2 * time.Hour, FromStart: true}, true
			default:
				return mockreceiver.Window{}, false
			}
		},
	})
	url, c := r.endpoint("a", "502"), client(t)
	for range 4 {
		post(t, c, url, `{"id":"1"}`)
	}
	r.outcomes(4)
	list := r.get(t, "/v1/events/a/1")["attempts"].([]any)
	var got []any
	for _, a := range list {
		w := a.(map[string]any)["window"]
		if m, ok := w.(map[string]any); ok {
			w = m["ok"]
		}
		got = append(got, w)
	}
	if d := cmp.Diff([]any{nil, true, false, nil}, got); d != "" {
		t.Error(d)
	}
}

func TestEndpointsComeInPages(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for _, name := range []string{"c", "a", "b"} {
		r.endpoint(name, "200")
	}
	got, path := []string{}, "/v1/endpoints?limit=2"
	for {
		page := r.get(t, path)
		for _, e := range page["endpoints"].([]any) {
			got = append(got, e.(map[string]any)["name"].(string))
		}
		if page["next"] == nil || len(got) > 3 {
			break
		}
		path = "/v1/endpoints?limit=2&after=" + page["next"].(string)
	}
	if d := cmp.Diff([]string{"a", "b", "c"}, got); d != "" {
		t.Error(d)
	}
	if status, a := r.api("GET", "/v1/endpoints?limit=x", ""); status != 400 {
		t.Errorf("got %d %v", status, a)
	}
}
