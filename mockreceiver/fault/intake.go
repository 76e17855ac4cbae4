package fault

import (
	"slices"
	"time"
)

// Eager is a fault that says how the body of its request is taken in, so that its step must be known before the body is. The
// event is then known by what the head says: its id, or that its endpoint has one planned event only. Where the head says
// nothing, the requests of the endpoint are counted together.
type Eager interface {
	Fault
	Intake() Intake
	// Late is what Act comes to where the body was read all the same.
	Late() Fault
}

// Intake says how the body of a request is taken in. The zero value reads it at once.
type Intake struct {
	// Unread leaves the body where it is: Act runs with the head alone, and the connection is closed after the answer.
	Unread bool
	// Most, with Unread, takes in so many bytes of the body first.
	Most int64
	// Mute never tells a peer to go on that asked with Expect: 100-continue; Wait does so late. Both do nothing to others.
	Mute bool
	Wait time.Duration
	// Pace reads the body slowly. The zero value does not.
	Pace Pace
}

// Eager tells whether any step of the plan is, or can be drawn to be.
func (p Plan) Eager() bool {
	return p.Then.eager() || slices.ContainsFunc(p.Steps, Step.eager)
}

func (s Step) eager() bool {
	if r, ok := s.Fault.(Choice); ok {
		return slices.ContainsFunc(r.All(), Step.eager)
	}
	_, ok := s.Fault.(Eager)
	return ok
}

// Late is the kind of what the step comes to where the body was read before it was known.
func (s Step) Late() string {
	if e, ok := s.Fault.(Eager); ok {
		return e.Late().Kind()
	}
	return s.Kind()
}

// Intake is how the step takes in a body; ok is false where it does not care.
func (s Step) Intake() (in Intake, ok bool) {
	if e, ok := s.Fault.(Eager); ok {
		return e.Intake(), true
	}
	return Intake{}, false
}
