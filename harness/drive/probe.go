package drive

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// told is how long an answer to a probe must be missing to be worth a note to whoever watches: no scheduler does that by the way.
const told = 3 * time.Second

// standstill finds out when the receiver takes longer than usual to accept, read, record and answer a request, by requests of our own
// that leave no record. A receiver that stands still while the ticker goes on looks like a sender that sends nothing.
type standstill struct {
	end context.CancelFunc // nil: it was not begun
	wg  sync.WaitGroup
}

// begin probes the receiver until ctx ends or stop is called.
func (s *standstill) begin(ctx context.Context, p *player) {
	if p.setup.Tick != 0 {
		return
	}
	ctx, s.end = context.WithCancel(ctx)
	found := &series{source: evidence.NoiseReceiver, step: probe, add: p.add}
	s.wg.Go(func() {
		defer found.flush()
		ask := func(ctx context.Context) bool { return p.receiver.Probe(ctx) == nil }
		sender.Probe(ctx, probe, ask, func(due time.Time, late time.Duration) {
			found.sample(due.Sub(p.started), late)
			p.tellStandstill("the receiver", late)
		})
	})
}

func (s *standstill) stop() {
	if s.end == nil {
		return
	}
	s.end()
	s.wg.Wait()
}

// tellStandstill tells whoever watches that somebody did not answer for long. Each probe that was due meanwhile is late by less than
// the one before it, so that only the samples of one step around the limit say it.
func (p *player) tellStandstill(who string, late time.Duration) {
	if late >= told && late < told+probe {
		p.tell(func(pr *Progress) { pr.Note = fmt.Sprintf("%s stood still for %s or longer: noise", who, told) })
	}
}
