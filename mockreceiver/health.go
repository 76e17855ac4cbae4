package mockreceiver

import (
	"fmt"
	"sync"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/alarm"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// journalHealth is what the last transactions say of the journal.
type journalHealth struct {
	mu    sync.Mutex
	began time.Duration // offset at which the transaction under way began; 0: none is
	err   error         // of the last one
}

// stuck is how long a transaction may take before the journal counts as one that cannot be written: above any pause of a
// busy disk that was seen.
const stuck = 10 * time.Second

func (m *meter) committing(now time.Duration) time.Duration {
	m.journal.mu.Lock()
	defer m.journal.mu.Unlock()
	m.journal.began = max(now, 1)
	return now
}

func (m *meter) committed(records int, took time.Duration, err error) {
	m.metrics.groupSize.Observe(float64(records))
	m.metrics.commitSecond.Observe(took.Seconds())
	if err != nil {
		m.metrics.journalFailures.Inc()
	}
	m.journal.mu.Lock()
	defer m.journal.mu.Unlock()
	m.journal.began, m.journal.err = 0, err
}

// working tells why the receiver cannot do its work, which is to keep what it receives; nil if it can.
func (r *Receiver) working() error {
	h := &r.meter.journal
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.err != nil:
		return fmt.Errorf("the journal cannot be written: %w", h.err)
	case h.began != 0 && r.now()-h.began > stuck:
		return fmt.Errorf("the journal does not answer: a transaction has been under way for %s", (r.now() - h.began).Round(time.Second))
	default:
		return nil
	}
}

// Alarms says what the five alarms of package alarm say now, from what was counted since New.
func (r *Receiver) Alarms() []alarm.Alarm { return alarm.Evaluate(r.alarmStatus()) }

func (r *Receiver) alarmStatus() alarm.Status {
	s := r.meter.status(r.now(), r.cfg.RetryFor)
	inbox, err := r.inboxCounts(r.ctx, "")
	if err != nil {
		s.DeadLetters = -1
		return s
	}
	s.DeadLetters = inbox[business.Dead]
	return s
}

// probe has the journal tried again, once nobody else may: what it could not write is written along. It does not wait.
func (c *committer) probe() {
	select {
	case c.queue <- &job{}:
	default: // there is enough to write, which is a probe as well
	}
}
