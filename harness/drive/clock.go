package drive

import (
	"sync"
	"time"
)

// clock measures the sender's clock by the times at which it says that it signed.
type clock struct {
	mu    sync.Mutex
	known bool
	age   time.Duration // the smallest that a request had at its arrival: what is older took its time, or is stale
}

// mostOff is how far a signed time may be off and still be one: no tolerance of a receiver is larger. What is beyond is a slip in its
// unit, or worse.
const mostOff = time.Hour

// note takes the arrival of a request and the time at which it was signed, zero if it says none.
func (c *clock) note(arrived, signed time.Time) {
	age := arrived.Sub(signed)
	if signed.IsZero() || age.Abs() > mostOff {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.known || age < c.age {
		c.known, c.age = true, age
	}
}

// ahead is by how many whole seconds, which are the unit of signed times, the sender's clock is ahead of ours.
func (c *clock) ahead() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return (-c.age).Truncate(time.Second)
}
