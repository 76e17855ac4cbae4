package mockreceiver_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/mockreceiver"
)

// lines shows a comparison without what both have.
func lines(list any) []string {
	out := []string{}
	for _, l := range list.([]any) {
		m := l.(map[string]any)
		if m["op"] != "=" {
			out = append(out, m["op"].(string)+m["line"].(string))
		}
	}
	return out
}

func TestDiff(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("a", "200")
	send := func(field, body string) {
		w := r.dial()
		w.send(fmt.Sprintf("POST /hooks/a HTTP/1.1\r\nHost: h\r\n%sContent-Length: %d\r\n\r\n%s", field, len(body), body))
		w.answer()
	}
	send("X-A: 1\r\n", `{"id":"1","n":1.50,"list":[1,2]}`) // 1
	send("X-A: 2\r\n", `{"id":"1","n":1.5,"list":[1,2]}`)  // 2
	send("X-A: 1\r\n", `{"id":"1","n":1.50,"list":[1,2]}`) // 3
	send("", "a\xff\nb")                                   // 4
	send("", "a\xfe\nb")                                   // 5
	d := r.get(t, "/v1/attempts/2/diff?with=1")
	if diff := cmp.Diff([]string{"-X-A: 1", "-Content-Length: 32", "+X-A: 2", "+Content-Length: 31"}, lines(d["head"])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`-  "n": 1.50,`, `+  "n": 1.5,`}, lines(d["body"])); diff != "" || d["same_body"] != false {
		t.Errorf("%s %v", diff, d["same_body"])
	}
	d = r.get(t, "/v1/attempts/3/diff?with=1")
	if len(lines(d["head"])) != 0 || len(lines(d["body"])) != 0 || d["same_body"] != true {
		t.Errorf("equal requests: %v", d)
	}
	if diff := cmp.Diff([]string{`-a\xff`, `+a\xfe`}, lines(r.get(t, "/v1/attempts/5/diff?with=4")["body"])); diff != "" {
		t.Error(diff)
	}
	for path, status := range map[string]int{
		"/v1/attempts/1/diff": 400, "/v1/attempts/1/diff?with=x": 400, "/v1/attempts/1/diff?with=9": 404, "/v1/attempts/9/diff?with=1": 404,
	} {
		if got, a := r.api("GET", path, ""); got != status {
			t.Errorf("%s: got %d %v, want %d", path, got, a, status)
		}
	}
}

// TestHostileBodiesAreComparedInBoundedMemory: brackets that would become gigabytes when indented, and many lines that differ.
func TestHostileBodiesAreComparedInBoundedMemory(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	_, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "a", Verify: &mockreceiver.Verify{
		Scheme: "timestamp-v1", Secrets: []string{"some secret of ours"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat("[", 9000) + strings.Repeat("1,", 100_000) + "1" + strings.Repeat("]", 9000)
	for _, body := range []string{deep, deep + " ", strings.Repeat("a\nb\n", 50_000), strings.Repeat("b\nc\n", 50_000)} {
		w := r.dial()
		w.send(fmt.Sprintf("POST /hooks/a HTTP/1.1\r\nHost: h\r\nWebhook-Signature: t=1,v1=%064d\r\nContent-Length: %d\r\n\r\n%s", 1, len(body), body))
		w.answer()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.get(t, "/v1/attempts/2/diff?with=1")
	r.get(t, "/v1/attempts/4/diff?with=3")
	r.get(t, "/v1/attempts/1")
	runtime.ReadMemStats(&after)
	// Some copies of a body, of its lines and of the table; indented, the first body alone has 1.8 GB.
	if took := after.TotalAlloc - before.TotalAlloc; took > 400<<20 {
		t.Errorf("took %d MiB", took>>20)
	}
}
