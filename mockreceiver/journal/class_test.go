package journal_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// seen is a request that arrived at an offset, in milliseconds, on a connection, as its n-th request.
func seen(seq, ms, conn int64, n int) *journal.Attempt {
	at := time.Duration(ms) * time.Millisecond
	return &journal.Attempt{Arrival: evidence.Arrival{
		Seq: seq, Endpoint: "e", Key: "k", Attempt: int(seq), Wall: noon.Add(at), FirstByte: at,
		Conn: evidence.Conn{ID: conn, Request: n}, Head: evidence.Raw("POST / HTTP/1.1\r\n\r\n"), BodySize: 2, BodySHA256: "aa",
	}}
}

// answered gives it an answer that begins and ends at offsets in milliseconds.
func answered(a *journal.Attempt, status int, ms int64) *journal.Attempt {
	at := time.Duration(ms) * time.Millisecond
	a.Outcome = &evidence.Outcome{Status: status, End: evidence.EndComplete, ReplyStart: at, ReplyEnd: at}
	return a
}

// ended gives it an end without an answer.
func ended(a *journal.Attempt, how string, ms int64) *journal.Attempt {
	a.Outcome = &evidence.Outcome{End: how, Closed: time.Duration(ms) * time.Millisecond}
	return a
}

func effect(a *journal.Attempt, result string) *journal.Attempt {
	a.Effect = &evidence.Effect{Result: result}
	return a
}

func from(a *journal.Attempt, change func(*journal.Attempt)) *journal.Attempt {
	change(a)
	return a
}

// keyed and get are requests that say that sending them twice is safe.
func keyed(a *journal.Attempt) *journal.Attempt {
	a.Head = evidence.Raw("POST / HTTP/1.1\r\nidempotency-key: k\r\n\r\n")
	return a
}

func get(a *journal.Attempt) *journal.Attempt {
	a.Head = evidence.Raw("GET / HTTP/1.1\r\n\r\n")
	return a
}

func TestClassify(t *testing.T) {
	reset := func() *journal.Attempt { return ended(seen(1, 0, 1, 2), evidence.EndReset, 10) }
	http2 := func(notProcessed bool) *journal.Attempt {
		return from(ended(seen(1, 0, 1, 1), evidence.EndReset, 10), func(a *journal.Attempt) {
			a.Outcome.NotProcessed, a.Conn.Stream = notProcessed, 1
		})
	}
	for name, tc := range map[string]struct {
		a       *journal.Attempt
		earlier []*journal.Attempt // newest first
		want    journal.Class
		of      int64
	}{
		"nothing before":              {seen(1, 0, 1, 1), nil, journal.First, 0},
		"after a failure":             {seen(2, 1000, 2, 1), []*journal.Attempt{answered(seen(1, 0, 1, 1), 502, 10)}, journal.Retry, 1},
		"after a timeout":             {seen(2, 1000, 2, 1), []*journal.Attempt{ended(seen(1, 0, 1, 1), evidence.EndPeerGone, 1000)}, journal.Retry, 1},
		"earlier ones are gone":       {seen(3, 1000, 2, 1), nil, journal.Retry, 0},
		"lost when the receiver died": {seen(2, 1000, 2, 1), []*journal.Attempt{seen(1, 0, 1, 1)}, journal.Retry, 1},
		"after success":               {seen(2, 1000, 2, 1), []*journal.Attempt{answered(seen(1, 0, 1, 1), 204, 10)}, journal.DuplicateAfterSuccess, 1},
		"after success and a failure": {
			seen(3, 2000, 2, 1),
			[]*journal.Attempt{answered(seen(2, 1000, 1, 2), 502, 1010), answered(seen(1, 0, 1, 1), 200, 10)},
			journal.DuplicateAfterSuccess, 1,
		},
		"after a 2xx that was cut": {
			seen(2, 1000, 2, 1),
			[]*journal.Attempt{from(answered(seen(1, 0, 1, 1), 200, 10), func(a *journal.Attempt) {
				a.Outcome.End = evidence.EndReset
			})},
			journal.Retry, 1,
		},
		"after a lost answer": {
			seen(2, 1000, 2, 1),
			[]*journal.Attempt{effect(ended(seen(1, 0, 1, 1), evidence.EndReset, 10), evidence.EffectCommitted)},
			journal.DuplicateAfterSuccess, 1,
		},
		"after a rollback": {
			seen(2, 1000, 2, 1),
			[]*journal.Attempt{effect(answered(seen(1, 0, 1, 1), 500, 10), evidence.EffectRolledBack)},
			journal.Retry, 1,
		},
		"while one is open":             {seen(12, 5, 2, 1), []*journal.Attempt{seen(11, 0, 1, 1)}, journal.ConcurrentDuplicate, 11},
		"while one was open":            {seen(2, 5, 2, 1), []*journal.Attempt{answered(seen(1, 0, 1, 1), 200, 50)}, journal.ConcurrentDuplicate, 1},
		"while one hung that gave up":   {seen(2, 5, 2, 1), []*journal.Attempt{ended(seen(1, 0, 1, 1), evidence.EndReset, 900)}, journal.ConcurrentDuplicate, 1},
		"its hang-up was seen late":     {seen(2, 5, 2, 1), []*journal.Attempt{ended(seen(1, 0, 1, 1), evidence.EndPeerGone, 100)}, journal.Retry, 1},
		"open, and another was success": {seen(12, 100, 2, 1), []*journal.Attempt{seen(11, 50, 1, 1), answered(seen(1, 0, 1, 1), 200, 10)}, journal.DuplicateAfterSuccess, 1},

		"the library's resend":          {seen(2, 11, 2, 1), []*journal.Attempt{reset()}, journal.TransportReplay, 1},
		"at the end of the allowance":   {seen(2, 20, 2, 1), []*journal.Attempt{reset()}, journal.TransportReplay, 1},
		"past the allowance":            {seen(2, 21, 2, 1), []*journal.Attempt{reset()}, journal.Retry, 1},
		"an honest retry loop of 20 ms": {seen(2, 30, 2, 1), []*journal.Attempt{reset()}, journal.Retry, 1},
		"a safe one on a busy machine":  {keyed(seen(2, 260, 2, 1)), []*journal.Attempt{keyed(reset())}, journal.TransportReplay, 1},
		"a safe one past the allowance": {keyed(seen(2, 261, 2, 1)), []*journal.Attempt{keyed(reset())}, journal.Retry, 1},
		"GET on a busy machine":         {get(seen(2, 260, 2, 1)), []*journal.Attempt{get(reset())}, journal.TransportReplay, 1},
		"GOAWAY on a busy machine":      {seen(2, 260, 2, 1), []*journal.Attempt{http2(true)}, journal.TransportReplay, 1},
		"a fresh connection was reset":  {seen(2, 11, 2, 1), []*journal.Attempt{ended(seen(1, 0, 1, 1), evidence.EndReset, 10)}, journal.Retry, 1},
		"on the same connection":        {seen(2, 11, 1, 3), []*journal.Attempt{reset()}, journal.Retry, 1},
		"we did not end it":             {seen(2, 11, 2, 1), []*journal.Attempt{ended(seen(1, 0, 1, 2), evidence.EndPeerGone, 10)}, journal.Retry, 1},
		"a byte of an answer was sent":  {seen(2, 11, 2, 1), []*journal.Attempt{from(reset(), func(a *journal.Attempt) { a.Outcome.ReplyStart = 9 * time.Millisecond })}, journal.Retry, 1},
		"another signature":             {from(seen(2, 11, 2, 1), func(a *journal.Attempt) { a.Head = append(a.Head, ' ') }), []*journal.Attempt{reset()}, journal.Retry, 1},
		"another body":                  {from(seen(2, 11, 2, 1), func(a *journal.Attempt) { a.BodySHA256 = "bb" }), []*journal.Attempt{reset()}, journal.Retry, 1},
		"after GOAWAY":                  {seen(2, 11, 2, 1), []*journal.Attempt{http2(true)}, journal.TransportReplay, 1},
		"after REFUSED_STREAM":          {seen(2, 11, 1, 2), []*journal.Attempt{http2(true)}, journal.TransportReplay, 1},
		"after another reset of HTTP/2": {seen(2, 11, 2, 1), []*journal.Attempt{http2(false)}, journal.Retry, 1},
		"a resend that was committed":   {seen(3, 1000, 3, 1), []*journal.Attempt{answered(seen(2, 11, 2, 1), 200, 12), reset()}, journal.DuplicateAfterSuccess, 2},
		"the resend after a copy":       {seen(3, 12, 2, 1), []*journal.Attempt{from(seen(2, 11, 9, 1), func(a *journal.Attempt) { a.Attempt, a.Origin = 0, evidence.OriginHarness }), reset()}, journal.TransportReplay, 1},
		"only copies of ours before it": {seen(1, 1000, 2, 1), []*journal.Attempt{effect(from(answered(seen(9, 0, 9, 1), 200, 1), func(a *journal.Attempt) { a.Attempt, a.Origin = 0, evidence.OriginHarness }), evidence.EffectCommitted)}, journal.First, 0},

		"older than what is there": {effect(seen(1, 0, 1, 1), evidence.EffectSuperseded), nil, journal.Reordered, 0},
		"our own copy":             {from(seen(2, 0, 1, 1), func(a *journal.Attempt) { a.Attempt, a.Origin = 0, evidence.OriginHarness }), []*journal.Attempt{reset()}, journal.Injected, 0},
		"no attempt":               {from(seen(2, 0, 1, 1), func(a *journal.Attempt) { a.Attempt = 0 }), []*journal.Attempt{reset()}, journal.Unhandled, 0},
	} {
		var earlier []journal.Attempt
		for _, e := range tc.earlier {
			earlier = append(earlier, *e)
		}
		got := journal.Classify(tc.a, earlier, func(seq int64) bool { return seq > 10 })
		if got.Class != tc.want || got.Of != tc.of {
			t.Errorf("%s: got %+v, want %s of %d", name, got, tc.want, tc.of)
		}
	}
}

// TestClassesOfAnyHistory holds for requests of any kind: each has one known class, one request without earlier ones of the
// sender is never called one more, and what was not answered at its arrival is never called a success before it.
func TestClassesOfAnyHistory(t *testing.T) {
	request := rapid.Custom(func(t *rapid.T) *journal.Attempt {
		a := seen(rapid.Int64Range(1, 50).Draw(t, "seq"), rapid.Int64Range(0, 500).Draw(t, "at"),
			rapid.Int64Range(1, 3).Draw(t, "conn"), rapid.IntRange(1, 2).Draw(t, "request"))
		at := a.FirstByte.Milliseconds() + rapid.Int64Range(0, 300).Draw(t, "took")
		switch rapid.IntRange(0, 3).Draw(t, "end") {
		case 0:
			answered(a, rapid.SampledFrom([]int{200, 502}).Draw(t, "status"), at)
		case 1:
			ended(a, rapid.SampledFrom([]string{evidence.EndReset, evidence.EndClosed, evidence.EndPeerGone, evidence.EndShutdown}).Draw(t, "how"), at)
		case 2:
			a.Attempt = 0
		}
		if rapid.Bool().Draw(t, "copied") {
			a.Attempt, a.Origin = 0, evidence.OriginHarness
		}
		return a
	})
	rapid.Check(t, func(t *rapid.T) {
		a := request.Draw(t, "a")
		var earlier []journal.Attempt
		own := 0
		bySeq := map[int64]*journal.Attempt{}
		for _, e := range rapid.SliceOfN(request, 0, 5).Draw(t, "earlier") {
			earlier = append(earlier, *e)
			bySeq[e.Seq] = e
			if e.Handled() && e.Origin == "" {
				own++
			}
		}
		got := journal.Classify(a, earlier, func(int64) bool { return rapid.Bool().Draw(t, "open") })
		known := false
		for _, c := range journal.Classes() {
			known = known || c == got.Class
		}
		switch {
		case !known:
			t.Fatalf("class %q is not in the list", got.Class)
		case got.Class == journal.Injected != (a.Origin == evidence.OriginHarness):
			t.Fatalf("%+v is %s", a.Arrival, got.Class)
		case own == 0 && got.Of != 0:
			t.Fatalf("%s of %d, and there is nothing before it", got.Class, got.Of)
		case got.Of != 0 && bySeq[got.Of] == nil:
			t.Fatalf("%s of %d, which was not given", got.Class, got.Of)
		}
		if got.Class == journal.DuplicateAfterSuccess {
			if e := bySeq[got.Of]; e.Outcome == nil || e.Wall.Add(e.Outcome.ReplyStart-e.FirstByte).After(a.Wall) && e.Outcome.ReplyStart > 0 {
				// Numbers may repeat in what rapid draws; one of that number must do.
				for i := range earlier {
					if o := earlier[i].Outcome; earlier[i].Seq == got.Of && o != nil && !earlier[i].Wall.Add(o.ReplyStart-earlier[i].FirstByte).After(a.Wall) {
						return
					}
				}
				t.Fatalf("%d was not answered when %d came", got.Of, a.Seq)
			}
		}
	})
}
