package mockreceiver

import (
	"math"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the series of one receiver, in a registry of its own, so that two receivers of a process do not mix.
type metrics struct {
	registry *prometheus.Registry

	attempts, bytes, retries, effects, signatures *prometheus.CounterVec

	unhandled, handshakes, copies                 prometheus.Counter
	troubles, journalFailures                     prometheus.Counter
	succeeded, failed, signed, badSignatures      prometheus.Counter
	request, acknowledge, groupSize, commitSecond prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	m.attempts = m.vec("attempts_total", "Attempts of senders that are over, by answer and by the fault that was acted out.", "endpoint", "status", "fault")
	m.bytes = m.vec("received_bytes_total", "Bytes of heads and bodies of these attempts.", "endpoint")
	m.retries = m.vec("retries_total", "Attempts that were not their event's first.", "endpoint")
	m.effects = m.vec("effects_total", "Business writes by what the database says they did.", "endpoint", "result")
	m.signatures = m.vec("signatures_total", "Attempts by what their signature is worth, at endpoints that verify.", "endpoint", "state")
	m.unhandled = m.counter("unhandled_requests_total", "Requests that are no attempt: to no endpoint, or with a head that was refused.")
	m.handshakes = m.counter("handshakes_total", "Requests by which a provider asked whether it may deliver, answered or refused.")
	m.copies = m.counter("copies_total", "Copies of requests that the receiver sent to itself.")
	m.troubles = m.counter("troubles_total", "Troubles on the receiver's side.")
	m.journalFailures = m.counter("journal_failures_total", "Groups of records that could not be written.")
	results := m.vec("attempt_results_total", "Attempts by whether they got a whole answer of 2xx.", "result")
	m.succeeded, m.failed = results.WithLabelValues("success"), results.WithLabelValues("failure")
	verified := m.vec("signature_results_total", "Attempts at endpoints that verify, by whether the signature is good and fresh.", "result")
	m.signed, m.badSignatures = verified.WithLabelValues("success"), verified.WithLabelValues("failure")
	m.request = m.histogram("request_seconds", "From the first byte of an attempt to the last of its answer.", latencies())
	m.acknowledge = m.histogram("acknowledge_seconds",
		"From the last byte of an attempt to the first of its answer, less the delay that was planned.", latencies())
	m.groupSize = m.histogram("journal_group_records", "Records that shared one transaction.", prometheus.ExponentialBuckets(1, 2, 10))
	m.commitSecond = m.histogram("journal_commit_seconds", "How long a transaction took.", latencies())
	return m
}

// latencies are bounds from what memory takes to what no sender waits for; 0.3 s is by when a good receiver has answered.
func latencies() []float64 {
	return []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 5, 10, 30}
}

// namespace opens the name of each series.
const namespace = "hookassay"

func (m *metrics) vec(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) histogram(name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
	m.registry.MustRegister(h)
	return h
}

// exposeGauges registers what is read when somebody asks.
func (r *Receiver) exposeGauges() {
	for _, g := range []struct {
		name, help string
		read       func() float64
	}{
		{"start_time_seconds", "Unix time at which counting began.", func() float64 { return float64(r.cfg.Started.UnixNano()) / 1e9 }},
		{"last_success_timestamp_seconds", "Unix time of the latest whole answer of 2xx to an attempt; that of the start if there was none.", r.lastSuccess},
		{"retry_backlog", "Events whose last attempt failed, and that are no dead letters yet.", func() float64 { return float64(r.meter.status(r.now(), r.cfg.RetryFor).Backlog) }},
		{"dead_letters", "Dead letters of the inbox, and events without a 2xx within the sender's window.", r.deadLetters},
		{"open_connections", "Open connections of senders.", func() float64 { return float64(r.conns.count()) }},
		{"open_requests", "Requests that are not over yet.", func() float64 { return float64(r.meter.open.Load()) }},
		{"body_bytes_in_flight", "Bytes of request bodies held in memory.", func() float64 { return float64(r.budget.used(r.cfg.MaxInFlight)) }},
		{"stream_readers", "Readers of the live stream of the control API.", func() float64 { return float64(r.streams.count()) }},
		{"endpoints", "Endpoints.", func() float64 { return float64(len(r.endpoints.list())) }},
		{"journal_writable", "1 if the journal can be written, 0 if not.", func() float64 { return truth(r.working() == nil) }},
	} {
		r.meter.metrics.registry.MustRegister(prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Namespace: namespace, Name: g.name, Help: g.help}, g.read))
	}
	r.meter.metrics.registry.MustRegister(inboxStates{r, prometheus.NewDesc(
		namespace+"_inbox_events", "Events in the inboxes, by state.", []string{"state"}, nil)})
	r.meter.metrics.registry.MustRegister(prometheus.NewCounterFunc(
		prometheus.CounterOpts{Namespace: namespace, Name: "lost_records_total", Help: "Records that could not be kept."},
		func() float64 { return float64(r.Lost()) }))
}

// deadLetters is no number where they cannot be counted: 0 would say that all is well.
func (r *Receiver) deadLetters() float64 {
	s := r.alarmStatus()
	if s.DeadLetters < 0 {
		return math.NaN()
	}
	return float64(s.DeadLetters + s.GivenUp)
}

// inboxStates reads the states of the inboxes when somebody asks.
type inboxStates struct {
	r    *Receiver
	desc *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (s inboxStates) Describe(descs chan<- *prometheus.Desc) { descs <- s.desc }

// Collect implements prometheus.Collector. What cannot be read is left out, and dead letters are no number then.
func (s inboxStates) Collect(out chan<- prometheus.Metric) {
	counts, err := s.r.inboxCounts(s.r.ctx, "")
	if err != nil {
		return
	}
	for state, n := range counts {
		out <- prometheus.MustNewConstMetric(s.desc, prometheus.GaugeValue, float64(n), string(state))
	}
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// lastSuccess is a gauge that begins at the start, so that a receiver which never got anything alarms as well.
func (r *Receiver) lastSuccess() float64 {
	at := max(r.meter.status(r.now(), 0).LastSuccess, 0)
	return float64(r.cfg.Started.Add(at).UnixNano()) / 1e9
}
