package fault

// BadCertificate shows a certificate with a flaw that a sender must see: a webhook that goes to whoever answers is read by
// whoever answers. All else of the handshake is as it should be, so that a sender which does not look delivers.
type BadCertificate struct{ Flaw Flaw } // not Sound

// Open implements ConnFault.
func (b BadCertificate) Open(float64) Opening { return Opening{Handshake: Handshake{Flaw: b.Flaw}} }

// Kind implements ConnFault.
func (b BadCertificate) Kind() string { return "tls-" + string(b.Flaw) }

// String implements ConnFault.
func (b BadCertificate) String() string { return b.Kind() }

func badCertificateKind(f Flaw) Kind {
	reason := map[Flaw]string{
		Expired:     "the certificate has expired",
		NotYetValid: "the certificate is not valid yet",
		SelfSigned:  "the certificate is signed by nobody but itself",
		WrongName:   "the certificate is for another host",
	}[f]
	b := BadCertificate{f}
	return Kind{
		Name: b.Kind(), Form: b.Kind(), Reason: reason + ": a sender must not deliver",
		open: func(*args) ConnFault { return b },
	}
}
