package receivertest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

var (
	_ receivertest.TB = (*testing.T)(nil)
	_ receivertest.TB = (*testing.B)(nil)
	_ receivertest.TB = ginkgo.GinkgoTInterface(nil)
)

// post sends a body and returns the status; 0 if there was no answer.
func post(t testing.TB, url, body string) int {
	t.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close() // only the status matters
	return resp.StatusCode
}

// pause is between requests that are retries beyond doubt: far longer than what is taken for a library's resend after a reset, 10 ms.
const pause = 200 * time.Millisecond

func TestThreeLines(t *testing.T) {
	r := receivertest.Start(t)
	hook := r.Endpoint("502, reset, 200")
	for range 3 {
		post(t, hook.URL, `{"id":"evt_1","type":"payment.succeeded"}`)
		<-time.After(pause)
	}
	h := hook.Wait(3)
	if len(h) != 3 || !slices.Equal(h.Events(), []string{"evt_1"}) {
		t.Fatalf("got %v", h)
	}
	last := h[2]
	if last.Number != 3 || last.Class != journal.Retry || last.Status != 200 || last.ID != "evt_1" || last.IDFrom != "body:/id" ||
		last.Type != "payment.succeeded" || last.Effect != evidence.EffectCommitted || last.Rows != 1 || last.Method != "POST" {
		t.Errorf("third attempt: %+v", last)
	}
	if last.Header("content-length") != "41" || string(last.Body) != `{"id":"evt_1","type":"payment.succeeded"}` {
		t.Errorf("third attempt: headers %v, body %q", last.Fields, last.Body)
	}
	if h[1].Status != 0 || h[1].Fault != "reset" || !h[1].Over {
		t.Errorf("second attempt: %+v", h[1])
	}
	gaps := h.Gaps()
	if len(gaps) != 2 || gaps[0] < 0 || gaps[1] < 0 {
		t.Errorf("gaps: %v", gaps)
	}
	want := `#1 attempt 1 of "evt_1": "POST" "/hooks/hook-1", 41 bytes -> status 502
#2 attempt 2 of "evt_1": "POST" "/hooks/hook-1", 41 bytes -> reset, reset
#3 attempt 3 of "evt_1": "POST" "/hooks/hook-1", 41 bytes -> status 200, committed`
	if h.String() != want {
		t.Errorf("got\n%s\nwant\n%s", h, want)
	}
}

// TestWaitCountsWhatTookAStep: a client that keeps connections retries soon after a reset, as a loop in a test does. Whether its
// third request is a retry or its library's resend, it took the third step.
func TestWaitCountsWhatTookAStep(t *testing.T) {
	for name, tc := range map[string]struct {
		pause time.Duration
		class journal.Class
	}{
		"a retry loop":    {pause, journal.Retry},
		"without a pause": {0, ""}, // the two cannot be told apart
	} {
		t.Run(name, func(t *testing.T) {
			r := receivertest.Start(t)
			hook := r.Endpoint("502, reset, 200")
			tr := &http.Transport{}
			defer tr.CloseIdleConnections()
			c := &http.Client{Transport: tr, Timeout: time.Minute}
			for range 3 {
				resp, err := c.Post(hook.URL, "application/json", strings.NewReader(`{"id":"evt_1"}`))
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body) // so that the connection is used again
					_ = resp.Body.Close()
				}
				<-time.After(tc.pause)
			}
			h := hook.Wait(3)
			if len(h) != 3 || h[2].Status != 200 || tc.class != "" && h[2].Class != tc.class {
				t.Errorf("got\n%s\nof class %s", h, h[len(h)-1].Class)
			}
		})
	}
}

func TestEventsHavePlansAndHistoriesOfTheirOwn(t *testing.T) {
	r := receivertest.Start(t)
	hook, other := r.Endpoint(""), r.Endpoint("")
	gone := hook.Event("evt_2")
	gone.Plan("410")
	if a, b := post(t, hook.URL, `{"id":"evt_1"}`), post(t, hook.URL, `{"id":"evt_2"}`); a != 200 || b != 410 {
		t.Errorf("got %d and %d", a, b)
	}
	if h := gone.Wait(1); len(h) != 1 || h[0].Status != 410 || h[0].Key != "evt_2" {
		t.Errorf("the event: %v", h)
	}
	h := hook.Wait(2)
	if len(h) != 2 || len(h.Event("evt_2")) != 1 || len(hook.Event("evt_1").Attempts()) != 1 {
		t.Errorf("the endpoint: %v", h)
	}
	if h := other.Attempts(); len(h) != 0 {
		t.Errorf("the other endpoint: %v", h)
	}
	hook.Reset()
	if h := hook.Attempts(); len(h) != 0 {
		t.Errorf("after the reset: %v", h)
	}
}

func TestSettledKnowsCopies(t *testing.T) {
	r := receivertest.Start(t)
	hook := r.Endpoint("200(copies=3)")
	post(t, hook.URL, `{"id":"evt_1"}`)
	h := hook.Settled(50 * time.Millisecond)
	if len(h) != 4 || len(h.Sent()) != 1 {
		t.Errorf("one attempt and three copies, got %v", h)
	}
}

func TestWaitIsForWhatIsOver(t *testing.T) {
	r := receivertest.Start(t)
	hook := r.Endpoint("timeout(100ms), 200")
	var senders sync.WaitGroup
	defer senders.Wait()
	senders.Go(func() { post(t, hook.URL, `{"id":"evt_1"}`) })
	if h := hook.Wait(1); !h[0].Over || h[0].Fault != "timeout" || h[0].Status != 0 {
		t.Errorf("got %v", h)
	}
}

func TestManyAttemptsComeInPages(t *testing.T) {
	r := receivertest.Start(t)
	hook := r.Endpoint("502*449, 200")
	for range 450 {
		post(t, hook.URL, `{"id":"evt_1"}`)
	}
	h := hook.Wait(450)
	for i, a := range h {
		if a.Number != i+1 {
			t.Fatalf("place %d has %v", i, a)
		}
	}
	if len(h) != 450 {
		t.Errorf("%d attempts", len(h))
	}
}

// fake is a test that fails without failing the one that runs it.
type fake struct {
	cleanups []func()
	said     []string
}

func (*fake) Helper()            {}
func (f *fake) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }

func (f *fake) Errorf(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

func (f *fake) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	runtime.Goexit()
}

// end does what the end of a test does.
func (f *fake) end() {
	for _, c := range slices.Backward(f.cleanups) {
		c()
	}
}

// run runs a test function to its end and returns what it said.
func (f *fake) run(test func(t *fake)) string {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer f.end()
		test(f)
	}()
	<-done
	return strings.Join(f.said, "\n")
}

func TestFailuresShowWhatArrived(t *testing.T) {
	for name, tc := range map[string]struct {
		test func(t *fake)
		want string
	}{
		"too few came": {
			func(f *fake) {
				r := receivertest.Start(f)
				hook := r.Endpoint("502")
				post(t, hook.URL, `{"id":"evt_\u001b[2J"}`)
				post(t, hook.URL, `{"id":"evt_2"}`)
				hook.Wait(2)
				r.Patience = 50 * time.Millisecond
				hook.Wait(3)
			},
			`within 50ms: waited for 3 attempts, hook-1: 2 came and are over:
  #1 attempt 1 of "evt_\x1b[2J": "POST" "/hooks/hook-1", 22 bytes -> status 502
  #2 attempt 1 of "evt_2": "POST" "/hooks/hook-1", 14 bytes -> status 502`,
		},
		"none came of the event": {
			func(f *fake) {
				r := receivertest.Start(f)
				r.Patience = 10 * time.Millisecond
				r.Endpoint("502").Event("evt_9").Wait(1)
			},
			`within 10ms: waited for 1 attempts, event "evt_9" at hook-1: 0 came and are over; nothing arrived there at all`,
		},
		"a plan that is none": {
			func(f *fake) { receivertest.Start(f).Endpoint("maybe") },
			`plan "maybe": `,
		},
		"a name that is taken": {
			func(f *fake) {
				r := receivertest.Start(f)
				r.EndpointWith(mockreceiver.Endpoint{Name: "e"})
				r.EndpointWith(mockreceiver.Endpoint{Name: "e"})
			},
			"add endpoint e: the name is taken",
		},
		"settings that are wrong": {
			func(f *fake) { receivertest.StartWith(f, mockreceiver.Config{MaxBody: -1}) },
			"start a mock receiver: receiver settings: limits: want none below zero",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if said := new(fake).run(tc.test); !strings.HasPrefix(said, tc.want) {
				t.Errorf("got\n%s\nwant\n%s", said, tc.want)
			}
		})
	}
}

func TestSettledEndsATestThatGetsNoRest(t *testing.T) {
	release := make(chan struct{})
	said := new(fake).run(func(f *fake) {
		r := receivertest.Start(f)
		r.Patience = 100 * time.Millisecond
		hook := r.Endpoint("timeout")
		go func() {
			defer close(release)
			post(t, hook.URL, `{"id":"evt_1"}`)
		}()
		if _, err := r.Mock.Wait(context.Background(), hook.Name, 0, 1); err != nil {
			t.Error(err)
		}
		hook.Settled(time.Millisecond)
	})
	<-release
	want := `waited 101ms for hook-1 to be settled, and it is not:
  #1 attempt 1 of "evt_1": "POST" "/hooks/hook-1", 14 bytes -> not over`
	if said != want {
		t.Errorf("got\n%s\nwant\n%s", said, want)
	}
}

func TestWaitForTellsTheErrorAndWhatThereIs(t *testing.T) {
	r := receivertest.Start(t)
	hook := r.Endpoint("200")
	post(t, hook.URL, `{"id":"evt_1"}`)
	hook.Wait(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h, err := hook.WaitFor(ctx, 2)
	if err == nil || len(h) != 1 {
		t.Errorf("got %v, %v", h, err)
	}
	if h, err := hook.Event("evt_1").WaitFor(ctx, 1); err != nil || len(h) != 1 {
		t.Errorf("what is there needs no time: %v, %v", h, err)
	}
}

// TestLostEvidenceFailsTheTest covers a receiver that could not keep what it got: nobody may conclude anything from the rest.
func TestLostEvidenceFailsTheTest(t *testing.T) {
	said := new(fake).run(func(f *fake) {
		path := filepath.Join(t.TempDir(), "journal.db")
		r := receivertest.StartWith(f, mockreceiver.Config{Journal: path})
		hook := r.Endpoint("200")
		exec(t, path, "DROP TABLE arrival")
		if status := post(t, hook.URL, `{"id":"evt_1"}`); status != 500 {
			t.Errorf("got %d, want 500", status)
		}
	})
	if !strings.Contains(said, "the mock receiver could not keep ") {
		t.Errorf("got %q", said)
	}
}

func TestClientTrustsTheReceiver(t *testing.T) {
	for name, tc := range map[string]struct {
		cfg   mockreceiver.Config
		proto string
	}{
		"plain":          {mockreceiver.Config{}, "HTTP/1.1"},
		"TLS":            {mockreceiver.Config{TLS: &mockreceiver.TLS{}}, "HTTP/1.1"},
		"TLS and HTTP/2": {mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true}, "HTTP/2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			tc.cfg.Quick = true
			r := receivertest.StartWith(t, tc.cfg)
			hook := r.Endpoint("307, 200")
			c := r.Client()
			for _, want := range []int{307, 200} {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hook.URL, strings.NewReader(`{"id":"evt_1"}`))
				if err != nil {
					t.Fatal(err)
				}
				resp, err := c.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				_ = resp.Body.Close() // only the head matters
				if resp.StatusCode != want || resp.Proto != tc.proto {
					t.Errorf("got %s by %s, want %d by %s", resp.Status, resp.Proto, want, tc.proto)
				}
			}
			if h := hook.Wait(2); len(h) != 2 || h[1].Method != "POST" || string(h[1].Body) != `{"id":"evt_1"}` {
				t.Errorf("received %v", h)
			}
		})
	}
}

// TestJournalInMemory covers a receiver without a database: all but the business side is the same.
func TestJournalInMemory(t *testing.T) {
	r := receivertest.StartWith(t, mockreceiver.Config{Memory: true})
	hook := r.Endpoint("502, 200")
	for range 2 {
		post(t, hook.URL, `{"id":"evt_1"}`)
	}
	h := hook.Wait(2)
	if len(h) != 2 || h[1].Number != 2 || h[1].Class != journal.Retry || h[1].Status != 200 || h[1].Effect != "" {
		t.Errorf("got %v", h)
	}
	if h := hook.Settled(10 * time.Millisecond); len(h) != 2 {
		t.Errorf("settled with %v", h)
	}
}

func TestTypeIsReadWhereTheEndpointSays(t *testing.T) {
	r := receivertest.Start(t)
	hook := r.EndpointWith(mockreceiver.Endpoint{Fields: &mockreceiver.Fields{Type: "/kind"}})
	post(t, hook.URL, `{"id":"evt_1","kind":"payment.succeeded","type":"something else"}`)
	if got := hook.Wait(1)[0].Type; got != "payment.succeeded" {
		t.Errorf("got %q", got)
	}
}
