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
			var written atomic.Int64
			r := newRig(t, refsender.Config{Defect: defect})
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
