package fault

import (
	"maps"
	"slices"
)

// alerts are the alerts that end a TLS handshake, with their numbers (RFC 8446, 6.2).
func alerts() map[string]byte {
	return map[string]byte{
		"unexpected_message": 10, "bad_record_mac": 20, "record_overflow": 22, "handshake_failure": 40, "bad_certificate": 42,
		"unsupported_certificate": 43, "certificate_revoked": 44, "certificate_expired": 45, "certificate_unknown": 46,
		"illegal_parameter": 47, "unknown_ca": 48, "access_denied": 49, "decode_error": 50, "decrypt_error": 51,
		"protocol_version": 70, "insufficient_security": 71, "internal_error": 80, "inappropriate_fallback": 86, "user_canceled": 90,
		"missing_extension": 109, "unsupported_extension": 110, "unrecognized_name": 112, "certificate_required": 116,
		"no_application_protocol": 120,
	}
}

// AlertNumber is the number of a TLS alert; ok is false if it has no such name.
func AlertNumber(name string) (n byte, ok bool) {
	n, ok = alerts()[name]
	return n, ok
}

// TLSAlert answers the peer's first message with a fatal alert and closes the connection, as a receiver does that shares no
// cipher with the sender, does not know the name it asks for, or wants a certificate of it.
type TLSAlert struct{ Alert string } // one of the names in RFC 8446

// Open implements ConnFault.
func (t TLSAlert) Open(float64) Opening { return Opening{Handshake: Handshake{Alert: t.Alert}} }

// Kind implements ConnFault.
func (TLSAlert) Kind() string { return "tls-alert" }

// String implements ConnFault.
func (t TLSAlert) String() string { return text("tls-alert", t.Alert) }

func tlsAlertKind() Kind {
	return Kind{
		Name: "tls-alert", Form: "tls-alert(handshake_failure)",
		Params: []Param{{Value: "handshake_failure", Meaning: "the alert by its name in RFC 8446; handshake_failure if left out"}},
		Reason: "the TLS handshake is refused with an alert",
		open: func(a *args) ConnFault {
			one, ok := a.take("")
			if !ok {
				return TLSAlert{Alert: "handshake_failure"}
			}
			if _, ok := AlertNumber(one.value); !ok {
				a.fail(one.at, "%s: want an alert: %s", one, oneOf(slices.Sorted(maps.Keys(alerts()))))
			}
			return TLSAlert{Alert: one.value}
		},
	}
}
