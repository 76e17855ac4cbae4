package mockreceiver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// api calls the control API and decodes the answer.
func (r *rig) api(method, path, body string, headers ...string) (int, map[string]any) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, r.ControlURL()+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.Token())
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
	}
	resp, err := client(r.t).Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	if v := resp.Header.Get("Access-Control-Allow-Origin"); v != "" {
		r.t.Errorf("%s %s: answers with CORS header %q", method, path, v)
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	var answer map[string]any
	if len(b) > 0 {
		if err := json.Unmarshal(b, &answer); err != nil {
			r.t.Fatalf("%s %s: %q: %v", method, path, b, err)
		}
	}
	return resp.StatusCode, answer
}

func TestControlAPI(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	status, e := r.api("POST", "/v1/endpoints", `{"name":"a/b","scenario":"s","plan":"502*2, 200"}`)
	if status != 201 || e["plan"] != "502*2, 200" || e["url"] != r.DataURL()+"/hooks/a/b" {
		t.Fatalf("add: got %d %v", status, e)
	}
	if status, e := r.api("GET", "/v1/endpoints/a%2Fb", ""); status != 200 || e["name"] != "a/b" {
		t.Errorf("show: got %d %v", status, e)
	}
	if status, l := r.api("GET", "/v1/endpoints", ""); status != 200 || len(l["endpoints"].([]any)) != 1 {
		t.Errorf("list: got %d %v", status, l)
	}
	if status, e := r.api("PUT", "/v1/endpoints/a%2Fb/events/evt_2/plan", `{"plan":"410"}`); status != 204 {
		t.Errorf("plan: got %d %v", status, e)
	}
	url, c := e["url"].(string), client(t)
	for _, tc := range []struct {
		body string
		want int
	}{{`{"id":"evt_1"}`, 502}, {`{"id":"evt_2"}`, 410}, {`{"id":"evt_1"}`, 502}, {`{"id":"evt_1"}`, 200}} {
		if got, _ := post(t, c, url, tc.body); got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.body, got, tc.want)
		}
	}
	status, page := r.api("GET", "/v1/attempts?endpoint=a/b&limit=3", "")
	if status != 200 || len(page["attempts"].([]any)) != 3 || page["next"] != 2.0 {
		t.Errorf("attempts: got %d %v", status, page)
	}
	status, page = r.api("GET", "/v1/attempts?endpoint=a/b&limit=3&before=2", "")
	if status != 200 || len(page["attempts"].([]any)) != 1 || page["next"] != nil {
		t.Errorf("second page: got %d %v", status, page)
	}
	if first := page["attempts"].([]any)[0].(map[string]any); first["chosen"] != "502" || first["key"] != "evt_1" {
		t.Errorf("attempt: %v", first)
	}
	if status, e := r.api("POST", "/v1/endpoints/a%2Fb/reset", ""); status != 204 {
		t.Errorf("reset: got %d %v", status, e)
	}
	if status, page := r.api("GET", "/v1/attempts?endpoint=a/b", ""); status != 200 || len(page["attempts"].([]any)) != 0 {
		t.Errorf("attempts after the reset: got %d %v", status, page)
	}
	if got, _ := post(t, c, url, `{"id":"evt_2"}`); got != 502 {
		t.Errorf("after the reset: got %d, want the endpoint's first step", got)
	}
	if status, e := r.api("DELETE", "/v1/endpoints/a%2Fb", ""); status != 204 {
		t.Errorf("remove: got %d %v", status, e)
	}
	if got, _ := post(t, c, url, `{}`); got != 404 {
		t.Errorf("after the removal: got %d, want 404", got)
	}
	if status, s := r.api("GET", "/v1/status", ""); status != 200 || s["data_url"] != r.DataURL() || s["lost"] != 0.0 {
		t.Errorf("status: got %d %v", status, s)
	}
	if status, l := r.api("GET", "/v1/troubles", ""); status != 200 || len(l["troubles"].([]any)) != 0 {
		t.Errorf("troubles: got %d %v", status, l)
	}
}

func TestControlAPIRefuses(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200")
	for name, tc := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		want               string
	}{
		"no token":          {"GET", "/v1/status", "", []string{"Authorization", ""}, 401, "token"},
		"wrong token":       {"GET", "/v1/attempts", "", []string{"Authorization", "Bearer x"}, 401, "token"},
		"no token, no path": {"GET", "/nowhere", "", []string{"Authorization", ""}, 401, "token"},
		"foreign page":      {"GET", "/v1/status", "", []string{"Origin", "http://evil.example"}, 403, "origin"},
		"page without name": {"GET", "/v1/status", "", []string{"Origin", "null"}, 403, "origin"},
		"foreign name":      {"GET", "/v1/status", "", []string{"Host", "evil.example"}, 403, "host"},
		"no such path":      {"GET", "/v2", "", nil, 404, "no such path"},
		"no such method":    {"PATCH", "/v1/status", "", nil, 405, "no such method"},
		"no JSON":           {"POST", "/v1/endpoints", "name", nil, 400, "body: "},
		"more than JSON":    {"POST", "/v1/endpoints", `{"name":"x"} {}`, nil, 400, "nothing after it"},
		"unknown field":     {"POST", "/v1/endpoints", `{"frob":"x"}`, nil, 400, "frob"},
		"field twice":       {"POST", "/v1/endpoints", `{"name":"x","plan":"200","plan":"502"}`, nil, 400, `field "plan" is there twice`},
		"field in it twice": {"PUT", "/v1/endpoints/e/plan", `{"plan":{"then":200,"then":502}}`, nil, 400, `field "then" is there twice`},
		"other letters":     {"POST", "/v1/endpoints", `{"Name":"x"}`, nil, 400, `field "Name": write it as "name"`},
		"letters in a list": {"PUT", "/v1/endpoints/e/rules", `{"rules":[{"Match":"true","plan":"200"}]}`, nil, 400, `field "Match": write it as "match"`},
		"bad plan":          {"POST", "/v1/endpoints", `{"name":"x","plan":"oops"}`, nil, 400, "position 1: unknown step"},
		"no name":           {"POST", "/v1/endpoints", `{"plan":"200"}`, nil, 400, "give it a name"},
		"name is taken":     {"POST", "/v1/endpoints", `{"name":"e"}`, nil, 400, "the name is taken"},
		"path is taken":     {"POST", "/v1/endpoints", `{"name":"f","path":"/hooks/e"}`, nil, 400, "taken by e"},
		"path with query":   {"POST", "/v1/endpoints", `{"name":"f","path":"/x?y"}`, nil, 400, "without query"},
		"large body":        {"POST", "/v1/endpoints", `{"name":"` + strings.Repeat("x", 300<<10) + `"}`, nil, 400, "too large"},
		"unknown endpoint":  {"DELETE", "/v1/endpoints/x", "", nil, 404, `endpoint "x"`},
		"plan for unknown":  {"PUT", "/v1/endpoints/x/events/1/plan", `{"plan":"200"}`, nil, 404, `endpoint "x"`},
		"no plan":           {"PUT", "/v1/endpoints/e/events/1/plan", `{}`, nil, 400, "give a plan"},
		"bad limit":         {"GET", "/v1/attempts?limit=1001", "", nil, 400, "limit"},
		"bad cursor":        {"GET", "/v1/attempts?after=x", "", nil, 400, "after"},
		"bad timeout":       {"GET", "/v1/wait?endpoint=e&timeout=2h", "", nil, 400, "timeout"},
		"misspelt plan":     {"PUT", "/v1/endpoints/e/plan", `{"pla":"502"}`, nil, 400, "the body can have plan"},
		"a status as fault": {"GET", "/v1/attempts?fault=502", "", nil, 400, "status=502"},
		"odd time":          {"GET", "/v1/attempts?since=-5m", "", nil, 400, "how long ago"},
		"no scheme":         {"PUT", "/v1/endpoints/e/verify", `{"secrets":["a secret of ours"]}`, nil, 400, "give a scheme"},
		"wait for unknown":  {"GET", "/v1/wait?endpoint=x", "", nil, 404, `endpoint "x"`},
	} {
		status, answer := r.api(tc.method, tc.path, tc.body, tc.headers...)
		text, _ := answer["error"].(string)
		if status != tc.status || !strings.Contains(text, tc.want) {
			t.Errorf("%s: got %d %v, want %d and %q", name, status, answer, tc.status, tc.want)
		}
	}
	if status, _ := r.api("GET", "/v1/status", "", "Origin", r.ControlURL()); status != 200 {
		t.Errorf("own page: got %d, want 200", status)
	}
}

func TestDataListenerHasNoControl(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, r.DataURL()+"/v1/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.Token())
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 404 {
		t.Errorf("got %d, want 404", resp.StatusCode)
	}
}

func TestWait(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("e", "200")
	if status, a := r.api("GET", "/v1/wait?endpoint=e&count=1&timeout=10ms", ""); status != 408 || a["reached"] != false || a["count"] != 0.0 || a["error"] == nil {
		t.Errorf("nothing came: got %d %v", status, a)
	}
	type answer struct {
		status int
		body   map[string]any
	}
	got := make(chan answer, 1)
	go func() {
		status, body := r.api("GET", "/v1/wait?endpoint=e&count=3&timeout=20s", "")
		got <- answer{status, body}
	}()
	for range 3 {
		post(t, client(t), url, "x")
	}
	select {
	case a := <-got:
		if a.status != 200 || a.body["reached"] != true || a.body["count"] != 3.0 {
			t.Errorf("got %+v", a)
		}
	case <-time.After(patience):
		t.Fatal("the wait did not end")
	}
	if _, a := r.api("GET", "/v1/wait?endpoint=e&count=2&after=2&timeout=10ms", ""); a["reached"] != false || a["count"] != 1.0 {
		t.Errorf("after the second: got %v", a)
	}
}

// TestWaitIsForWhatIsOver: what is read right after a wait has its status, and copies that we sent count for nothing.
func TestWaitIsForWhatIsOver(t *testing.T) {
	for _, memory := range []bool{false, true} {
		t.Run(fmt.Sprintf("memory %t", memory), func(t *testing.T) {
			r := start(t, mockreceiver.Config{Memory: memory})
			mode := business.Transaction
			if memory {
				mode = business.None
			}
			url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Plan: mustPlan(t, "502*2, timeout(1h)"), Business: mode})
			if err != nil {
				t.Fatal(err)
			}
			c := client(t)
			for range 2 {
				post(t, c, url, `{"id":"1"}`)
			}
			a := r.get(t, "/v1/wait?count=2&timeout=20s") // the only endpoint there is
			if a["count"] != 2.0 {
				t.Errorf("got %v", a)
			}
			if e := r.get(t, "/v1/events/e/1")["event"].(map[string]any); e["status"] != 502.0 {
				t.Errorf("after the wait the event is %v", e)
			}
			if status, a := r.api("POST", "/v1/attempts/1/redeliver", `{"reason":"to see"}`); status != 201 || a["open"] != false {
				t.Errorf("redeliver: got %d %v", status, a)
			}
			w := r.dial()
			w.send(request("/hooks/e", `{"id":"1"}`))
			if a := r.get(t, "/v1/wait?endpoint=e&event=1&count=3&open=true&timeout=20s"); a["reached"] != true {
				t.Errorf("with the open one: got %v", a)
			}
			if status, a := r.api("GET", "/v1/wait?endpoint=e&event=1&count=3&timeout=10ms", ""); status != 408 || a["count"] != 2.0 {
				t.Errorf("without the open one: got %d %v", status, a)
			}
			_ = w.Close()
			r.get(t, "/v1/wait?endpoint=e&event=1&count=3&timeout=20s")
			if status, a := r.api("GET", "/v1/wait?endpoint=e&count=4&timeout=10ms", ""); status != 408 || a["count"] != 3.0 {
				t.Errorf("copies were counted: got %d %v", status, a)
			}
		})
	}
}

func TestRefusedMethodsAreToldTheOthers(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for path, want := range map[string][]string{"/v1/attempts": {"GET"}, "/v1/endpoints": {"GET", "POST"}, "/v1/endpoints/x/verify": {"PUT", "DELETE"}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, r.ControlURL()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+r.Token())
		resp, err := client(t).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if got := resp.Header.Values("Allow"); resp.StatusCode != 405 || !slices.Equal(got, want) {
			t.Errorf("%s: got %d and %v, want 405 and %v", path, resp.StatusCode, got, want)
		}
	}
}

// TestCountsOfOneInbox: where an endpoint is asked for, only its events count.
func TestCountsOfOneInbox(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	worker := business.Worker{Tries: 1, FailFirst: -1}
	for name, n := range map[string]int{"a": 1, "b": 2} {
		url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: name, Business: business.Inbox, Worker: worker})
		if err != nil {
			t.Fatal(err)
		}
		for id := range n {
			post(t, client(t), url, fmt.Sprintf(`{"id":"%d"}`, id))
		}
	}
	for endpoint, want := range map[string]float64{"a": 1, "b": 2, "": 3} {
		total := 0.0
		for _, n := range r.get(t, "/v1/inbox?endpoint="+endpoint)["counts"].(map[string]any) {
			total += n.(float64)
		}
		if total != want {
			t.Errorf("inbox of %q: got %v events, want %v", endpoint, total, want)
		}
	}
}

func TestCloseEndsAWait(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200")
	waiting := make(chan struct{})
	ended := make(chan int, 1)
	go func() {
		close(waiting)
		n, _ := r.Wait(context.Background(), "e", 0, 1)
		ended <- n
	}()
	<-waiting
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the wait outlives the receiver")
	}
}

// TestEndpointsThatCouldNotBeReached are refused: a client that cleans its paths, as most do, would ask for another one.
func TestEndpointsThatCouldNotBeReached(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for body, says := range map[string]string{
		`{"name":"../x"}`:              "clients would ask for /x",
		`{"name":"a","path":"/b/./c"}`: "clients would ask for /b/c",
		`{"name":"a","path":"//b"}`:    "clients would ask for /b",
		`{"name":"a","path":"b"}`:      "want a path",
	} {
		status, answer := r.api("POST", "/v1/endpoints", body)
		text, _ := answer["error"].(string)
		if status != 400 || !strings.Contains(text, says) {
			t.Errorf("%s: got %d %v, want 400 and %q", body, status, answer, says)
		}
	}
	if status, answer := r.api("POST", "/v1/endpoints", `{"name":"a","path":"/b/"}`); status != 201 {
		t.Errorf("a path with a slash at its end: got %d %v", status, answer)
	}
	if status, answer := r.api("GET", "/v1/status", "", "Authorization", "bearer "+r.Token()); status != 200 {
		t.Errorf("the name of an authentication scheme has no case: got %d %v", status, answer)
	}
}
