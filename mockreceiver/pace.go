package mockreceiver

import (
	"slices"
	"sync"
	"time"
)

// pace remembers what faults of an endpoint need to know of its past. The zero value is a new endpoint's at offset 0.
type pace struct {
	mu       sync.Mutex
	since    time.Duration   // when the endpoint was added or reset
	admitted []time.Duration // within the last second, ascending
}

// restart begins anew.
func (p *pace) restart(now time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since, p.admitted = now, nil
}

// age is how long ago the endpoint was added or reset.
func (p *pace) age(now time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now - p.since
}

// admit counts a request unless n were admitted in the second before now. It returns how long until there is room, or 0.
func (p *pace) admit(n int, now time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, _ := slices.BinarySearch(p.admitted, now-time.Second+1)
	p.admitted = p.admitted[old:]
	if over := len(p.admitted) - n; over >= 0 {
		return p.admitted[over] + time.Second - now
	}
	p.admitted = append(p.admitted, now)
	return 0
}

// Admit implements fault.Exchange.
func (x *exchange) Admit(perSecond int) time.Duration {
	if x.endpoint == nil {
		return 0
	}
	return x.endpoint.pace.admit(perSecond, x.r.now())
}

// Age implements fault.Exchange.
func (x *exchange) Age() time.Duration {
	if x.endpoint == nil {
		return 0
	}
	return x.endpoint.pace.age(x.r.now())
}
