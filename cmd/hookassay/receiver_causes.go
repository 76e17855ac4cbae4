package main

import (
	"strings"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// causeLog says below the line of a request why its signature does not verify. Looking for that costs up to a few hundred digests, and
// whoever observes a receiver must not hold it up, so it is done beside it. What comes faster than that is counted.
type causeLog struct {
	log *receiverLog

	mu      sync.Mutex
	waiting map[int64]*evidence.Arrival // recorded, and not yet answered
	held    int64                       // bytes of them and of those in the queue
	missed  int
	queue   chan *evidence.Arrival
	over    bool
	done    sync.WaitGroup
}

const (
	// maxCauses is how many requests wait to be looked into: more lines at once nobody reads.
	maxCauses = 100
	// maxCauseBytes bounds their bodies: a diagnosis serialises none above 1 MiB anew.
	maxCauseBytes = 8 << 20
)

func newCauseLog(log *receiverLog) *causeLog {
	c := &causeLog{log: log, waiting: map[int64]*evidence.Arrival{}, queue: make(chan *evidence.Arrival, maxCauses)}
	log.causes = c
	return c
}

// begin starts to look into requests, until end.
func (c *causeLog) begin(r *mockreceiver.Receiver) {
	c.done.Go(func() {
		verifies := false
		for a := range c.queue {
			if c.say(r, a) {
				verifies = true
			}
			if missed := c.looked(a); verifies && missed > 0 {
				_ = c.log.say("    signatures of %s were not looked into, since too many came at once; the console shows them", number(missed, "request"))
			}
		}
	})
}

// looked forgets a request. Once none waits it returns how many were missed, and counts anew.
func (c *causeLog) looked(a *evidence.Arrival) (missed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held -= int64(len(a.Body))
	if len(c.queue) == 0 {
		missed, c.missed = c.missed, 0
	}
	return missed
}

// end waits for what was begun. Nothing more is taken then.
func (c *causeLog) end() {
	c.mu.Lock()
	c.over = true
	close(c.queue)
	c.mu.Unlock()
	c.done.Wait()
}

// arrived keeps a request until it is answered.
func (c *causeLog) arrived(a *evidence.Arrival) {
	if c == nil || a.Endpoint == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) >= maxCauses || c.held+int64(len(a.Body)) > maxCauseBytes {
		c.missed++
		return
	}
	c.held += int64(len(a.Body))
	c.waiting[a.Seq] = a
}

// answered hands a request over whose line was printed.
func (c *causeLog) answered(seq int64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.waiting[seq]
	if !ok || c.over {
		return
	}
	delete(c.waiting, seq)
	select {
	case c.queue <- a:
	default:
		c.held -= int64(len(a.Body))
		c.missed++
	}
}

// say prints why a signature does not verify: also a missing or stale one, and no good one. It tells whether one is expected at all.
func (c *causeLog) say(r *mockreceiver.Receiver, a *evidence.Arrival) bool {
	state := r.Signature(a).State
	if state == mockreceiver.SignatureUnchecked {
		return false
	}
	if state == mockreceiver.SignatureVerified {
		return true
	}
	f, ok := r.Diagnose(a)
	if !ok {
		return true // nothing is verified any more
	}
	why := printable(f.Detail)
	if !f.OK() {
		why = string(f.Reason) + ": " + why
	}
	if len(f.Causes) > 0 {
		why += " (" + strings.Join(f.Causes, ", ") + ")"
	}
	_ = c.log.say("    signature of #%d: %s", a.Seq, why)
	return true
}
