package refsender_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/internal/refsender"
)

func TestSignaturesOverOtherText(t *testing.T) {
	for defect, want := range map[string]signature.Reason{
		"": signature.Verified, "sig-unicode-escape": signature.SignedOtherBody, "sig-key-not-decoded": signature.OtherKeyForm,
	} {
		r := newRig(t, refsender.Config{Contract: standard(t), Defect: defect})
		ep, issued := r.registerAs(map[string]any{"url": r.URL + "/a"})
		r.ended(r.emit(ep, map[string]string{"text": "Zoë 漢字 🎟\u2028"}), ep, "delivered")
		s, err := signature.Lookup(standardScheme)
		if err != nil {
			t.Fatal(err)
		}
		if f := s.Verify(r.at("/a")[0].head, r.at("/a")[0].body, issued); f.Reason != want {
			t.Errorf("defect %s: %s (%s), want %s", defect, f.Reason, f.Detail, want)
		}
	}
}

func TestBodyLargeTruncated(t *testing.T) {
	const mib = 1 << 20
	for defect, whole := range map[string]bool{"": true, "body-large-truncated": false} {
		r := newRig(t, refsender.Config{Defect: defect})
		ep := r.register(r.URL + "/a")
		r.ended(r.emit(ep, map[string]string{"text": strings.Repeat("x", mib) + "tail"}), ep, "delivered")
		body := r.at("/a")[0].body
		if got := bytes.Contains(body, []byte("tail")); got != whole || !whole && len(body) != mib {
			t.Errorf("defect %s: %d bytes arrived, the end among them: %t", defect, len(body), got)
		}
	}
}

func TestRetryAfterBeyondItsCap(t *testing.T) {
	for defect, want := range map[string]string{"": "delivered", "ra-huge-obeyed": "dead-lettered"} {
		c := fast(t)
		c.RetryAfter.Cap = 20 * time.Millisecond
		r := newRig(t, refsender.Config{Contract: c, Defect: defect})
		r.plan("/a", status(429, "Retry-After", "315360000"), status(200))
		ep := r.register(r.URL + "/a")
		r.ended(r.emit(ep, struct{}{}), ep, want)
	}
}

func TestAttemptsWithoutEnd(t *testing.T) {
	for defect, stops := range map[string]bool{"": true, "infinite-retry": false} {
		c := fast(t)
		c.Schedule.Waits, c.Schedule.Attempts = []time.Duration{time.Millisecond}, 5
		r := newRig(t, refsender.Config{Contract: c, Defect: defect})
		r.plan("/a", status(503))
		ep := r.register(r.URL + "/a")
		id := r.emit(ep, struct{}{})
		if stops {
			r.ended(id, ep, "dead-lettered")
			continue
		}
		r.waitFor("ten attempts", func() bool { return len(r.at("/a")) > 10 })
		if state := r.delivery(id, ep).State; state != "pending" {
			t.Errorf("defect %s: the event is %s", defect, state)
		}
	}
}

// A wait that doubles from a millisecond overflows before the 70th attempt; the declared waits never end before they are due.
func TestBackoffOverflow(t *testing.T) {
	for defect, overflows := range map[string]bool{"": false, "backoff-overflow": true} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			const wait = 10 * time.Millisecond
			c := fast(t)
			c.Schedule.Waits, c.Schedule.Attempts, c.Schedule.Jitter = []time.Duration{wait}, 70, nil
			c.Schedule.Deadline = 0
			r := newRig(t, refsender.Config{Contract: c, Defect: defect})
			r.plan("/a", status(503))
			ep := r.register(r.URL + "/a")
			log := r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
			early := 0
			for i := 1; i < len(log.Attempts); i++ {
				if log.Attempts[i].At.Sub(log.Attempts[i-1].At) < wait {
					early++
				}
			}
			if (early > 0) != overflows {
				t.Errorf("%d attempts came before their wait was over", early)
			}
		})
	}
}

func TestDripResetsTimeout(t *testing.T) {
	for defect, ends := range map[string]bool{"": true, "drip-resets-timeout": false} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			c := fast(t)
			c.Schedule.Timeout = 500 * time.Millisecond
			r := newRig(t, refsender.Config{Contract: c, Defect: defect})
			ended := make(chan time.Duration, 1)
			r.plan("/a", func(w http.ResponseWriter, q *http.Request) {
				began := time.Now()
				for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
					_, err := w.Write([]byte("x"))
					_ = http.NewResponseController(w).Flush()
					if err != nil || q.Context().Err() != nil || time.Since(began) > 2*ample {
						tick.Stop()
						ended <- time.Since(began)
						return
					}
				}
			})
			ep := r.register(r.URL + "/a")
			r.emit(ep, struct{}{})
			if took := <-ended; (took < 2*ample) != ends {
				t.Errorf("the request took %v", took)
			}
		})
	}
}

func TestLossQueueFull(t *testing.T) {
	for defect, all := range map[string]bool{"": true, "loss-queue-full": false} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			const emitted = 150
			r := newRig(t, refsender.Config{Contract: fast(t), Defect: defect})
			open := make(chan struct{})
			release := sync.OnceFunc(func() { close(open) })
			t.Cleanup(release)
			r.plan("/a", func(http.ResponseWriter, *http.Request) { <-open })
			ep := r.register(r.URL + "/a")
			var ids []string
			for range emitted {
				ids = append(ids, r.emit(ep, struct{}{}))
			}
			other := r.register(r.URL + "/b")
			r.ended(r.emit(other, struct{}{}), other, "delivered") // those before it are in the queue
			release()
			count := func() (n int) {
				for _, id := range ids {
					if r.delivery(id, ep).State == "delivered" {
						n++
					}
				}
				return n
			}
			r.waitFor("as many deliveries as there is room for", func() bool { return count() >= 100 })
			if all {
				r.waitFor("the last delivery", func() bool { return count() == emitted })
				return
			}
			r.stop()
			arrived := map[string]bool{} // by id: a held request may have been given up and sent again
			for _, h := range r.at("/a") {
				arrived[h.id()] = true
			}
			if len(arrived) >= emitted {
				t.Errorf("all of %d events arrived", emitted)
			}
		})
	}
}
