package mockreceiver_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestTrailerIsKeptAsItCame: the fields behind a body in chunks are evidence, each of the request that had them.
func TestTrailerIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200")
	const chunked = "POST /hooks/e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
	w := r.dial()
	w.send(chunked + "2;x=y\r\n{}\r\n0\r\nX-Sum: 1\r\nx-b:  2 \r\nX-Sum: 3\r\n\r\n" +
		request("/hooks/e", "{}") + chunked + "0\r\n\r\n" + chunked + "0\r\nlast: 1\r\n\r\n")
	want := []string{"X-Sum: 1\r\nx-b:  2 \r\nX-Sum: 3\r\n\r\n", "", "", "last: 1\r\n\r\n"}
	for i, a := range r.arrivals(len(want)) {
		if d := cmp.Diff(want[i], string(a.Trailer)); d != "" {
			t.Errorf("request %d: %s", i+1, d)
		}
	}
	if d := cmp.Diff([][2]string{{"X-Sum", "1"}, {"x-b", "2"}, {"X-Sum", "3"}}, r.arrivals(1)[0].TrailerFields()); d != "" {
		t.Error(d)
	}
}

// TestTrailerIsBounded: what is over net/http's limit is refused, and no more of it is kept than of a head.
func TestTrailerIsBounded(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200")
	w := r.dial()
	go func() {
		_, _ = io.WriteString(w.Conn, "POST /hooks/e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"+
			strings.Repeat("a: "+strings.Repeat("b", 100)+"\r\n", 2000)) // it is cut off meanwhile
	}()
	a := r.arrivals(1)[0]
	if a.BodyErr == "" || len(a.Trailer) == 0 || len(a.Trailer) > 64<<10 || !strings.HasPrefix(string(a.Trailer), "a: b") {
		t.Errorf("%d bytes of trailer, error %q", len(a.Trailer), a.BodyErr)
	}
}

// TestTrailerIsShownAndTravels: a trailer stands in what the control API tells and exports, and a copy of the request has it too.
func TestTrailerIsShownAndTravels(t *testing.T) {
	for name, http2too := range map[string]bool{"HTTP/1 over TLS": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			r := secure(t)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.endpoint("e", "200(copies=1)"), io.NopCloser(strings.NewReader("{}")))
			if err != nil {
				t.Fatal(err)
			}
			req.Trailer = http.Header{"X-Sum": {"<1>"}}
			resp, err := r.trusting(http2too).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close() // it is empty
			r.outcomes(2)
			for _, a := range r.arrivals(2) {
				if !strings.EqualFold(string(a.Trailer), "X-Sum: <1>\r\n\r\n") {
					t.Errorf("origin %q: trailer %q", a.Origin, a.Trailer)
				}
			}
			r.tellsTrailer(t)
		})
	}
}

func (r *rig) tellsTrailer(t *testing.T) {
	t.Helper()
	text, _ := r.get(t, "/v1/attempts/1")["trailer"].(string)
	if b, err := base64.StdEncoding.DecodeString(text); err != nil || !strings.EqualFold(string(b), "X-Sum: <1>\r\n\r\n") {
		t.Errorf("detail: %q, %v", b, err)
	}
	for path, want := range map[string]string{
		"/v1/export?format=har": `"_trailers":[{"name":"x-sum","value":"\u003c1\u003e"}]`, "/v1/export?format=ndjson": `"trailer":"x-sum: `,
		"/v1/export?format=curl": "# its fields behind the body are left out",
	} {
		if _, b := r.raw(t, path); !strings.Contains(strings.ToLower(string(b)), want) {
			t.Errorf("%s: no %s in %s", path, want, b)
		}
	}
	if n := len(of[*evidence.Trouble](r.sofar())); n != 0 {
		t.Errorf("%d troubles", n)
	}
}
