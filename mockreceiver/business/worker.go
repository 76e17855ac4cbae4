package business

import (
	"errors"
	"fmt"
	"time"
)

// State is where an event stands in an inbox.
type State string

// The states. Completed means that a call of the external effect has succeeded, and Dead that nobody tries any more.
const (
	Pending    State = "pending"
	Processing State = "processing"
	Completed  State = "completed"
	Dead       State = "dead"
)

// States returns all states.
func States() []State { return []State{Pending, Processing, Completed, Dead} }

// Worker says how the events of an inbox are handled. The zero value works.
type Worker struct {
	// Tries is how often an event is tried before it is a dead letter. 0: 5.
	Tries int
	// Backoff is the wait after the first failed try; it doubles with each, up to MaxBackoff. 0: 1 s and 5 min.
	Backoff, MaxBackoff time.Duration
	// Timeout bounds one try. 0: 30 s, as long as a slow API takes.
	Timeout time.Duration
	// FailFirst makes so many tries of each event fail on purpose, before the effect is called; negative: all of them.
	FailFirst int
}

const (
	defaultTries      = 5 // with the default backoff they span 15 s
	defaultBackoff    = time.Second
	defaultMaxBackoff = 5 * time.Minute
	defaultTimeout    = 30 * time.Second
)

// WithDefaults fills in what is 0 and refuses what makes no sense.
func (w Worker) WithDefaults() (Worker, error) {
	if w.Tries < 0 || w.Backoff < 0 || w.MaxBackoff < 0 || w.Timeout < 0 {
		return w, errors.New("worker: want no number and no duration below zero, except to fail for ever")
	}
	if w.Tries == 0 {
		w.Tries = defaultTries
	}
	for d, unset := range map[*time.Duration]time.Duration{
		&w.Backoff: defaultBackoff, &w.MaxBackoff: max(defaultMaxBackoff, w.Backoff), &w.Timeout: defaultTimeout,
	} {
		if *d == 0 {
			*d = unset
		}
	}
	if w.MaxBackoff < w.Backoff {
		return w, fmt.Errorf("worker: the largest backoff, %s, is less than the first, %s", w.MaxBackoff, w.Backoff)
	}
	return w, nil
}

// After is the wait after so many failed tries, from 1.
func (w Worker) After(tries int) time.Duration {
	wait := w.Backoff
	for range tries - 1 {
		if wait >= w.MaxBackoff/2 {
			return w.MaxBackoff
		}
		wait *= 2
	}
	return wait
}

// Fails tells whether a try is to fail on purpose, after so many that failed before.
func (w Worker) Fails(failures int) bool { return w.FailFirst < 0 || failures < w.FailFirst }

// Task is an event on its way from an inbox to the external effect.
type Task struct {
	// IdempotencyKey is the same for every try of an event, and no other event of the journal has it: the endpoint and the
	// event's id within its endpoint and tenant.
	IdempotencyKey string
	Endpoint       string
	Event          string // its id within its endpoint and tenant
	Type           string
	Seq            int64 // of the request that brought it
	Try            int   // from 1; counted anew after a retry by hand
	Body           []byte

	id       int64
	failures int // in all
	work     time.Duration
}

// Failures is how many tries have failed, those before a retry by hand included.
func (t Task) Failures() int { return t.failures }

// Work is how long the business takes before the effect is called.
func (t Task) Work() time.Duration { return t.work }
