package refsender

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
)

func bounded(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var (
	accepted = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	ended    = accepted.Add(time.Minute)
)

func TestNext(t *testing.T) {
	const s = time.Second
	overlong := strings.Repeat("9", 30)
	for name, tc := range map[string]struct {
		f      facts
		change func(*contract.Contract)
		want   verdict
		wait   time.Duration // from the attempt's end, for retry
		reason string        // in it, for dead
	}{
		"201":                                   {f: facts{status: 201}, want: delivered},
		"299":                                   {f: facts{status: 299}, want: delivered},
		"200 cut short":                         {f: facts{status: 200, kind: contract.ErrorConnection}, want: delivered},
		"200 cut short where complete is asked": {f: facts{status: 200, kind: contract.ErrorTimeout}, change: complete, want: retry, wait: 5 * s},
		"503":                                   {f: facts{status: 503}, want: retry, wait: 5 * s},
		"503 with the most jitter":              {f: facts{status: 503, draw: 1}, want: retry, wait: 5100 * time.Millisecond},
		"503 cut short":                         {f: facts{status: 503, kind: contract.ErrorConnection}, want: retry, wait: 5 * s},
		"503 after attempt 3":                   {f: facts{status: 503, number: 3}, want: retry, wait: 120 * s},
		"measured from the start":               {f: facts{status: 503}, change: fromStart, want: retry, wait: 2 * s},
		"404":                                   {f: facts{status: 404}, want: dead, reason: "permanent failure: it"},
		"404 cut short":                         {f: facts{status: 404, kind: contract.ErrorTimeout}, want: dead, reason: "permanent failure"},
		"302":                                   {f: facts{status: 302}, want: dead, reason: "permanent failure"},
		"101":                                   {f: facts{status: 101}, want: dead, reason: "permanent failure"},
		"status that nobody named":              {f: facts{status: 700}, want: dead, reason: "permanent failure"},
		"timeout":                               {f: facts{kind: contract.ErrorTimeout}, want: retry, wait: 5 * s},
		"connection":                            {f: facts{kind: contract.ErrorConnection}, want: retry, wait: 5 * s},
		"tls":                                   {f: facts{kind: contract.ErrorTLS}, want: retry, wait: 5 * s},
		"tls where it is permanent":             {f: facts{kind: contract.ErrorTLS}, change: noErrors, want: dead, reason: "permanent"},
		"interrupted":                           {f: facts{kind: kindInterrupted}, change: noErrors, want: retry, wait: 5 * s},
		"attempt 6 of 6":                        {f: facts{status: 500, number: 6}, want: dead, reason: "attempts used up: 6 of 6 failed, the last with it"},
		"permanent at attempt 6":                {f: facts{status: 400, number: 6}, want: dead, reason: "permanent"},
		"replay that fails":                     {f: facts{status: 500, replay: true}, want: dead, reason: "replay failed: it"},
		"replay that succeeds":                  {f: facts{status: 200, replay: true}, want: delivered},

		"in time by a hair":     {f: facts{status: 500, number: 5}, change: deadline(3660 * s), want: retry, wait: 3600 * s},
		"late by a hair":        {f: facts{status: 500, number: 5}, change: deadline(3660*s - 1), want: dead, reason: "deadline: attempt 6 would start 0s after it; attempt 5 failed with it"},
		"without a deadline":    {f: facts{status: 500, number: 5}, change: deadline(0), want: retry, wait: 3600 * s},
		"asked past deadline":   {f: facts{status: 429, retryAfter: "3600"}, change: deadline(3600 * s), want: dead, reason: "deadline: attempt 2 would start 1m0s"},
		"asked 30 s":            {f: facts{status: 429, retryAfter: "30"}, want: retry, wait: 30 * s},
		"asked with spaces":     {f: facts{status: 429, retryAfter: " 30 "}, want: retry, wait: 30 * s},
		"asked less":            {f: facts{status: 429, retryAfter: "1"}, want: retry, wait: 5 * s},
		"asked for 0":           {f: facts{status: 429, retryAfter: "0"}, want: retry, wait: 5 * s},
		"asked on 503":          {f: facts{status: 503, retryAfter: "30"}, want: retry, wait: 5 * s},
		"asked for ten years":   {f: facts{status: 429, retryAfter: "315360000"}, want: retry, wait: 3600 * s},
		"asked in 30 digits":    {f: facts{status: 429, retryAfter: overlong}, want: retry, wait: 3600 * s},
		"30 digits, no cap":     {f: facts{status: 429, retryAfter: overlong}, change: noCap, want: dead, reason: "deadline"},
		"asked by date":         {f: facts{status: 429, retryAfter: "Mon, 30 Nov 2026 12:01:40 GMT"}, want: retry, wait: 40 * s},
		"asked by old date":     {f: facts{status: 429, retryAfter: "Mon, 30 Nov 2020 12:01:40 GMT"}, want: retry, wait: 5 * s},
		"asked by distant date": {f: facts{status: 429, retryAfter: "Mon, 30 Nov 9026 12:01:40 GMT"}, want: retry, wait: 3600 * s},
		"date of no known form": {f: facts{status: 429, retryAfter: "2026-11-30T12:01:40Z"}, want: retry, wait: 5 * s},
		"date not honoured":     {f: facts{status: 429, retryAfter: "Mon, 30 Nov 2026 12:01:40 GMT"}, change: secondsOnly, want: retry, wait: 5 * s},
		"asked for −1":          {f: facts{status: 429, retryAfter: "-1"}, want: retry, wait: 5 * s},
		"asked for 1.5":         {f: facts{status: 429, retryAfter: "30.5"}, want: retry, wait: 5 * s},
		"asked for words":       {f: facts{status: 429, retryAfter: "soon"}, want: retry, wait: 5 * s},
		"asked, none honoured":  {f: facts{status: 429, retryAfter: "30"}, change: noRetryAfter, want: retry, wait: 5 * s},
	} {
		t.Run(name, func(t *testing.T) {
			c := bounded(t)
			if tc.change != nil {
				tc.change(c)
			}
			f := tc.f
			f.accepted, f.start, f.end, f.failure = accepted, ended.Add(-3*s), ended, "it"
			f.number = max(f.number, 1)
			got := decide(c, f, classify(c, f))
			if got.verdict != tc.want || !strings.Contains(got.reason, tc.reason) {
				t.Fatalf("decided %+v, want %s because %q", got, tc.want, tc.reason)
			}
			if tc.want == retry {
				if diff := cmp.Diff(tc.wait, got.at.Sub(ended)); diff != "" {
					t.Error(diff)
				}
			}
			if permanent := strings.HasPrefix(got.reason, "permanent"); permanent != (got.hint != "") {
				t.Errorf("hint %q for %q", got.hint, got.reason)
			}
		})
	}
}

func complete(c *contract.Contract)     { c.Answers.Needs = "complete" }
func fromStart(c *contract.Contract)    { c.Schedule.MeasuredFrom = contract.FromStart }
func noErrors(c *contract.Contract)     { c.Answers.Errors = nil }
func noCap(c *contract.Contract)        { c.RetryAfter.Cap = 0 }
func secondsOnly(c *contract.Contract)  { c.RetryAfter.Forms = []string{formSeconds} }
func noRetryAfter(c *contract.Contract) { c.RetryAfter = nil }
func deadline(d time.Duration) func(*contract.Contract) {
	return func(c *contract.Contract) { c.Schedule.Deadline = d }
}

// Whatever an attempt led to: no attempt is placed after the deadline, before the wait's band, or beyond the attempts.
func TestNextKeepsTheBounds(t *testing.T) {
	c := bounded(t)
	rapid.Check(t, func(t *rapid.T) {
		f := facts{
			number:   rapid.IntRange(1, 8).Draw(t, "number"),
			accepted: accepted, failure: "it",
			status:     rapid.SampledFrom([]int{0, 101, 200, 302, 404, 429, 500, 599, 700}).Draw(t, "status"),
			kind:       rapid.SampledFrom([]string{"", contract.ErrorTimeout, contract.ErrorTLS, kindInterrupted}).Draw(t, "kind"),
			retryAfter: rapid.OneOf(rapid.StringMatching(`[0-9]{1,25}`), rapid.String()).Draw(t, "retryAfter"),
			draw:       rapid.Float64Range(0, 0.999999).Draw(t, "draw"),
		}
		f.start = accepted.Add(time.Duration(rapid.Int64Range(0, int64(2*time.Hour)).Draw(t, "start")))
		f.end = f.start.Add(time.Duration(rapid.Int64Range(0, int64(10*time.Second)).Draw(t, "took")))
		got := decide(c, f, classify(c, f))
		if got.verdict != retry {
			return
		}
		band := c.Schedule.Wait(f.number + 1)
		if f.number >= c.Schedule.Count() || got.at.After(accepted.Add(c.Schedule.Deadline)) || got.at.Before(f.end.Add(band.Min)) {
			t.Fatalf("%+v led to %+v", f, got)
		}
	})
}
