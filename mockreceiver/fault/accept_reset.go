package fault

// AcceptReset resets an accepted connection before anything is read, as a full queue or a firewall does. The peer sees
// ECONNRESET at its first write or read.
type AcceptReset struct{}

// Open implements ConnFault.
func (AcceptReset) Open(float64) Opening { return Opening{End: Aborted} }

// Kind implements ConnFault.
func (AcceptReset) Kind() string { return "accept-reset" }

// String implements ConnFault.
func (r AcceptReset) String() string { return r.Kind() }

func acceptResetKind() Kind {
	return Kind{
		Name: "accept-reset", Form: "accept-reset",
		Reason: "the connection is accepted and reset at once",
		open:   func(*args) ConnFault { return AcceptReset{} },
	}
}
