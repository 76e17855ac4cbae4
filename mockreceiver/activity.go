package mockreceiver

import (
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// activity knows which recorded requests are still without an outcome, and when each endpoint was last written about.
type activity struct {
	mu   sync.Mutex
	open map[int64]openRequest // by Seq; as many as there are requests in flight
	at   map[string]*endpointActivity
	last int64 // Seq of the last arrival, of an earlier run too
}

// openRequest is a request in flight.
type openRequest struct {
	endpoint, key string
	step          bool // it took a step of a plan
}

// endpointActivity is what is going on at one endpoint.
type endpointActivity struct {
	open int
	last time.Duration // offset of the last commit about it; 0: none in this run
}

// committed takes in a group that is on disk.
func (y *activity) committed(group []*job, now time.Duration) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.open == nil {
		y.open, y.at = map[int64]openRequest{}, map[string]*endpointActivity{}
	}
	for _, j := range group {
		if j.arrival != nil {
			y.open[j.arrival.Seq] = openRequest{j.arrival.Endpoint, j.arrival.Key, j.arrival.Handled()}
			y.last = j.arrival.Seq
			e := y.endpoint(j.arrival.Endpoint)
			e.open, e.last = e.open+1, now
		}
		switch rec := j.record.(type) {
		case *evidence.Outcome:
			y.ended(rec.Of, now)
		case *evidence.Effect:
			y.endpoint(rec.Endpoint).last = now
		}
	}
}

// lost ends the requests of a group whose outcome could not be written: nothing is in flight any more.
func (y *activity) lost(group []*job, now time.Duration) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, j := range group {
		if o, ok := j.record.(*evidence.Outcome); ok {
			y.ended(o.Of, now)
		}
	}
}

func (y *activity) ended(seq int64, now time.Duration) {
	was, ok := y.open[seq]
	if !ok {
		return // of a request that was forgotten by a reset
	}
	delete(y.open, seq)
	e := y.endpoint(was.endpoint)
	e.open, e.last = e.open-1, now
}

func (y *activity) endpoint(name string) *endpointActivity {
	e := y.at[name]
	if e == nil {
		e = &endpointActivity{}
		y.at[name] = e
	}
	return e
}

// of tells how many requests of an endpoint are without an outcome, and when something was last written about it.
func (y *activity) of(name string) endpointActivity {
	y.mu.Lock()
	defer y.mu.Unlock()
	if e := y.at[name]; e != nil {
		return *e
	}
	return endpointActivity{}
}

// openSteps counts the requests in flight that took a step and that q selects.
func (y *activity) openSteps(q journal.Query) (n int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	for seq, o := range y.open {
		if o.step && seq > q.After && (q.Before == 0 || seq < q.Before) && o.endpoint == q.Endpoint && (!q.ByKey || o.key == q.Key) {
			n++
		}
	}
	return n
}

// isOpen tells whether a request is in flight: recorded in this run, and without an outcome.
func (y *activity) isOpen(seq int64) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	_, ok := y.open[seq]
	return ok
}

func (y *activity) lastSeq() int64 {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.last
}

// enter counts a request at its endpoint from before its body is read.
func (x *exchange) enter(e *endpoint) {
	x.endpoint, x.inside = e, true
	e.inside.Add(1)
}

// left ends that when its outcome is on its way to disk.
func (x *exchange) left() {
	if x.inside {
		x.inside = false
		x.endpoint.inside.Add(-1)
		x.r.commits.watch.wake()
	}
}
