package fault

import "crypto/tls"

// TLSOld speaks only a version of TLS that must not be used any more (RFC 8996).
type TLSOld struct{ Version string } // 1.0 or 1.1

// Open implements ConnFault.
func (t TLSOld) Open(float64) Opening {
	version := uint16(tls.VersionTLS11)
	if t.Version == "1.0" {
		version = tls.VersionTLS10
	}
	return Opening{Handshake: Handshake{Version: version}}
}

// Kind implements ConnFault.
func (TLSOld) Kind() string { return "tls-old" }

// String implements ConnFault.
func (t TLSOld) String() string { return text("tls-old", t.Version) }

func tlsOldKind() Kind {
	return Kind{
		Name: "tls-old", Form: "tls-old(1.1)",
		Params: []Param{{Value: "1.1", Meaning: "the only version that is spoken: 1.0 or 1.1; 1.1 if left out"}},
		Reason: "only an old version of TLS is spoken: a sender must not deliver",
		open: func(a *args) ConnFault {
			one, ok := a.take("")
			if !ok {
				one.value = "1.1"
			}
			if one.value != "1.0" && one.value != "1.1" {
				a.fail(one.at, "%s: want tls-old(1.0) or tls-old(1.1)", one)
			}
			return TLSOld{Version: one.value}
		},
	}
}
