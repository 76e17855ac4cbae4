package mockreceiver

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hookassay/hookassay/harness/evidence"
)

// endpointMeter counts for one endpoint. Its counters are looked up once per combination of labels, since a lookup by
// labels costs more than all the rest.
type endpointMeter struct {
	m              *metrics
	name           string
	bytes, retries prometheus.Counter
	answers        sync.Map // answerLabels → prometheus.Counter
	effects        sync.Map // result → prometheus.Counter
	signatures     sync.Map // state → prometheus.Counter

	mu sync.Mutex
	// unsettled is the events with an attempt that came after their last success, by a hash of their key.
	unsettled map[uint64]unsettled
	recall    *backlogRecall // nil: nothing is being recalled
}

// unsettled is an event that is not delivered, or has come again since.
type unsettled struct {
	first  time.Duration // when the first of these attempts came
	failed bool          // one of them is over
}

// maxUnsettled bounds the events noted per endpoint: those of as many open requests as a machine bears in earnest, and far more
// than an alarm needs. Beyond it the backlog is at least so large.
const maxUnsettled = 4000

type answerLabels struct {
	class string
	fault string
}

func newEndpointMeter(m *metrics, name string) *endpointMeter {
	return &endpointMeter{
		m: m, name: name, unsettled: map[uint64]unsettled{},
		bytes: m.bytes.WithLabelValues(name), retries: m.retries.WithLabelValues(name),
	}
}

// attempt counts an attempt by how it was answered. The kinds of faults are a closed set, and so are the classes.
func (e *endpointMeter) attempt(a *evidence.Arrival, o *evidence.Outcome) {
	labels := answerLabels{statusClass(o.Status), o.Fault}
	counted(&e.answers, labels, func() prometheus.Counter {
		return e.m.attempts.WithLabelValues(e.name, labels.class, labels.fault)
	})
	e.bytes.Add(float64(int64(len(a.Head)) + a.BodySize))
	if a.Attempt > 1 {
		e.retries.Inc()
	}
}

func (e *endpointMeter) effect(result string) {
	counted(&e.effects, result, func() prometheus.Counter { return e.m.effects.WithLabelValues(e.name, result) })
}

func (e *endpointMeter) signature(state SignatureState) {
	counted(&e.signatures, state, func() prometheus.Counter { return e.m.signatures.WithLabelValues(e.name, string(state)) })
}

// counted adds one to the counter of those labels, and finds it the first time.
func counted[L comparable](m *sync.Map, labels L, find func() prometheus.Counter) {
	if c, ok := m.Load(labels); ok {
		c.(prometheus.Counter).Inc() //nolint:errcheck,forcetypeassert // nothing else is stored
		return
	}
	c := find()
	m.Store(labels, c)
	c.Inc()
}

// arrived notes that an event has an attempt.
func (e *endpointMeter) arrived(event uint64, at time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, known := e.unsettled[event]; !known && len(e.unsettled) < maxUnsettled {
		e.unsettled[event] = unsettled{first: at}
	}
}

// over notes how an attempt ended. A sender may have sent the next one before we get to note this one, and that one may
// have succeeded: then there is nothing left to fail.
func (e *endpointMeter) over(event uint64, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ok {
		delete(e.unsettled, event)
		e.recall.delivered(event)
	} else if u, known := e.unsettled[event]; known {
		u.failed = true
		e.unsettled[event] = u
	}
}

// failing counts the events that failed last: those that still may be retried, and, where the sender's window is known,
// those for which it is over.
func (e *endpointMeter) failing(now, window time.Duration) (waiting, dead int) {
	e.awaitRecall()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, u := range e.unsettled {
		switch {
		case !u.failed:
		case window > 0 && now-u.first > window:
			dead++
		default:
			waiting++
		}
	}
	return waiting, dead
}

// forget is for an endpoint that was reset: its counters stay, its events are no more.
func (e *endpointMeter) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.unsettled)
	if e.recall != nil {
		e.recall.void = true
	}
}

// statusClass is 2xx and the like; none where no status line was written.
func statusClass(status int) string {
	if status <= 0 {
		return "none"
	}
	if status > 999 { // a malformed answer can have any number
		return "other"
	}
	at := status / 100 * len("0xx")
	return "0xx1xx2xx3xx4xx5xx6xx7xx8xx9xx"[at : at+len("0xx")] // asked for each request, and not made anew
}
