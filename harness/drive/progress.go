package drive

import (
	"context"
	"time"
)

// Progress is what a run has done so far.
type Progress struct {
	At        time.Duration // since the start of the run
	Scenarios int           // how many are played
	Done      int           // of which so many have ended
	Emitted   int           // events that the sender accepted
	Arrivals  int           // requests received, copies included
	// Until is the latest end of a watch that is known so far, as an offset like At; 0 before the first is. Scenarios that
	// still act may bring a later one.
	Until time.Duration
	Note  string // something that just happened, for people; empty for a mere count
}

// heartbeat is how often Progress is told although nothing happens, so that whoever watches sees the time pass.
const heartbeat = time.Second

// beat tells the progress once a second until ctx ends.
func (p *player) beat(ctx context.Context) {
	t := time.NewTicker(heartbeat)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			p.tell(func(*Progress) {})
		case <-ctx.Done():
			return
		}
	}
}
