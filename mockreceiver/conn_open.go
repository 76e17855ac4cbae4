package mockreceiver

import (
	"cmp"
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
)

// OpenConnections lists the connections to a listener that neither side has ended, oldest first. An empty name is the first
// listener's.
func (r *Receiver) OpenConnections(name string) ([]evidence.OpenConn, error) {
	l := r.listeners.named(name)
	if l == nil {
		return nil, unknownListenerError(name)
	}
	r.probes.dialing.Lock()
	defer r.probes.dialing.Unlock()
	return r.conns.of(l), nil
}

func (s *connSet) of(l *listener) []evidence.OpenConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []evidence.OpenConn
	for c := range s.open {
		if c.of != l || l.r.probes.ours(ownAddr{c.of.Name, c.remote}) {
			continue
		}
		if requests, open := c.standing(); open {
			list = append(list, evidence.OpenConn{ID: c.id, Opened: c.opened, Requests: requests})
		}
	}
	slices.SortFunc(list, func(a, b evidence.OpenConn) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// standing tells how many requests the connection has carried, and whether neither side has ended it.
func (c *wireConn) standing() (requests int, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.claimed, c.gone == 0 && !c.ours
}
