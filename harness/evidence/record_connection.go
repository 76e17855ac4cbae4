package evidence

import "time"

// Conn is what is known of the connection that carried a request.
type Conn struct {
	ID      int64         `json:"id"`      // unique in the run, from 1
	Request int           `json:"request"` // which request on it, from 1
	Opened  time.Duration `json:"opened_ns"`
	Local   string        `json:"local"`
	Remote  string        `json:"remote"`
	Proto   string        `json:"proto"` // HTTP/1.1, HTTP/2.0, …
	// Stream is the stream's number where the version has streams; else 0.
	Stream uint32 `json:"stream,omitempty"`
	// Listener names the receiver's listener; empty: its first.
	Listener string `json:"listener,omitempty"`
	// TLS is nil for a connection without.
	TLS *TLS `json:"tls,omitempty"`
	// Fault is the step of the listener's plan with which the connection began, in its text form; empty: it began as it should.
	Fault string `json:"fault,omitempty"`
}

// TLS is what is known of a connection's encryption. What a handshake that failed did not get to is empty.
type TLS struct {
	Version string `json:"version,omitempty"` // TLS 1.3, …
	Cipher  string `json:"cipher,omitempty"`  // the suite's name in the IANA registry
	ALPN    string `json:"alpn,omitempty"`    // the protocol agreed on: h2, http/1.1
	SNI     string `json:"sni,omitempty"`     // the server name that the peer asked for
	Resumed bool   `json:"resumed,omitempty"` // an earlier session was resumed
	// Flaw is what was wrong with the certificate that we showed: expired, not-yet-valid, self-signed or wrong-name; empty: nothing.
	Flaw string `json:"flaw,omitempty"`
}

// Connection is a connection on which no request became readable, or a time during which a listener refused connections:
// then ID is 0, and Opened and Closed are its bounds.
type Connection struct {
	Meta
	ID       int64  `json:"id"`                 // unique in the run, as in Conn
	Listener string `json:"listener,omitempty"` // as in Conn
	Local    string `json:"local"`
	Remote   string `json:"remote,omitempty"`
	TLS      *TLS   `json:"tls,omitempty"` // nil: it got to no handshake
	// Fault is the step of the listener's plan that was acted out, in its text form; empty: none.
	Fault string `json:"fault,omitempty"`
	// Err is why the handshake failed, or what was wrong with what came: the peer's alert, say.
	Err    string        `json:"err,omitempty"`
	Opened time.Duration `json:"opened_ns"`
	Closed time.Duration `json:"closed_ns"` // when its end was seen
	// End is one of the End constants, which say who ended it; EndRefused for a time of refusal.
	End      string `json:"end"`
	Received int64  `json:"received"` // bytes, those of TLS included
	Sent     int64  `json:"sent"`
}

// EndRefused is the End of a Connection that stands for all those which were refused.
const EndRefused = "refused"
