package fault

// AcceptStall reads nothing of an accepted connection, ever. A time limit for connecting does not help the sender here: it
// is connected.
type AcceptStall struct{}

// Open implements ConnFault.
func (AcceptStall) Open(float64) Opening { return Opening{Stall: true} }

// Kind implements ConnFault.
func (AcceptStall) Kind() string { return "accept-stall" }

// String implements ConnFault.
func (s AcceptStall) String() string { return s.Kind() }

func acceptStallKind() Kind {
	return Kind{
		Name: "accept-stall", Form: "accept-stall",
		Reason: "nothing is read of the connection, ever: the sender must end it by its own time limit",
		open:   func(*args) ConnFault { return AcceptStall{} },
	}
}
