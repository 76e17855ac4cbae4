package evidence

import "time"

// OriginHarness marks a copy that the harness itself sent to its receiver.
const OriginHarness = "harness"

// Arrival is one request as it was received. It is on disk before the reply leaves.
type Arrival struct {
	Meta
	Seq      int64  `json:"seq"` // the receiver's own number; Outcome.Of and Effect.Of refer to it
	Scenario string `json:"scenario,omitempty"`
	Endpoint string `json:"endpoint"`
	Origin   string `json:"origin,omitempty"` // empty: a peer's; OriginHarness: a re-injected copy of ours
	Reason   string `json:"reason,omitempty"` // of a copy that a person sent: why
	Conn     Conn   `json:"conn"`
	// FirstByte and BodyEnd are offsets. BodyEnd is 0 if the body was not read to its end.
	FirstByte time.Duration `json:"first_byte_ns"`
	BodyEnd   time.Duration `json:"body_end_ns"`
	Wall      time.Time     `json:"wall"` // wall clock at the first byte
	Head      Raw           `json:"head"` // request line and headers, as received, with the final empty line
	Body      Raw           `json:"body"` // as received, transfer coding removed
	// Trailer is the fields behind the body as received, with their empty line at the end; of HTTP/2 a line for each. Without that
	// line it is not all that was sent. Empty: there were none, as with almost every sender.
	Trailer Raw `json:"trailer,omitempty"`
	// BodySize is the number of bytes received, which exceeds len(Body) where the body was over the limit.
	BodySize   int64  `json:"body_size"`
	BodySHA256 string `json:"body_sha256"` // hex, of all bytes received
	BodyErr    string `json:"body_err,omitempty"`
	Key        string `json:"key"`      // what the plan was chosen by
	KeyFrom    string `json:"key_from"` // marker, header:NAME, body:/id, only-event, endpoint, sha256, handshake
	Attempt    int    `json:"attempt"`  // how many requests with this key reached the endpoint, this one included; 0: see Handled
	Chosen     string `json:"chosen"`   // the plan step, in its text form
	// Rule is the number of the endpoint's rule by match that gave the step, from 1; 0: a plan without a match.
	Rule int `json:"rule,omitempty"`
	// VerifiedBy names the keys issued by the sender, of any endpoint, by which the request's signature verifies. It is a
	// stored fact and no conclusion drawn later, because those keys stay out of the evidence.
	VerifiedBy []string `json:"verified_by,omitempty"`
	// Handshake names the handshake of a provider that the request was, answered or refused; empty: none.
	Handshake string `json:"handshake,omitempty"`
}

// Handled tells whether the sender's request was complete enough to be answered by a plan. What is not is a copy of ours, a
// head that was cut or malformed, a handshake, or a request to no endpoint: none of them is an attempt.
func (a *Arrival) Handled() bool { return a.Attempt > 0 }

// Ends of an exchange.
const (
	EndComplete = "complete"  // the reply was written to its last byte and the peer had not hung up
	EndReset    = "reset"     // we reset the connection
	EndClosed   = "closed"    // we closed the connection without, or in the middle of, a reply
	EndPeerGone = "peer-gone" // the peer hung up before the reply was complete
	EndShutdown = "shutdown"  // the receiver was closed while the exchange was open
)

// Outcome is what the receiver really did with a request.
type Outcome struct {
	Meta
	Of     int64       `json:"of"`     // Arrival.Seq
	Fault  string      `json:"fault"`  // kind of fault as really acted out: status, timeout, reset, business-failure, lost-ack, …
	Status int         `json:"status"` // as written; 0 if no status line was
	Header [][2]string `json:"header,omitempty"`
	Body   Raw         `json:"body,omitempty"`
	// BodySize is how many bytes of body were written where Body holds only the first of them; else 0.
	BodySize int64  `json:"body_size,omitempty"`
	End      string `json:"end"` // one of the End constants
	// ReplyStart is just before the first reply byte was written, ReplyEnd just after the last; 0 where there was none.
	ReplyStart time.Duration `json:"reply_start_ns,omitempty"`
	ReplyEnd   time.Duration `json:"reply_end_ns,omitempty"`
	// Closed is when the connection's end was seen: just before our own close or reset, or when we saw the peer's. 0 if it stayed open.
	Closed time.Duration `json:"closed_ns,omitempty"`
	// NotProcessed tells that the peer was told on HTTP/2 that nothing was done about its request, by a GOAWAY below its stream or
	// by REFUSED_STREAM: HTTP libraries may then send it again by themselves (RFC 9113, 8.7).
	NotProcessed bool `json:"not_processed,omitempty"`
	// Delay is how long the receiver held the request on purpose.
	Delay time.Duration `json:"delay_ns,omitempty"`
}
