package refsender_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/internal/refsender"
)

// registerWith registers an endpoint with headers of its own and returns the status.
func (r *rig) registerWith(headers map[string]string, out any) int {
	return r.call("POST", "/v1/endpoints", map[string]any{"url": r.URL + "/a", "secret": "a secret", "headers": headers}, out)
}

func TestAnEndpointsOwnHeadersNeverReplaceTheSenders(t *testing.T) {
	forged := map[string]string{
		"x-webhook-id": "mine", "X-WEBHOOK-SIGNATURE": "t=1,v1=00", "Content-Type": "text/plain", "Transfer-Encoding": "chunked",
		"content-length": "1", "X-Trace": "abc",
	}
	for defect, overrides := range map[string]bool{"": false, "hdr-custom-overrides-signed": true} {
		t.Run(defect, func(t *testing.T) {
			r := newRig(t, refsender.Config{Defect: defect})
			var ep struct{ ID string }
			if got := r.registerWith(forged, &ep); got != 201 {
				t.Fatalf("register: %d", got)
			}
			id := r.emit(ep.ID, struct{}{})
			r.ended(id, ep.ID, "delivered")
			h := r.at("/a")[0]
			if got := h.head.Values("X-Trace"); !cmp.Equal(got, []string{"abc"}) {
				t.Errorf("X-Trace is %q", got)
			}
			own := h.id() == id && h.head.Get("Content-Type") == "application/json" && strings.Count(h.head.Get("X-Webhook-Signature"), "v1=") == 1 &&
				h.head.Get("X-Webhook-Signature") != "t=1,v1=00"
			forgery := h.id() == "mine" && h.head.Get("Content-Type") == "text/plain" && h.head.Get("X-Webhook-Signature") == "t=1,v1=00"
			if own == overrides || forgery != overrides {
				t.Errorf("headers %v", h.head)
			}
		})
	}
}

func TestHeadersThatAreNone(t *testing.T) {
	r := newRig(t, refsender.Config{})
	many := map[string]string{}
	for name := 'a'; name <= 'k'; name++ {
		many[string(name)] = ""
	}
	for _, headers := range []map[string]string{
		{"": "a"}, {"A B": "a"}, {"A:": "a"}, {"A\r\nB": "a"}, {"A": "a\r\nB: b"}, {"A": " a"}, {"A": "é"}, {"A": strings.Repeat("a", 1001)}, many,
	} {
		if got := r.registerWith(headers, nil); got != 400 {
			t.Errorf("%q: %d, want 400", headers, got)
		}
	}
}
