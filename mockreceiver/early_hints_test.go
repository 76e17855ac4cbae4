package mockreceiver_test

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

func TestEarlyHintsComeBeforeTheAnswer(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", `early-hints(count=2, status=503, header="X-A: 1"), 200`)
	w := r.dial()
	w.send(request("/hooks/e", `{"id":"1"}`))
	const hint = "HTTP/1.1 103 Early Hints\r\nLink: </hint>; rel=preload\r\n\r\n"
	var got strings.Builder
	for range strings.Count(hint+hint, "\n") {
		line, err := w.r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(line)
	}
	if got.String() != hint+hint {
		t.Errorf("got %q, want two hints", got.String())
	}
	if status, _ := w.answer(); status != 503 {
		t.Errorf("then: got %d, want 503", status)
	}
	o := r.outcomes(1)[0]
	if o.Fault != "early-hints" || o.Status != 503 || (evidence.Head{Fields: o.Header}).Get("Link") != "" || o.End != evidence.EndComplete {
		t.Errorf("outcome: %+v", o)
	}
	w.send(request("/hooks/e", `{"id":"1"}`))
	if status, _ := w.answer(); status != 200 {
		t.Errorf("the next on the connection: got %d, want 200", status)
	}
}

func TestGoClientSeesEarlyHints(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	var seen []int
	ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
			seen = append(seen, code)
			return nil
		},
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.endpoint("e", "early-hints(count=3)"), strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 200 || len(seen) != 3 || seen[0] != 103 {
		t.Errorf("got %v and then %d, want three 103 and 200", seen, resp.StatusCode)
	}
}
