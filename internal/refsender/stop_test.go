package refsender_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/hookassay/hookassay/internal/refsender"
)

func TestGracefulStopLosesNothing(t *testing.T) {
	for _, defect := range []string{"", "loss-on-kill"} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			c := fast(t)
			c.Schedule.Waits[1] = 500 * time.Millisecond
			c.Workers = 4
			cfg := refsender.Config{DB: filepath.Join(t.TempDir(), "sender.db"), Contract: c, Defect: defect}
			r := newRig(t, cfg)
			release := make(chan struct{})
			r.plan("/held", hold(release))
			r.plan("/retry", status(503), status(200))
			r.plan("/late", status(200))
			held, again, late := r.register(r.URL+"/held"), r.register(r.URL+"/retry"), r.register(r.URL+"/late")
			flight := r.emit(held, struct{}{})
			r.next(t)
			waiting := r.emit(again, struct{}{})
			r.next(t)
			queued := []string{r.emit(held, struct{}{}), r.emit(held, struct{}{}), r.emit(held, struct{}{})}

			stopped := make(chan struct{})
			s := r.sender
			r.sender = nil
			go func() {
				defer close(stopped)
				if err := s.Stop(); err != nil {
					t.Errorf("stop: %v", err)
				}
			}()
			gomega.NewWithT(t).Eventually(func() int {
				// Before the stop has begun it is accepted, so that it goes where nothing is counted.
				return r.call("POST", "/v1/events", map[string]any{"type": "a.b", "endpoint": late, "data": struct{}{}}, nil)
			}).WithTimeout(patience).Should(gomega.Equal(503))
			select {
			case <-stopped:
				t.Fatal("stopped although a request was in flight")
			default:
			}
			close(release)
			select {
			case <-stopped:
			case <-time.After(patience):
				t.Fatal("does not stop although nothing is in flight")
			}

			next := newRig(t, cfg)
			for event, endpoint := range map[string]string{flight: held, waiting: again, queued[0]: held, queued[1]: held, queued[2]: held} {
				log := next.ended(event, endpoint, "delivered")
				for _, a := range log.Attempts {
					if a.Outcome == "interrupted" {
						t.Errorf("an attempt was interrupted by a graceful stop: %+v", log)
					}
				}
			}
			if n := len(r.at("/held")); n != 4 {
				t.Errorf("%d requests for 4 events: a stop must not make one be sent again", n)
			}
		})
	}
}

func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := refsender.Run(ctx, refsender.Config{DB: filepath.Join(t.TempDir(), "sender.db"), Contract: fast(t)}, in)
		ended <- errors.Join(err, in.Close())
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	base, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "ready ")
	if err != nil || !ok || !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Fatalf("first line %q, %v", line, err)
	}
	r := newReceiver(t)
	c := client{t: t, base: base}
	ep := c.register(r.URL + "/a")
	c.ended(c.emit(ep, struct{}{}), ep, "delivered")
	cancel()
	if more, err := io.ReadAll(lines); err != nil || len(more) != 0 {
		t.Errorf("more than one line on stdout: %q, %v", more, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("run: %v", err)
	}
}
