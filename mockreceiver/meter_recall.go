package mockreceiver

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// recallRows bounds how many of an endpoint's latest requests tell its backlog after a restart: some 200 ms of reading, and as many as
// the backlog can have.
const recallRows = maxUnsettled

// backlogRecall goes on while an endpoint takes its first requests: nobody waits for it but who asks for the backlog.
type backlogRecall struct {
	done chan struct{}
	// since is the events delivered since it began: what is read of them is out of date. So many as come in its time.
	since map[uint64]bool
	void  bool // the endpoint was reset
}

// delivered is called under the meter's lock.
func (b *backlogRecall) delivered(event uint64) {
	if b != nil {
		b.since[event] = true
	}
}

// recallBacklog begins to note which events an earlier run left without a success. It is called before the endpoint gets requests,
// and ends with the receiver.
func (r *Receiver) recallBacklog(e *endpoint) {
	if !r.begin(&r.handlers) {
		return
	}
	before := r.LastSeq() + 1
	b := &backlogRecall{done: make(chan struct{}), since: map[uint64]bool{}}
	e.meter.mu.Lock()
	e.meter.recall = b
	e.meter.mu.Unlock()
	go func() {
		defer r.handlers.Done()
		defer close(b.done)
		left, err := r.undelivered(e.Name, before)
		if err != nil && r.ctx.Err() == nil {
			r.trouble("", "recall what was not delivered: "+err.Error())
		}
		e.meter.recalled(b, left)
	}()
}

// undelivered reads when the events without a success were first sent, by the hashes of their keys, from the latest requests below
// a number.
func (r *Receiver) undelivered(endpoint string, before int64) (map[uint64]time.Duration, error) {
	const page = 500 // heads of 2 KiB, which few requests have, are a megabyte
	events := map[string]*recalledEvent{}
	for range recallRows / page {
		rows, err := r.journal.Attempts(r.ctx, journal.Query{Endpoint: endpoint, Before: before, Newest: true, Limit: page, MaxBody: -1})
		if err != nil {
			return nil, err
		}
		for i := range rows {
			before = rows[i].Seq
			recallAttempt(events, &rows[i])
		}
		if len(rows) < page {
			break
		}
	}
	now, left := time.Now(), map[uint64]time.Duration{}
	for key, event := range events {
		if !event.first.IsZero() {
			left[r.meter.hash(key)] = r.now() - now.Sub(event.first)
		}
	}
	return left, nil
}

// recalled notes what was recalled and is still so.
func (e *endpointMeter) recalled(b *backlogRecall, left map[uint64]time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for event, first := range left {
		_, known := e.unsettled[event]
		if !known && !b.since[event] && !b.void && len(e.unsettled) < maxUnsettled {
			e.unsettled[event] = unsettled{first: first, failed: true}
		}
	}
	if e.recall == b {
		e.recall = nil
	}
}

// awaitRecall returns when nothing is being recalled any more.
func (e *endpointMeter) awaitRecall() {
	e.mu.Lock()
	b := e.recall
	e.mu.Unlock()
	if b != nil {
		<-b.done
	}
}

// recalledEvent is an event as its latest requests have it.
type recalledEvent struct {
	settled bool      // a success was met; what was before it does not matter
	first   time.Time // the oldest attempt after the last success; zero: there is none
}

// recallAttempt takes in one request; they come newest first. One whose outcome is unknown is a success if the business side has its
// event.
func recallAttempt(left map[string]*recalledEvent, a *journal.Attempt) {
	if !a.Handled() || a.Origin == evidence.OriginHarness {
		return
	}
	event := left[a.Key]
	if event == nil {
		event = &recalledEvent{}
		left[a.Key] = event
	}
	switch o := a.Outcome; {
	case event.settled:
	case o != nil && succeeded(o), o == nil && a.Effect != nil && a.Effect.Dedupe:
		event.settled = true
	default:
		event.first = a.Wall
	}
}
