package mockreceiver

import (
	"hash/maphash"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/alarm"
)

// meter counts what the receiver does, for the metrics and the alarms. A request costs it a few atomic additions and two
// short locks; whatever can be read when somebody asks is not counted at all.
type meter struct {
	metrics *metrics
	seed    maphash.Seed

	mu          sync.Mutex
	endpoints   map[string]*endpointMeter
	counts      alarm.Series
	lastSuccess time.Duration

	open    atomic.Int64 // requests that are not settled yet
	journal journalHealth
}

func newMeter() *meter {
	return &meter{metrics: newMetrics(), seed: maphash.MakeSeed(), endpoints: map[string]*endpointMeter{}, lastSuccess: -1}
}

const (
	// maxMetered bounds the endpoints that have series of their own: a scenario has one, and a suite some forty.
	maxMetered = 100
	// Labels in brackets, so that no usual name of an endpoint is one of them.
	otherEndpoints = "(other)"
	noEndpoint     = "(none)"
)

// endpoint returns the counters of an endpoint. They outlive it, as counters must not go backwards.
func (m *meter) endpoint(name string) *endpointMeter {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case name == "":
		name = noEndpoint
	case m.endpoints[name] == nil && len(m.endpoints) >= maxMetered:
		name = otherEndpoints
	}
	if m.endpoints[name] == nil {
		m.endpoints[name] = newEndpointMeter(m.metrics, name)
	}
	return m.endpoints[name]
}

// arrived notes a request for which a step was chosen.
func (m *meter) arrived(x *exchange) {
	if x.endpoint != nil && x.arrival.Handled() {
		x.endpoint.meter.arrived(m.hash(x.arrival.Key), x.arrival.FirstByte)
	}
}

// settled counts a request that is over.
func (m *meter) settled(x *exchange) {
	e, a, o := x.endpoint, x.arrival, &x.out
	switch {
	case a.Origin == evidence.OriginHarness:
		m.metrics.copies.Inc()
		return
	case a.Handshake != "":
		m.metrics.handshakes.Inc()
		return
	case e == nil || !a.Handled():
		m.metrics.unhandled.Inc()
		return
	}
	e.meter.attempt(a, o)
	counts := m.signature(e.meter, x.signature.State)
	if o.ReplyStart > 0 {
		m.metrics.request.Observe((max(o.ReplyEnd, o.ReplyStart) - a.FirstByte).Seconds())
		if a.BodyEnd > 0 {
			m.metrics.acknowledge.Observe(max(o.ReplyStart-a.BodyEnd-o.Delay, 0).Seconds())
		}
	}
	ok := succeeded(o)
	e.meter.over(m.hash(a.Key), ok)
	if ok {
		counts.Successes = 1
		m.metrics.succeeded.Inc()
	} else {
		counts.Failures = 1
		m.metrics.failed.Inc()
	}
	now := x.r.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.Add(now, counts)
	if ok {
		m.lastSuccess = now
	}
}

// signature counts what was found of a signature, if the endpoint verifies.
func (m *meter) signature(e *endpointMeter, state SignatureState) alarm.Counts {
	if state == SignatureUnchecked {
		return alarm.Counts{}
	}
	e.signature(state)
	if state == SignatureVerified {
		m.metrics.signed.Inc()
		return alarm.Counts{}
	}
	m.metrics.badSignatures.Inc()
	return alarm.Counts{BadSignatures: 1}
}

// succeeded tells whether a sender could know that its event was received: it got a whole answer of 2xx.
func succeeded(o *evidence.Outcome) bool {
	return o.End == evidence.EndComplete && o.Status >= http.StatusOK && o.Status < http.StatusMultipleChoices
}

func (m *meter) hash(key string) uint64 { return maphash.String(m.seed, key) }

// observe counts what went through the journal and is not part of a request's own way.
func (m *meter) observe(rec evidence.Record) {
	switch rec := rec.(type) {
	case *evidence.Effect:
		m.endpoint(rec.Endpoint).effect(rec.Result)
	case *evidence.Trouble:
		m.metrics.troubles.Inc()
	}
}

// status is what the alarms go by.
func (m *meter) status(now, window time.Duration) alarm.Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	counts := m.counts
	s := alarm.Status{Now: now, LastSuccess: m.lastSuccess, Counts: &counts}
	for _, e := range m.endpoints {
		waiting, dead := e.failing(now, window)
		s.Backlog += waiting
		s.GivenUp += dead
	}
	return s
}
