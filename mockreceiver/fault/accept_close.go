package fault

// AcceptClose closes an accepted connection in order before anything is read, as a proxy does that has nobody behind it. A
// peer that has sent something by then sees a reset all the same: what is left unread turns the end into one.
type AcceptClose struct{}

// Open implements ConnFault.
func (AcceptClose) Open(float64) Opening { return Opening{End: Closed} }

// Kind implements ConnFault.
func (AcceptClose) Kind() string { return "accept-close" }

// String implements ConnFault.
func (c AcceptClose) String() string { return c.Kind() }

func acceptCloseKind() Kind {
	return Kind{
		Name: "accept-close", Form: "accept-close",
		Reason: "the connection is accepted and closed at once",
		open:   func(*args) ConnFault { return AcceptClose{} },
	}
}
