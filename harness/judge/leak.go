package judge

import (
	"net/url"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// "Idle connections to one endpoint are kept so many at most, and so long": as they were counted once the endpoint was quiet.
func netLeak(v *view) Verdict {
	t := &tally{v: v}
	for _, a := range v.acts {
		if a.Act != evidence.ActCount || !a.OK() {
			continue
		}
		if r, ok := v.rest(t, a); ok {
			v.fewEnough(t, r)
			v.shortEnough(t, r)
		}
	}
	return t.sum("the open connections had settled at the declared bound (judgements: %d)", "open connections were not counted")
}

// rest is an endpoint's address at a time when nothing is going on there.
type rest struct {
	count     *evidence.Act
	endpoints int                     // that are registered with the address
	requests  int                     // that had come
	since     time.Duration           // when the last of them ended
	used      map[int64]time.Duration // by connection: when its last request ended
	record    map[int64]int           // and the record of that request
}

// rest finds what had come to the address whose connections were counted. ok is false where something was still going on.
func (v *view) rest(t *tally, count *evidence.Act) (r rest, ok bool) {
	ep := v.endpoint(count.Endpoint)
	if ep == nil {
		return r, false
	}
	u, err := url.Parse(ep.URL)
	if err != nil {
		return r, false
	}
	r = rest{count: count, used: map[int64]time.Duration{}, record: map[int64]int{}}
	seen := map[string]bool{}
	for i := range v.t.run.Endpoints {
		e := &v.t.run.Endpoints[i]
		if at, err := url.Parse(e.URL); err == nil && at.Host == u.Host && !seen[e.Name] {
			seen[e.Name] = true
			r.endpoints++
		}
	}
	for i := range v.t.run.Attempts {
		a := &v.t.run.Attempts[i]
		if !seen[a.Endpoint] || a.FirstByte > count.Called || a.Origin == evidence.OriginHarness {
			continue
		}
		end := (&request{a: a}).latestEnd()
		if a.Outcome == nil || end > count.Called {
			t.doubt([]int{count.N, a.N}, "connections were counted at %s while a request of %s was still being answered", dur(count.Called), dur(a.FirstByte))
			return r, false
		}
		r.requests++
		r.since = max(r.since, end)
		r.used[a.Conn.ID], r.record[a.Conn.ID] = max(r.used[a.Conn.ID], end), a.N
	}
	return r, true
}

// records cites the count and the last requests of connections.
func (r rest) records(open []evidence.OpenConn) []int {
	out := []int{r.count.N}
	for _, c := range open {
		if n := r.record[c.ID]; n != 0 {
			out = append(out, n)
		}
	}
	return out
}

// fewEnough judges how many connections were open.
func (v *view) fewEnough(t *tally, r rest) {
	each := v.t.c.Network.IdleConnections
	most, open := each*r.endpoints, len(r.count.Open)
	quiet := r.count.Called - r.since
	switch {
	case each == 0:
	case r.requests <= most:
		t.skip(r.records(nil), "%s came before the connections were counted, which cannot keep more than %d open", num(r.requests)+" "+plural(r.requests, "request"), most)
	case quiet <= v.t.allowance:
		t.skip(r.records(nil), "connections were counted %s after the last request ended, within the allowance", dur(quiet))
	case open > most:
		t.failBy(span{r.since, r.count.Called}, quiet-v.t.allowance, r.records(r.count.Open),
			"%d connections were open at %s, %s after the last request ended; promised at most %d", open, dur(r.count.Called), dur(quiet), most)
	default:
		t.hold(r.records(r.count.Open)...)
	}
}

// shortEnough judges for how long the open connections had carried nothing.
func (v *view) shortEnough(t *tally, r rest) {
	most := v.t.c.Network.IdleTimeout
	if most == 0 {
		return
	}
	if r.requests == 0 || r.count.Called-r.since <= most+v.t.allowance {
		t.skip(r.records(nil), "connections were counted before any that had carried a request was due to be closed")
		return
	}
	var old []evidence.OpenConn
	var longest time.Duration // for which one of them was idle
	for _, c := range r.count.Open {
		if idle := r.count.Called - max(r.used[c.ID], c.Opened); idle > most+v.t.allowance {
			old = append(old, c)
			longest = max(longest, idle)
		}
	}
	if len(old) == 0 {
		t.hold(r.count.N)
		return
	}
	t.failBy(span{r.count.Called - longest, r.count.Called}, longest-most-v.t.allowance, r.records(old),
		"%d %s still open at %s, %s after the last request of the longest unused had ended; promised to be closed after %s", len(old), areConnections(len(old)),
		dur(r.count.Called), dur(longest), dur(most))
}

func areConnections(n int) string {
	if n == 1 {
		return "connection was"
	}
	return "connections were"
}

func needLeak(t *trial) string {
	n := t.c.Network
	return unless(n != nil && (n.IdleConnections > 0 || n.IdleTimeout > 0), "bound of idle connections")
}
