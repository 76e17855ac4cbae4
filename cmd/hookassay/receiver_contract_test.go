package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// stored is an attempt as a journal has it, at a second, with an answer 10 ms later.
func stored(seq int64, key string, n, second, status int, effect string) journal.Attempt {
	at := time.Duration(second) * time.Second
	a := journal.Attempt{
		Arrival: evidence.Arrival{
			Seq: seq, Endpoint: "e", Key: key, Attempt: n, Wall: noon.Add(at), FirstByte: at, BodyEnd: at,
			Conn: evidence.Conn{ID: seq, Request: 1}, Head: evidence.Raw("POST / HTTP/1.1\r\n\r\n"), BodySize: 2, BodySHA256: "aa",
		},
		Outcome: &evidence.Outcome{
			Of: seq, Status: status, Fault: "status", End: evidence.EndComplete,
			ReplyStart: at + 10*time.Millisecond, ReplyEnd: at + 10*time.Millisecond,
		},
	}
	if effect != "" {
		a.Effect = &evidence.Effect{Of: seq, Endpoint: "e", Key: key, Result: effect, At: at, Rows: 1}
	}
	return a
}

func TestAcceptanceOfAJournal(t *testing.T) {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	lost := stored(6, "lost ack", 1, 30, 0, evidence.EffectCommitted)
	lost.Outcome = &evidence.Outcome{Of: 6, Fault: "lost-ack", End: evidence.EndReset, Closed: 30 * time.Second}
	// The second run on the same journal, whose offsets begin anew.
	later := stored(9, "later", 1, 1, 200, evidence.EffectCommitted)
	later.Wall = noon.Add(time.Hour)
	// The receiver ended before it could record what it answered.
	crashed := stored(10, "crashed", 1, 60, 200, evidence.EffectCommitted)
	crashed.Outcome, crashed.Effect.Dedupe = nil, true
	old := stored(11, "old", 1, 55, 503, "")
	old.Wall = noon.Add(-2 * time.Hour)
	got := accepted(c, noon.Add(70*time.Minute), [][]journal.Attempt{
		{old},
		{stored(1, "first try", 1, 0, 200, evidence.EffectCommitted)},
		{stored(2, "retry", 1, 1, 502, ""), stored(3, "retry", 2, 11, 204, evidence.EffectCommitted)},
		{stored(4, "again", 1, 20, 200, evidence.EffectCommitted), stored(5, "again", 2, 25, 200, evidence.EffectAbsorbed)},
		{lost, stored(7, "lost ack", 2, 40, 200, evidence.EffectAbsorbed)},
		{stored(8, "failing", 1, 50, 502, "")},
		{crashed},
		{later},
	})
	want := &acceptance{
		Acceptance: &judge.Acceptance{
			Events: 8, DeliveredFirstTry: 4, DeliveredAfterRetry: 2, DeadLettered: 1, Pending: 1, MissingIDs: []string{},
			Rate: 6.0 / 8, Threshold: c.Acceptance.Rate, DuplicateEvents: 2, DuplicateRate: 2.0 / 6, DeadLetters: []judge.AcceptanceDeadLetter{},
		},
		PendingEvents:  []eventName{{"e", "failing"}},
		DeadLetters:    []deadLetter{{eventName{"e", "old"}, "given up: no 2xx within 1h15m0s", 1, 503}},
		OutcomeUnknown: 1,
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(deadLetter{})); d != "" {
		t.Error(d)
	}
	if got := accepted(c, noon, nil); got.Acceptance == nil || got.Events != 0 {
		t.Errorf("without events: got %+v", got)
	}
}

func TestWindowOfAnAttempt(t *testing.T) {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	after := func(status int, fields ...[2]string) *journal.Attempt {
		a := stored(1, "k", 1, 0, status, "")
		a.Outcome.Header = fields
		return &a
	}
	s := c.Schedule
	second := mockreceiver.Window{Min: s.Wait(2).Min, Max: s.Wait(2).Max, FromStart: s.MeasuredFrom == contract.FromStart}
	asked := second
	asked.Min, asked.Max = 5*time.Minute, 5*time.Minute+second.Max-second.Min
	for name, tc := range map[string]struct {
		n      int
		before *journal.Attempt
		want   mockreceiver.Window
		ok     bool
	}{
		"after a 502":            {2, after(502), second, true},
		"no answer":              {2, after(0), second, true},
		"after success":          {2, after(200), mockreceiver.Window{}, false},
		"for good":               {2, after(400), mockreceiver.Window{}, false},
		"beyond the schedule":    {s.Count() + 1, after(502), mockreceiver.Window{}, false},
		"Retry-After":            {2, after(429, [2]string{"Retry-After", "300"}), asked, true},
		"Retry-After by a date":  {2, after(429, [2]string{"retry-after", noon.Add(5 * time.Minute).Format(http.TimeFormat)}), asked, true},
		"Retry-After, too short": {2, after(429, [2]string{"Retry-After", "0"}), second, true},
		"Retry-After, no number": {2, after(429, [2]string{"Retry-After", "soon"}), second, true},
		"Retry-After, too large": {2, after(429, [2]string{"Retry-After", strings.Repeat("9", 18)}), second, true},
	} {
		if got, ok := window(c, tc.n, tc.before); ok != tc.ok || got != tc.want {
			t.Errorf("%s: got %+v %t, want %+v %t", name, got, ok, tc.want, tc.ok)
		}
	}
	open := after(502)
	open.Outcome = nil
	if _, ok := window(c, 2, open); ok {
		t.Error("an open attempt has a window for the next")
	}
}

func TestTokenOfTheReceiver(t *testing.T) {
	const good = "0123456789abcdef"
	for _, tc := range []struct{ flag, variable, want, says string }{
		{"", "", "", ""},
		{good, "", good, ""},
		{"", good, good, ""},
		{good, "another-token-of-ours", good, ""},
		{"short", "", "", "--token: want at least 16"},
		{"", "short", "", tokenVariable + ": want"},
		{good + " x", "", "", "without spaces"},
		{good + "\n", "", "", "without spaces"},
		{good + "é", "", "", "ASCII"},
	} {
		t.Setenv(tokenVariable, tc.variable)
		f := tokenFlag(tc.flag)
		got, err := f.read()
		if got != tc.want || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q and %q: got %q %v, want %q %q", tc.flag, tc.variable, got, err, tc.want, tc.says)
		}
	}
}
