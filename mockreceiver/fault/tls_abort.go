package fault

// TLSAbort ends the connection in the middle of the TLS handshake: the first half of our first messages is sent, no alert.
type TLSAbort struct{ With End } // empty: Closed

// Open implements ConnFault.
func (t TLSAbort) Open(float64) Opening {
	if t.With == "" {
		t.With = Closed
	}
	return Opening{Handshake: Handshake{Abort: t.With}}
}

// Kind implements ConnFault.
func (TLSAbort) Kind() string { return "tls-abort" }

// String implements ConnFault.
func (t TLSAbort) String() string { return text("tls-abort", endText(t.With)) }

func tlsAbortKind() Kind {
	return Kind{
		Name: "tls-abort", Form: "tls-abort",
		Params: []Param{{Name: "with", Value: "close or reset", Meaning: "how the connection ends; close if left out"}},
		Reason: "the connection ends in the middle of the TLS handshake",
		open:   func(a *args) ConnFault { return TLSAbort{With: a.end()} },
	}
}
