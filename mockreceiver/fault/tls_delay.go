package fault

// TLSDelay takes its time over the TLS handshake: the peer's first message is read, and answered late.
type TLSDelay struct{ Spread }

// Open implements ConnFault.
func (d TLSDelay) Open(draw float64) Opening { return Opening{Handshake: Handshake{Wait: d.At(draw)}} }

// Kind implements ConnFault.
func (TLSDelay) Kind() string { return "tls-delay" }

// String implements ConnFault.
func (d TLSDelay) String() string { return text("tls-delay", d.waitTexts()...) }

func tlsDelayKind() Kind {
	return Kind{
		Name: "tls-delay", Form: "tls-delay(300ms)", Params: waitParams(), Random: true,
		Reason: "the TLS handshake takes a while",
		open:   func(a *args) ConnFault { return TLSDelay{a.wait()} },
	}
}
