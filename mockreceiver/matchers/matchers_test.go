package matchers_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/journal"
	. "github.com/hookassay/hookassay/mockreceiver/matchers"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

var update = flag.Bool("update", false, "write the golden file anew")

const (
	scheme = "timestamp-v1"
	secret = "a key of the test"
)

var began = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// attempt is one of an event that is answered at once; change makes it another.
func attempt(number, status int, at time.Duration, change ...func(*receivertest.Attempt)) receivertest.Attempt {
	a := receivertest.Attempt{
		Seq: int64(number), Number: number, Class: journal.First, Key: "evt_1", ID: "evt_1", IDFrom: "body:/id", Type: "payment.succeeded",
		At: began.Add(at), Method: "POST", Target: "/hooks/hook-1", Body: []byte(`{"id":"evt_1","type":"payment.succeeded","data":{"amount":100}}`),
		Over: true, Status: status, Fault: "status", End: evidence.EndComplete, Answered: began.Add(at + 10*time.Millisecond),
	}
	if number > 1 {
		a.Class = journal.Retry
	}
	if status == 200 {
		effect(evidence.EffectCommitted, 1)(&a)
	}
	for _, c := range change {
		c(&a)
	}
	return a
}

func id(id, from string) func(*receivertest.Attempt) {
	return func(a *receivertest.Attempt) { a.ID, a.IDFrom = id, from }
}

func key(k string) func(*receivertest.Attempt) { return func(a *receivertest.Attempt) { a.Key = k } }

func body(b string) func(*receivertest.Attempt) {
	return func(a *receivertest.Attempt) { a.Body = []byte(b) }
}

func effect(result string, rows int) func(*receivertest.Attempt) {
	return func(a *receivertest.Attempt) {
		a.Effect, a.Rows = result, rows
		a.Record.Effect = &evidence.Effect{Key: a.ID, Result: result, Rows: rows}
	}
}

func reset(a *receivertest.Attempt) { a.Status, a.Fault, a.End = 0, "reset", evidence.EndReset }

func class(c journal.Class) func(*receivertest.Attempt) {
	return func(a *receivertest.Attempt) {
		if a.Class = c; c == journal.Injected {
			a.Number = 0
		}
	}
}

// signed signs the body for a time by a key.
func signed(at time.Duration, by string) func(*receivertest.Attempt) {
	return func(a *receivertest.Attempt) {
		s, err := signature.Lookup(scheme)
		if err != nil {
			panic(err) // the scheme is a constant above
		}
		h, err := s.Sign(signature.Content{At: began.Add(at), Body: a.Body}, by)
		if err != nil {
			panic(err)
		}
		a.Fields = append(a.Fields, [2]string{s.Header(), h.Get(s.Header())})
	}
}

type sent = receivertest.History

// good is what a correct sender does at "502, 502, 200".
func good() sent {
	return sent{
		attempt(1, 502, 0, signed(0, secret)),
		attempt(2, 502, 2*time.Second, signed(2*time.Second, secret)),
		attempt(3, 200, 6*time.Second, signed(6*time.Second, secret)),
	}
}

type verdict struct {
	name    string
	matcher types.GomegaMatcher
	history any
}

func verdicts() []verdict {
	const s = time.Second
	return []verdict{
		{"three attempts", HaveAttempts(3), good()},
		{"not two attempts", HaveAttempts(2), good()},
		{"at most three attempts", HaveAttempts(gomega.BeNumerically("<=", 3)), good()},
		{"not at most two attempts", HaveAttempts(gomega.BeNumerically("<=", 2)), good()},
		{"no attempt", HaveAttempts(0), sent{}},
		{"copies are no attempts", HaveAttempts(1), sent{
			attempt(1, 200, 0), attempt(2, 200, 1, class(journal.TransportReplay)), attempt(3, 200, 2, class(journal.Injected)),
		}},

		{"one id", HaveStableEventID(), good()},
		{"another id", HaveStableEventID(), sent{attempt(1, 502, 0), attempt(2, 200, s, id("evt_\x1b[2J", "body:/id"))}},
		{"no id", HaveStableEventID(), sent{attempt(1, 502, 0, id("", "")), attempt(2, 200, s, id("", ""))}},
		{"the id in another place", HaveStableEventID(), sent{attempt(1, 502, 0), attempt(2, 200, s, id("evt_1", "header:webhook-id"))}},

		{"one attempt has an id and nothing else", HaveStableEventID(), good()[:1]},
		{"one attempt has a body and no other", HaveIdenticalBodies(), good()[:1]},
		{"one attempt is no retry", HaveFreshSignatures(scheme, secret), good()[:1]},

		{"one body", HaveIdenticalBodies(), good()},
		{"another body", HaveIdenticalBodies(), sent{
			attempt(1, 502, 0), attempt(2, 200, s, body(`{"id":"evt_1","type":"payment.succeeded","data":{"amount":101}}`)),
		}},
		{"a body with more", HaveIdenticalBodies(), sent{attempt(1, 502, 0, body("{}")), attempt(2, 200, s, body("{}\n"))}},

		{"one type", HaveEventType("payment.succeeded"), good()},
		{"a type that matches", HaveEventType(gomega.HavePrefix("payment.")), good()},
		{"another type", HaveEventType("payment.failed"), good()[:1]},

		{"signed", VerifyWith(scheme, "an older key", secret), good()},
		{"signed by another key", VerifyWith(scheme, "another"), good()[:1]},
		{"not signed", VerifyWith(scheme, secret), sent{attempt(1, 200, 0)}},
		{"signed long ago", VerifyWith(scheme, secret), sent{attempt(1, 200, 301*s, signed(0, secret))}},
		{"no such scheme", VerifyWith("rot13", secret), good()},
		{"signed anew", HaveFreshSignatures(scheme, secret), good()},
		{"a copied signature", HaveFreshSignatures(scheme, secret), sent{
			attempt(1, 502, 0, signed(0, secret)), attempt(2, 200, 2*s, signed(0, secret)),
		}},
		{"too soon to tell", HaveFreshSignatures(scheme, secret), sent{
			attempt(1, 502, 0, signed(0, secret)), attempt(2, 200, 20*time.Millisecond, signed(0, secret)),
		}},
		{"signed for an earlier time", HaveFreshSignatures(scheme, secret), sent{
			attempt(1, 502, 5*s, signed(5*s, secret)), attempt(2, 200, 6*s, signed(s, secret)),
		}},
		{"anew, by another key", HaveFreshSignatures(scheme, secret), sent{
			attempt(1, 502, 0, signed(0, secret)), attempt(2, 200, 2*s, signed(2*s, "another")),
		}},

		{"retried", BeRetriedAfter(502), good()},
		{"retried after a reset", BeRetriedAfter("reset"), sent{attempt(1, 502, 0, reset), attempt(2, 200, s)}},
		{"not retried", BeRetriedAfter(502, 503), sent{attempt(1, 503, 0), attempt(2, 502, s)}},
		{"another event is no retry", BeRetriedAfter(502), sent{attempt(1, 502, 0), attempt(1, 200, s, key("evt_2"))}},
		{"nothing was answered so", BeRetriedAfter(503), good()},
		{"no answer named", BeRetriedAfter(), good()},
		{"no such answer", BeRetriedAfter(502.0), good()},

		{"left alone", BeLeftAloneAfter(410), sent{attempt(1, 410, 0)}},
		{"not left alone", BeLeftAloneAfter(410), sent{attempt(1, 410, 0), attempt(2, 410, s)}},

		{"settled", BeSettled(), good()},
		{"not settled", BeSettled(), sent{attempt(1, 502, 0), attempt(2, 502, s, reset)}},
		{"sent again", BeSettled(), append(good(), attempt(4, 200, 10*s))},

		{"gaps within one pair", HaveGapsWithin(s, 5*s), good()},
		{"gaps within a pair each", HaveGapsWithin(s, 2*s, 3*s, 4*s), good()},
		{"a gap too short", HaveGapsWithin(2*s, 5*s), good()},
		{"a gap too long", HaveGapsWithin(s, 2*s, s, 2*s), good()},
		{"bounds for other gaps", HaveGapsWithin(s, 2*s, s, 2*s, s, 2*s), good()},
		{"half a pair", HaveGapsWithin(s), good()},
		{"one attempt has no gap", HaveGapsWithin(s, 2*s), good()[:1]},

		{"one effect", HaveOneEffect(), good()},
		{"one effect and a copy", HaveOneEffect(), append(good(), attempt(4, 200, 7*s, class(journal.Injected), effect(evidence.EffectAbsorbed, 1)))},
		{"one place in the inbox", HaveOneEffect(), sent{
			attempt(1, 200, 0, effect(evidence.EffectQueued, 0)), attempt(2, 200, s, effect(evidence.EffectAbsorbed, 0)),
		}},
		{"an older event than the object's", HaveOneEffect(), sent{attempt(1, 200, 0, effect(evidence.EffectSuperseded, 1))}},
		{"no effect", HaveOneEffect(), good()[:2]},
		{"a type that nobody knows", HaveOneEffect(), sent{attempt(1, 200, 0, effect(evidence.EffectIgnored, 0))}},
		{"rolled back", HaveOneEffect(), sent{attempt(1, 500, 0, effect(evidence.EffectRolledBack, 0))}},
		{"two effects", HaveOneEffect(), sent{attempt(1, 200, 0), attempt(2, 200, s, id("evt_2", "body:/id"), effect(evidence.EffectCommitted, 1))}},
		{"two rows", HaveOneEffect(), sent{attempt(1, 200, 0, effect(evidence.EffectCommitted, 2))}},

		{"nothing came", BeSettled(), sent{}},
		{"no history", BeSettled(), http.StatusOK},
	}
}

// TestMessages holds every matcher to what it says, to the letter: each message must tell a person what to look at.
func TestMessages(t *testing.T) {
	var got strings.Builder
	for _, v := range verdicts() {
		ok, err := v.matcher.Match(v.history)
		fmt.Fprintf(&got, "-- %s --\n", v.name)
		switch {
		case err != nil:
			fmt.Fprintf(&got, "error: %v\n", err)
		case ok:
			fmt.Fprintln(&got, "match")
		default:
			fmt.Fprintln(&got, v.matcher.FailureMessage(v.history))
		}
	}
	const file = "testdata/messages.golden"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("messages differ from %s (-update writes it anew):\n%s", file, d)
	}
}

// TestMessagesHoldNoSecret covers what lands in a CI log.
func TestMessagesHoldNoSecret(t *testing.T) {
	for _, v := range verdicts() {
		text := ""
		if ok, err := v.matcher.Match(v.history); err != nil {
			text = err.Error()
		} else if !ok {
			text = v.matcher.FailureMessage(v.history)
		}
		if strings.Contains(text, secret) || strings.Contains(text, "v1=") || strings.Contains(text, "\x1b") {
			t.Errorf("%s: %q", v.name, text)
		}
	}
}

func TestNegation(t *testing.T) {
	m := BeSettled()
	if ok, err := m.Match(good()); !ok || err != nil {
		t.Fatalf("got %t, %v", ok, err)
	}
	want := `Expected the attempts not to settle each event: a 2xx and nothing after it, and they do.
Received:
  #1 attempt 1 of "evt_1": "POST" "/hooks/hook-1", 63 bytes -> status 502
  #2 attempt 2 of "evt_1": "POST" "/hooks/hook-1", 63 bytes -> status 502
  #3 attempt 3 of "evt_1": "POST" "/hooks/hook-1", 63 bytes -> status 200, committed`
	if got := m.NegatedFailureMessage(good()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLongHistoriesStayReadable covers a sender that never stops.
func TestLongHistoriesStayReadable(t *testing.T) {
	var h sent
	for i := range 1000 {
		h = append(h, attempt(i+1, 502, time.Duration(i)*time.Second))
	}
	m := BeSettled()
	if ok, err := m.Match(h); ok || err != nil {
		t.Fatalf("got %t, %v", ok, err)
	}
	if text := m.FailureMessage(h); strings.Count(text, "\n") > 30 || !strings.HasSuffix(text, "and 980 more") {
		t.Errorf("got\n%s", text)
	}
}

// TestEventually covers histories that grow: by a function, an Endpoint and an Event.
func TestEventually(t *testing.T) {
	g := gomega.NewWithT(t)
	hook := receivertest.Start(t).Endpoint("502, 200")
	var sender sync.WaitGroup
	defer sender.Wait()
	sender.Go(func() {
		for send(hook.URL, `{"id":"evt_1"}`) != http.StatusOK {
		}
	})
	const patience = time.Minute // far above anything seen on a busy machine
	g.Eventually(hook.Attempts).WithTimeout(patience).Should(HaveAttempts(2))
	g.Eventually(hook).WithTimeout(patience).Should(BeSettled())
	g.Eventually(hook.Event("evt_1")).WithTimeout(patience).Should(HaveOneEffect())
}
