package refsender_test

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/internal/refsender"
)

func TestRebuiltBodyOfAnUnchangedObjectIsTheSame(t *testing.T) {
	r := newRig(t, refsender.Config{Defect: "body-rebuilt-on-retry"})
	r.plan("/a", status(502), status(200))
	ep := r.register(r.URL + "/a")
	r.ended(r.emit(ep, map[string]string{"text": "<é>", "n": "1"}), ep, "delivered")
	hits := r.at("/a")
	if string(hits[0].body) != string(hits[1].body) {
		t.Errorf("%s\n%s", hits[0].body, hits[1].body)
	}
}

func TestSilent(t *testing.T) {
	r := newRig(t, refsender.Config{Defect: "silent"})
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	r.stop() // everything that was started has ended
	if n := len(r.at("/a")); n != 0 {
		t.Errorf("%d requests for %s", n, id)
	}
}

func TestDefectsHaveWhatTheListShows(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range refsender.Defects() {
		if d.Name == "" || d.Title == "" || d.MustFail == "" || seen[d.Name] {
			t.Errorf("defect %+v is incomplete or twice in the list", d)
		}
		seen[d.Name] = true
	}
}

// restarted leads a sender over a graceful stop with one delivered event and one that waits, and tells how often each was
// sent.
func restarted(t *testing.T, defect string) (delivered, waiting int) {
	t.Helper()
	c := fast(t)
	c.Schedule.Waits[1] = ample
	cfg := refsender.Config{DB: filepath.Join(t.TempDir(), "sender.db"), Contract: c, Defect: defect}
	r := newRig(t, cfg)
	r.plan("/waiting", status(503), status(200))
	done, wait := r.register(r.URL+"/done"), r.register(r.URL+"/waiting")
	r.ended(r.emit(done, struct{}{}), done, "delivered")
	id := r.emit(wait, struct{}{})
	r.waitFor("the first attempt on record", func() bool { return len(r.delivery(id, wait).Attempts) == 1 })
	planned := r.delivery(id, wait).NextAttempt
	r.stop()
	next := newRig(t, cfg)
	ep := next.register(next.URL + "/after")
	next.waitFor("the planned time", func() bool { return time.Now().After(planned.Add(100 * time.Millisecond)) })
	next.ended(next.emit(ep, struct{}{}), ep, "delivered")
	return len(r.at("/done")), len(r.at("/waiting"))
}

func TestDefectsOfARestart(t *testing.T) {
	for defect, want := range map[string][2]int{"": {1, 2}, "loss-on-shutdown": {1, 1}, "dup-after-restart": {2, 2}} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			d, w := restarted(t, defect)
			if diff := cmp.Diff(want, [2]int{d, w}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDeadlineOverrun(t *testing.T) {
	for defect, want := range map[string]int{"": 1, "deadline-overrun": 2} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			c := fast(t)
			c.Schedule.Deadline = 3 * time.Second // a busy machine has started attempt 1 by then
			r := newRig(t, refsender.Config{Contract: c, Defect: defect})
			r.plan("/a", status(429, "Retry-After", "4"), status(404))
			ep := r.register(r.URL + "/a")
			r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
			if n := len(r.at("/a")); n != want {
				t.Errorf("%d attempts, want %d", n, want)
			}
		})
	}
}

func TestAttemptsOffByOneLeavesARetry(t *testing.T) {
	for limit, want := range map[int]int{1: 2, 2: 3, 4: 3} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			c := fast(t)
			c.Schedule.Attempts = limit
			r := newRig(t, refsender.Config{Contract: c, Defect: "attempts-off-by-one"})
			r.plan("/a", status(500))
			ep := r.register(r.URL + "/a")
			r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
			if n := len(r.at("/a")); n != want {
				t.Errorf("%d attempts, want %d", n, want)
			}
		})
	}
}

// width is how wide the jitter of spread is: a quarter of it is longer than what a busy machine takes for an attempt.
const width = 40 * time.Second

// spread emits 20 events at once whose first attempts fail, and returns how far the announced waits lie apart.
func spread(t *testing.T, defect string) time.Duration {
	t.Helper()
	c := fast(t)
	c.Schedule.Waits[1] = width // announced, and not waited for
	c.Schedule.Jitter = &contract.Jitter{Plus: 1}
	r := newRig(t, refsender.Config{Contract: c, Defect: defect})
	r.plan("/a", status(503))
	ep := r.register(r.URL + "/a")
	var waits []time.Duration
	for range 20 {
		id := r.emit(ep, struct{}{})
		var log deliveryLog
		r.waitFor("a next attempt", func() bool {
			log = r.delivery(id, ep)
			return len(log.Attempts) == 1 && log.NextAttempt != nil
		})
		waits = append(waits, log.NextAttempt.Sub(log.Attempts[0].At))
	}
	return slices.Max(waits) - slices.Min(waits)
}

func TestNoJitter(t *testing.T) {
	// 20 correct draws all fall within a quarter of the width with a chance below 10^-10. The waits are counted from the
	// start of an attempt, so they differ by what the attempts took.
	if got := spread(t, ""); got < width/4 {
		t.Errorf("waits spread over %v although their jitter is %v wide", got, width)
	}
	if got := spread(t, "no-jitter"); got > width/4 {
		t.Errorf("waits spread over %v without jitter", got)
	}
}

// Without a request timeout a graceful stop still ends.
func TestNoRequestTimeoutStops(t *testing.T) {
	c := fast(t)
	c.Schedule.Timeout = ample
	r := newRig(t, refsender.Config{Contract: c, Defect: "no-request-timeout"})
	r.plan("/a", hang)
	ep := r.register(r.URL + "/a")
	r.emit(ep, struct{}{})
	r.next(t)
	began := time.Now()
	r.stop()
	if took := time.Since(began); took > patience {
		t.Errorf("the stop took %v", took)
	}
}

func TestDefectsOfTheSignatureByStandardWebhooks(t *testing.T) {
	for defect, want := range map[string]signature.Reason{
		"": signature.Verified, "sig-body-only": signature.SignedBodyOnly, "ts-milliseconds": signature.Milliseconds,
		"sig-reserialised": signature.SignedOtherBody, "id-missing": signature.Verified,
	} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, refsender.Config{Contract: standard(t), Defect: defect})
			ep, issued := r.registerAs(map[string]any{"url": r.URL + "/a"})
			r.ended(r.emit(ep, struct{}{}), ep, "delivered")
			s, err := signature.Lookup(standardScheme)
			if err != nil {
				t.Fatal(err)
			}
			if f := s.Verify(r.at("/a")[0].head, r.at("/a")[0].body, issued); f.Reason != want {
				t.Errorf("%s (%s), want %s", f.Reason, f.Detail, want)
			}
		})
	}
}

func TestLogRawAnswer(t *testing.T) {
	for _, defect := range []string{"", "log-raw-answer"} {
		r := newRig(t, refsender.Config{Defect: defect})
		r.plan("/a", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(503)
			_, _ = io.WriteString(w, "first\nsecond \x1b[31m")
		}, status(200))
		ep := r.register(r.URL + "/a")
		log := r.ended(r.emit(ep, struct{}{}), ep, "delivered")
		if diff := cmp.Diff(sum("first\nsecond \x1b[31m"), log.Attempts[0].Digest); diff != "" {
			t.Errorf("defect %s: digest %s", defect, diff)
		}
		r.stop()
		if raw := strings.Contains(r.log.String(), "\nsecond \x1b[31m"); raw != (defect != "") {
			t.Errorf("defect %s: the log shows the answer as it came: %v", defect, raw)
		}
	}
}

func TestReplayOfAPendingEvent(t *testing.T) {
	for defect, want := range map[string]int{"": http.StatusConflict, "replay-pending-accepted": http.StatusAccepted} {
		c := fast(t)
		c.Schedule.Waits[1] = ample
		r := newRig(t, refsender.Config{Contract: c, Defect: defect})
		r.plan("/a", status(503), status(200))
		ep := r.register(r.URL + "/a")
		id := r.emit(ep, struct{}{})
		r.waitFor("the first attempt on record", func() bool { return len(r.delivery(id, ep).Attempts) == 1 })
		if got := r.call("POST", "/v1/events/"+id+"/deliveries/"+ep+"/replay", `{"reason":"r"}`, nil); got != want {
			t.Errorf("defect %s: a replay of a pending event is answered %d", defect, got)
		}
		if defect != "" {
			r.ended(id, ep, "delivered")
		}
	}
}
