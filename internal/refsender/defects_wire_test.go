package refsender_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/hookassay/hookassay/internal/refsender"
)

// endless writes until the peer hangs up, and counts.
func endless(written *atomic.Int64) http.HandlerFunc {
	piece := make([]byte, 32<<10)
	return func(w http.ResponseWriter, _ *http.Request) {
		for {
			n, err := w.Write(piece)
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	}
}

func TestResponseUnbounded(t *testing.T) {
	const inBuffers = 16 << 20 // above what Linux lets them grow to
	for defect, all := range map[string]bool{"": false, "response-unbounded": true} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			var written atomic.Int64
			c := fast(t)
			c.Schedule.Timeout = ample // it alone ends the defect's reading
			r := newRig(t, refsender.Config{Contract: c, Defect: defect})
			r.plan("/a", endless(&written))
			ep := r.register(r.URL + "/a")
			r.ended(r.emit(ep, struct{}{}), ep, "delivered")
			r.stop()
			r.Close()
			if n := written.Load(); (n > inBuffers) != all {
				t.Errorf("%d bytes were taken", n)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	for defect, want := range map[string][2]int{"": {0, 0}, "redirect-post-to-get": {5, 0}, "redirect-to-internal": {0, 5}} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			r, other := newRig(t, refsender.Config{Defect: defect}), newReceiver(t)
			ep := r.register(r.URL + "/a")
			for _, to := range []string{"/b", other.URL + "/c", "/a"} {
				for _, code := range []int{301, 302, 303, 307, 308} {
					r.plan("/a", status(code, "Location", to))
					id := r.emit(ep, struct{}{})
					r.waitFor("the end", func() bool { s := r.delivery(id, ep).State; return s == "delivered" || s == "dead-lettered" })
				}
			}
			if got := [2]int{len(r.at("/b")), len(other.at("/c"))}; got != want {
				t.Errorf("%v requests at the other path and the other address, want %v", got, want)
			}
		})
	}
}

// A kept connection ends at the second request on it.
func TestKeepaliveLoss(t *testing.T) {
	for defect, want := range map[string]string{"": "delivered", "keepalive-loss": "dead-lettered"} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, refsender.Config{Defect: defect})
			r.plan("/a", status(200), closeUnanswered, status(200))
			ep := r.register(r.URL + "/a")
			r.ended(r.emit(ep, struct{}{}), ep, "delivered")
			r.ended(r.emit(ep, struct{}{}), ep, want)
		})
	}
}
