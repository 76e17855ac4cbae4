package fault

import "time"

// Cursor is how far the requests of one event have come in a plan whose steps last for a time. The zero value is the
// beginning.
type Cursor struct {
	stayed int           // requests that a lasting step answered beyond its first
	in     int           // number of the lasting step that answered last, from 1; 0: none
	since  time.Duration // when its first request came
}

// Lasts tells whether any step lasts for a time, so that the step of a request depends on when it comes.
func (p Plan) Lasts() bool {
	for _, s := range p.Steps {
		if s.For > 0 {
			return true
		}
	}
	return false
}

// Next is the step for the n-th request of an event, from 1, which came at now on a clock that does not go back. It moves c on.
// Where no step lasts it is Step(n).
func (p Plan) Next(n int, c *Cursor, now time.Duration) Step {
	if c.in > 0 {
		if s := p.Step(c.in); now-c.since < s.For {
			c.stayed++
			return s
		}
	}
	at := n - c.stayed
	s := p.Step(at)
	c.in = 0
	if s.For > 0 {
		c.in, c.since = at, now
	}
	return s
}
