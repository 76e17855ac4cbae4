package fault

import "time"

// Refuse takes the listener down instead of accepting the next connection, and brings it up again on the same port. The peer
// sees ECONNREFUSED. It goes down as soon as the connection before is accepted, or at the start; those that are in the
// system's queue by then are reset. Nobody can count what was refused, so the step lasts for a time, not for a number: the
// first connection after it is the next step's. As a plan's last step it comes again after each connection.
type Refuse struct{ For time.Duration } // 0: until it is brought up

// Open implements ConnFault. A connection that gets this far is one that was not refused.
func (Refuse) Open(float64) Opening { return Opening{} }

// Kind implements ConnFault.
func (Refuse) Kind() string { return "refuse" }

// String implements ConnFault.
func (r Refuse) String() string { return text("refuse", durationText("", r.For)) }

func refuseKind() Kind {
	return Kind{
		Name: "refuse", Form: "refuse(2s)",
		Params: []Param{{Value: "2s", Meaning: "how long the listener is down; until it is brought up if left out; real time"}},
		Reason: "the listener is down: a connection is refused, as while a receiver restarts",
		open:   func(a *args) ConnFault { return Refuse{For: a.duration("")} },
	}
}
