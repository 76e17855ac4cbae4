package refsender

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
)

// Sender is a running reference sender. Its methods are safe for concurrent use.
type Sender struct {
	c        *contract.Contract // as followed, which a defect may have changed
	defect   defect
	variant  variant
	scheme   *signature.Scheme // nil if the contract promises no signature
	envelope *envelope
	store    *store
	queue    *queue
	client   *http.Transport
	log      *slog.Logger
	out      io.Writer // that log writes to
	run      string    // this run's name, which its leases carry

	// gate is held by an attempt from its claim until its request starts (read), and by a change of an endpoint (write), so
	// that no request starts by what the change has made old once it is answered.
	gate sync.RWMutex

	randMu sync.Mutex
	rand   *rand.Rand

	stopping atomic.Bool
	halted   chan struct{} // closed when stopping begins
	late     effects       // for a variant
	past     sync.Map      // headers and bodies of first attempts by event and endpoint, for a defect
}

// delivery is the duty to bring one event to one endpoint, while it is open.
type delivery struct {
	event, endpoint string
	accepted        time.Time // with monotonic reading
	due             time.Time // with monotonic reading
	made            int       // attempts made so far, of all rounds
	trigger         string
	failure         string        // of the latest failed attempt, for people; empty if none
	reason          string        // a replay's
	fallback        string        // the state to return to if a replay fails
	round           int           // how many replays were asked for, this one included
	signed          http.Header   // of the first attempt, for a defect
	signedBody      []byte        // of the first attempt, where the scheme has something in it, for a defect
	key             string        // for a defect
	slept           time.Duration // the wait before the attempt to come, for a variant
	chain           string        // what must be delivered in order has it in common; empty for none
	shared          string        // a lane of one worker that it has in common with other endpoints, for a defect

	held    bool      // its endpoint is disabled; due is then when to look again
	planned time.Time // due before it was held
	wakings int       // of the queue when the latest attempt was started
}

// retries tells whether the next attempt is a retry of the schedule.
func (d *delivery) retries() bool { return d.trigger == triggerSchedule && d.made > 0 }

// lane names the deliveries that share a limit of requests in flight: those of its endpoint.
func (d *delivery) lane() string {
	if d.shared != "" {
		return d.shared
	}
	return d.endpoint
}

// holdMax is how long a held delivery without a deadline sleeps before it looks again. Nothing depends on it: an endpoint that
// is enabled wakes what was held.
const holdMax = time.Hour

// hold makes the delivery wait until its endpoint is enabled, or until its deadline, whichever is first.
func (d *delivery) hold(now time.Time, limit time.Duration) {
	if !d.held {
		d.held, d.planned = true, d.due
	}
	d.due = now.Add(holdMax)
	if past := d.accepted.Add(limit + time.Millisecond); d.trigger == triggerSchedule && limit > 0 && past.Before(d.due) {
		d.due = past // a millisecond after the deadline, when it is certain that no attempt may start
	}
}

// release ends the hold.
func (d *delivery) release(now time.Time) {
	d.held, d.due = false, d.planned
	if d.due.Before(now) {
		d.due = now
	}
}

// New opens the database, takes up what an earlier run left, and starts to send. The caller must call Stop.
func New(cfg Config) (*Sender, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	d, err := findDefect(cfg.Defect)
	if err != nil {
		return nil, err
	}
	v, err := findVariant(cfg.Variant)
	if err != nil {
		return nil, err
	}
	if cfg.Log != nil {
		cfg.Log = &lockedWriter{w: cfg.Log}
	}
	s := &Sender{c: d.contract(cfg.Contract), defect: d, variant: v, log: cfg.logger(), out: cfg.Log, run: newID("run_"), halted: make(chan struct{})}
	if s.scheme, err = cfg.scheme(); err != nil {
		return nil, err
	}
	if err := s.fits(); err != nil {
		return nil, err
	}
	if s.envelope, err = newEnvelope(cfg.Contract, d); err != nil {
		return nil, err
	}
	s.rand = rand.New(rand.NewPCG(cfg.Seed, 0))
	if s.client, err = cfg.transport(d, v); err != nil {
		return nil, err
	}
	if s.store, err = open(cfg.DB); err != nil {
		return nil, err
	}
	open, err := s.recover()
	if err != nil {
		return nil, fmt.Errorf("take up the deliveries of %s: %w", cfg.DB, errors.Join(err, s.store.close()))
	}
	s.queue = newQueue(cfg.workers(), d.perEndpoint(cfg.perEndpoint(), cfg.workers()), d.room(), v, s.attempt)
	for _, dl := range open {
		s.enqueue(dl)
	}
	return s, nil
}

// Stop takes no more events, lets the requests in flight end, which takes at most the contract's timeout, and closes the
// database. What is pending stays there for the next run. The Handler answers 503 from then on. Call it once.
func (s *Sender) Stop() error {
	s.drain()
	return s.close()
}

func (s *Sender) drain() {
	s.stopping.Store(true)
	close(s.halted)
	s.queue.stop()
	s.client.CloseIdleConnections()
}

func (s *Sender) close() error {
	err := s.store.write(func(t *tx) error { return t.exec("UPDATE life SET clean = 1") })
	if err = errors.Join(err, s.store.close()); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// change commits a change of an endpoint. Every request that starts after it has returned heeds the change.
func (s *Sender) change(do func(*tx) error) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	return s.store.write(do)
}

func (s *Sender) enqueue(d *delivery) {
	if s.defect.sends() {
		s.queue.add(d)
	}
}

// random returns a number in [0, 1).
func (s *Sender) random() float64 {
	s.randMu.Lock()
	defer s.randMu.Unlock()
	return s.rand.Float64()
}
