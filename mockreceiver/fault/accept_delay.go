package fault

// AcceptDelay reads nothing of an accepted connection for a while, as an overloaded receiver does whose system accepts for
// it. The peer is connected and waits, for its TLS handshake or for its answer.
type AcceptDelay struct{ Spread }

// Open implements ConnFault.
func (d AcceptDelay) Open(draw float64) Opening { return Opening{Wait: d.At(draw)} }

// Kind implements ConnFault.
func (AcceptDelay) Kind() string { return "accept-delay" }

// String implements ConnFault.
func (d AcceptDelay) String() string { return text("accept-delay", d.waitTexts()...) }

func acceptDelayKind() Kind {
	return Kind{
		Name: "accept-delay", Form: "accept-delay(300ms)", Params: waitParams(), Random: true,
		Reason: "nothing is read of the connection for a while: connected, and then nothing",
		open:   func(a *args) ConnFault { return AcceptDelay{a.wait()} },
	}
}
