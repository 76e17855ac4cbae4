package fault

// TLSStall reads the peer's first message of the TLS handshake and never answers it.
type TLSStall struct{}

// Open implements ConnFault.
func (TLSStall) Open(float64) Opening { return Opening{Handshake: Handshake{Stall: true}} }

// Kind implements ConnFault.
func (TLSStall) Kind() string { return "tls-stall" }

// String implements ConnFault.
func (s TLSStall) String() string { return s.Kind() }

func tlsStallKind() Kind {
	return Kind{
		Name: "tls-stall", Form: "tls-stall",
		Reason: "the TLS handshake never comes to its end",
		open:   func(*args) ConnFault { return TLSStall{} },
	}
}
