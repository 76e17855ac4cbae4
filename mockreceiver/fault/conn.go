package fault

import "time"

// ConnFault is one kind of what a receiver does to a connection before a request can be read from it.
type ConnFault interface {
	// Open says how the connection begins. draw is a number in [0, 1) that depends on the seed, the listener and the
	// connection's number only.
	Open(draw float64) Opening
	// Kind is the name under which ConnKinds lists it, and which the evidence carries.
	Kind() string
	// String is the text form; ParseConn reads it back.
	String() string
}

// Opening says how a connection begins. The zero value begins as it should.
type Opening struct {
	// Wait passes before anything is read.
	Wait time.Duration
	// Stall reads nothing, ever.
	Stall bool
	// End ends the connection so, after Wait; empty: it goes on.
	End End
	// Handshake says how TLS begins.
	Handshake Handshake
	// ReadRate is how many bytes are read per second once HTTP begins; 0: all that come.
	ReadRate int
	// Streams is how many HTTP/2 streams may be open at once; 0: the receiver's own limit.
	Streams int
}

// Handshake says how TLS begins. The zero value begins as it should; no other may be asked of a listener without TLS.
type Handshake struct {
	// Wait passes after the peer's first message, ClientHello, was read and before it is answered.
	Wait time.Duration
	// Stall never answers ClientHello.
	Stall bool
	// Abort ends the connection so in the middle of our first messages; empty: it goes on.
	Abort End
	// Alert answers ClientHello with a fatal alert of that name and closes; empty: it goes on.
	Alert string
	// Flaw is what is wrong with our certificate.
	Flaw Flaw
	// Version is the only version of TLS that is spoken, by its number in the protocol; 0: 1.2 and 1.3.
	Version uint16
}

// Flaw is what is wrong with a certificate.
type Flaw string

// The flaws of a certificate.
const (
	Sound       Flaw = ""
	Expired     Flaw = "expired"
	NotYetValid Flaw = "not-yet-valid"
	SelfSigned  Flaw = "self-signed"
	WrongName   Flaw = "wrong-name"
)

// NoFault lets the connection begin as it should.
type NoFault struct{}

// Open implements ConnFault.
func (NoFault) Open(float64) Opening { return Opening{} }

// Kind implements ConnFault.
func (NoFault) Kind() string { return "ok" }

// String implements ConnFault.
func (f NoFault) String() string { return f.Kind() }

func noFaultKind() Kind {
	return Kind{
		Name: "ok", Form: "ok",
		Reason: "the connection begins as it should: what stands between faults in a plan",
		open:   func(*args) ConnFault { return NoFault{} },
	}
}

// ConnKinds is the one list of the kinds of fault at the level of connections.
func ConnKinds() []Kind {
	list := []Kind{
		noFaultKind(),
		refuseKind(),
		acceptDelayKind(),
		acceptStallKind(),
		acceptCloseKind(),
		acceptResetKind(),
		throttleKind(),
		tlsDelayKind(),
		tlsStallKind(),
		tlsAbortKind(),
		tlsAlertKind(),
	}
	for _, f := range []Flaw{Expired, NotYetValid, SelfSigned, WrongName} {
		list = append(list, badCertificateKind(f))
	}
	return append(list, tlsOldKind(), maxStreamsKind())
}
