package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

func readers(t *testing.T, i sender.Instance) interface {
	sender.LogReader
	sender.DeadLetterReader
} {
	t.Helper()
	r, ok := i.(interface {
		sender.LogReader
		sender.DeadLetterReader
	})
	if !ok {
		t.Fatal("no readers")
	}
	return r
}

func TestRecords(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{
		"GET /log?event=ev": `200 {"rows":{"s":"delivered","next":"2026-01-02T03:04:05+01:00","a":[{"n":1,"t":"2026-01-02T03:04:05.123456789Z","c":null}]}}`,
		"GET /dead/e":       `200 [{"endpoint":"other"},{"endpoint":"e","event":"ev","reason":"r","attempts":6,"payload":"base64:1.50","replays":null}]`,
	})
	r := readers(t, attach(t, a.URL, fullOps, httpapi.Options{}))
	l, err := r.DeliveryLog(t.Context(), sender.Delivery{Event: "ev", Endpoint: "e"})
	if err != nil {
		t.Fatal(err)
	}
	next := time.Date(2026, 1, 2, 2, 4, 5, 0, time.UTC)
	wantLog := evidence.LogEntry{
		Event: "ev", State: "delivered", Next: &next,
		Attempts: []evidence.LogAttempt{{Number: 1, At: time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.UTC)}},
	}
	compare := cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })
	ignore := cmp.Comparer(func(evidence.Meta, evidence.Meta) bool { return true })
	if d := cmp.Diff(wantLog, l, compare, ignore); d != "" {
		t.Errorf("log (want first):\n%s", d)
	}
	letters, err := r.DeadLetters(t.Context(), "e")
	if err != nil {
		t.Fatal(err)
	}
	want := []evidence.DeadLetter{{Event: "ev", Reason: "r", Attempts: 6, Payload: evidence.Raw("base64:1.50")}}
	if d := cmp.Diff(want, letters, compare, ignore); d != "" {
		t.Errorf("dead letters (want first):\n%s", d)
	}
}

func TestRecordsOfAnotherFormAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ log, dead, want string }{
		"no state":            {log: `{"rows":{"a":[]}}`, want: "result: state is missing"},
		"no number":           {log: `{"rows":{"s":"x","a":[{"t":"2026-01-02T03:04:05Z"}]}}`, want: "attempts[0]: number or at is missing"},
		"no list":             {log: `{"rows":{"s":"x"}}`, want: "cannot iterate over: null"},
		"text for a number":   {log: `{"rows":{"s":"x","a":[{"n":"1"}]}}`, want: "attempts.number is a string"},
		"fraction":            {log: `{"rows":{"s":"x","a":[{"n":1.5}]}}`, want: "attempts.number is a number 1.5"},
		"no time":             {log: `{"rows":{"s":"x","a":[],"next":"tomorrow"}}`, want: `"tomorrow"`},
		"no JSON":             {log: `<html>`, want: "<html>"},
		"unknown field":       {dead: `[{"endpoint":"e","event":"x","reason":"r","attempts":1,"colour":"red"}]`, want: `unknown field "colour"`},
		"no event":            {dead: `[{"endpoint":"e","reason":"r","attempts":1}]`, want: "entry 0: event, reason or attempts is missing"},
		"replay without time": {dead: `[{"endpoint":"e","event":"x","reason":"r","attempts":1,"replays":[{}]}]`, want: "replays[0]: at is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, map[string]string{"GET /log?event=ev": "200 " + tt.log, "GET /dead/e": "200 " + tt.dead})
			r := readers(t, attach(t, a.URL, fullOps, httpapi.Options{}))
			var err error
			if tt.log != "" {
				_, err = r.DeliveryLog(t.Context(), sender.Delivery{Event: "ev", Endpoint: "e"})
			} else {
				_, err = r.DeadLetters(t.Context(), "e")
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), " e") {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
}
