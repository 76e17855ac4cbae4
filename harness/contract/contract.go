// Package contract holds what a sender promises: types, a strict YAML form, validation, window arithmetic, and the
// profiles that come with the program.
package contract

import (
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// Schema names the YAML form.
const Schema = "hookassay.contract/1"

// Contract is a published delivery contract. Every number that the judge uses is here; what a contract leaves out is not
// promised, and the checks of it are not applicable. Parse and Load return only valid contracts.
type Contract struct {
	Schema string `yaml:"schema"`
	Name   string `yaml:"name"`
	Title  string `yaml:"title"`
	Source string `yaml:"source,omitempty"` // where the promises are published
	// Facts say of each value where it comes from and how sure it is, for a contract that was gathered from a provider's publications. Not
	// judged.
	Facts []Fact `yaml:"facts,omitempty"`
	// CompressedBy is the n of Compress; 0 or 1 means the times are as published.
	CompressedBy int `yaml:"compressed_by,omitempty"`
	// TimeUnit is the sender's granularity of waits; 1 ms if left out. Compress rounds waits up to it.
	TimeUnit time.Duration `yaml:"time_unit,omitempty"`
	// Advice lists check ids or families whose promise is a SHOULD here: broken, they warn.
	Advice []string `yaml:"advice,omitempty"`
	// TakesEffectWithin is how long rotate, revoke, disable and delete may take to show after they returned.
	TakesEffectWithin time.Duration `yaml:"takes_effect_within,omitempty"`

	Signature  *Signature  `yaml:"signature,omitempty"`
	Identity   *Identity   `yaml:"identity,omitempty"`
	Envelope   *Envelope   `yaml:"envelope,omitempty"`
	Body       *Body       `yaml:"body,omitempty"`
	Request    *Request    `yaml:"request,omitempty"`
	Network    *Network    `yaml:"network,omitempty"`
	Answers    Answers     `yaml:"answers"`
	Schedule   *Schedule   `yaml:"schedule,omitempty"`
	RetryAfter *RetryAfter `yaml:"retry_after,omitempty"`
	Keys       *Keys       `yaml:"keys,omitempty"`
	Durability *Durability `yaml:"durability,omitempty"`
	Replay     *Replay     `yaml:"replay,omitempty"`
	DeadLetter *DeadLetter `yaml:"dead_letter,omitempty"`
	Log        *Log        `yaml:"log,omitempty"`
	Acceptance *Acceptance `yaml:"acceptance,omitempty"`
	Fairness   *Fairness   `yaml:"fairness,omitempty"`
	// AutoDisable is nil where the sender disables no endpoint of its own accord.
	AutoDisable *AutoDisable `yaml:"auto_disable,omitempty"`
	// Order is none or per-key: at one endpoint, an event is sent only once all earlier ones about the same business object are
	// delivered or given up.
	Order string `yaml:"order,omitempty"`
	// Workers is how many requests the sender has in flight at most; 0: not declared.
	Workers int `yaml:"workers,omitempty"`
}

// Signature is the promise about signed requests.
type Signature struct {
	Scheme    string        `yaml:"scheme"`    // id of a scheme of package signature, or of Record
	Tolerance time.Duration `yaml:"tolerance"` // of the signed time, both ways; never compressed; left out where no time is signed
	Resign    string        `yaml:"resign"`    // each (attempt) or same; empty where it is not said, so that a signed time is not judged
	// Record is the scheme itself where it does not come with the program. Its id is Scheme; what it leaves out is that of the
	// scheme that it is like, if it names one.
	Record *signature.Record `yaml:"record,omitempty"`
}

// Resign values.
const (
	ResignEach = "each"
	ResignSame = "same"
)

// Identity says where the event's id stands.
type Identity struct {
	Header string `yaml:"header,omitempty"` // header name
	Body   string `yaml:"body,omitempty"`   // JSON pointer, /id
	// Equal promises that header and body carry the same id.
	Equal bool `yaml:"equal,omitempty"`
}

// Envelope is the promise about the payload's shape.
type Envelope struct {
	Type       string   `yaml:"type"`                  // JSON pointer of the event's type
	Created    string   `yaml:"created,omitempty"`     // JSON pointer of the event time
	APIVersion string   `yaml:"api_version,omitempty"` // JSON pointer
	Data       string   `yaml:"data"`                  // JSON pointer of the business fields
	TypeForm   string   `yaml:"type_form,omitempty"`   // resource.action or full-stop; see FitsForm
	Types      []string `yaml:"types,omitempty"`       // the declared list
}

// Envelope.TypeForm values.
const (
	TypeFormResourceAction = "resource.action" // words of lower-case letters, digits and _ with dots between, two at least: payment.succeeded
	TypeFormFullStop       = "full-stop"       // words of letters, digits and _ with dots between, one at least: user.lineItemAdded
)

// Body is the promise about the bytes.
type Body struct {
	// Stable is bytes or meaning, over retries and replays. What the signature's scheme itself has in the body, and each attempt is to
	// make anew, is left out of it.
	Stable string `yaml:"stable"`
	// MediaType is the Content-Type of requests. Parameters that it does not name are free.
	MediaType string `yaml:"media_type,omitempty"`
	// Coding is gzip: each body is compressed, as its Content-Encoding says, and signed as it is sent. Empty: nothing is promised.
	Coding string `yaml:"coding,omitempty"`
	// Verbatim promises that numbers keep their tokens; otherwise numbers are equal as exact decimals.
	Verbatim bool `yaml:"verbatim,omitempty"`
}

// Body.Stable values.
const (
	StableBytes   = "bytes"
	StableMeaning = "meaning"
)

// CodingGzip is the value of Body.Coding.
const CodingGzip = "gzip"

// Request is the promise about how a request stands on the wire.
type Request struct {
	Method string `yaml:"method,omitempty"` // POST
	// Target is exact: path and query are those of the registered URL, byte for byte.
	Target string `yaml:"target,omitempty"`
	// Framing says how the end of a body is told in HTTP/1.1: length, chunked or either.
	Framing string `yaml:"framing,omitempty"`
}

// Request.Framing values.
const (
	FramingLength  = "length"  // Content-Length
	FramingChunked = "chunked" // Transfer-Encoding
	FramingEither  = "either"  // one of them, and not both
)

// TargetExact is the value of Request.Target.
const TargetExact = "exact"

// Network is the promise about the connections that a sender makes.
type Network struct {
	// Addresses is registered: no connection is made to an address that no endpoint was registered with.
	Addresses string `yaml:"addresses,omitempty"`
	// TLS is verified: nothing is sent before the receiver's certificate was checked, its trust, its time and its name.
	TLS string `yaml:"tls,omitempty"`
	// IdleConnections is how many connections to one endpoint are kept at most while nothing is sent to it; 0: not said.
	IdleConnections int `yaml:"idle_connections,omitempty"`
	// IdleTimeout is how long a connection that carries nothing is kept at most, in real time, never compressed; 0: not said.
	IdleTimeout time.Duration `yaml:"idle_timeout,omitempty"`
}

// Values of Network.
const (
	AddressesRegistered = "registered"
	TLSVerified         = "verified"
)

// Answers says what each answer leads to. A status named in none of the lists is Otherwise. Where that is open, nothing is said of
// the others, nor of failures that Errors does not list, and whatever the sender does then is right.
type Answers struct {
	Success   Codes  `yaml:"success"`             // delivered
	Needs     string `yaml:"needs,omitempty"`     // head or complete: what of a success must have arrived; empty is open
	Retry     Codes  `yaml:"retry,omitempty"`     // transient
	Permanent Codes  `yaml:"permanent,omitempty"` // no retry
	Disable   Codes  `yaml:"disable,omitempty"`   // permanent, and the endpoint gets nothing more
	Otherwise string `yaml:"otherwise"`           // retry, permanent or open
	// Errors lists the failures without a status that are transient: timeout, connection, tls.
	Errors    []string `yaml:"errors,omitempty"`
	Redirects string   `yaml:"redirects,omitempty"` // fail (never followed) or follow
	// MaxRead is how many bytes of an answer's body are taken at most; 0: not said.
	MaxRead int `yaml:"max_read,omitempty"`
}

// Answers.Otherwise values.
const (
	OtherwiseRetry     = "retry"
	OtherwisePermanent = "permanent"
	OtherwiseOpen      = "open"
)

// Kinds of failure without a status, for Answers.Errors.
const (
	ErrorTimeout    = "timeout"
	ErrorConnection = "connection"
	ErrorTLS        = "tls"
)

// Codes is a list of statuses: 429, 5xx, 400-499.
type Codes []string

// Schedule is the promise about waits, attempts and time limits. Providers publish parts of it: what is left out is not known, and is
// not judged.
type Schedule struct {
	// Waits stand before attempts 1 to n; entry 1 lies between acceptance and attempt 1. Without them it is not said when attempts are
	// made.
	Waits []time.Duration `yaml:"waits,omitempty"`
	// WaitsMax is the longest of each wait where the publication gives ranges, as "15 to 30 minutes"; Waits are then the shortest.
	// Jitter comes on top. Empty: none is a range; else as many as Waits.
	WaitsMax []time.Duration `yaml:"waits_max,omitempty"`
	// Attempts is how many requests are made at most, the first included. 0: len(Waits), and not said without waits.
	Attempts int `yaml:"attempts,omitempty"`
	// AttemptsMin is how many are made at least where the publication gives a range, as "5 to 8 retries"; 0: Attempts.
	AttemptsMin int     `yaml:"attempts_min,omitempty"`
	Jitter      *Jitter `yaml:"jitter,omitempty"`
	// Slack is how far waits may lie from what is published.
	Slack *Slack `yaml:"slack,omitempty"`
	// Throttle makes the wait after some failures longer.
	Throttle *Throttle `yaml:"throttle,omitempty"`
	// MeasuredFrom says where a wait begins: at the end or the start of the attempt before; empty if that is not said.
	MeasuredFrom string        `yaml:"measured_from,omitempty"`
	Timeout      time.Duration `yaml:"timeout,omitempty"`  // of one request in all; 0: not said
	Deadline     time.Duration `yaml:"deadline,omitempty"` // from acceptance; limits the start of an attempt
	// TerminalWithin is the allowance for the terminal record on top of the request timeout, so that the whole (see
	// TerminalDue) follows the effective timeout. It is 1 s in bounded-6. Never compressed.
	TerminalWithin time.Duration `yaml:"terminal_within,omitempty"`
	// ClaimedWindow is the span that the publication states for all waits; Lint compares it with them. Not judged.
	ClaimedWindow time.Duration `yaml:"claimed_window,omitempty"`
	// Lease is how long a sender's worker may own a delivery before another takes it up; a setting for senders, not judged.
	Lease time.Duration `yaml:"lease,omitempty"`
}

// MeasuredFrom values.
const (
	FromEnd   = "end"
	FromStart = "start"
)

// Jitter is a random part of each wait: uniform between −Minus and +Plus as fractions of the wait.
type Jitter struct {
	Plus  float64 `yaml:"plus"`
	Minus float64 `yaml:"minus,omitempty"`
}

// RetryAfter is the promise about the header of that name.
type RetryAfter struct {
	Codes Codes         `yaml:"codes"`         // on which statuses it is honoured
	Cap   time.Duration `yaml:"cap,omitempty"` // longest wait that it can ask for; 0: none
	// CapFactor is the longest wait that it can ask for as a multiple of the ordinary one; 0: no such limit.
	CapFactor float64  `yaml:"cap_factor,omitempty"`
	Forms     []string `yaml:"forms"` // seconds, date
	// PastDeadline is what follows a value that lands past the deadline: give-up. Whether that is at once or at the deadline is
	// not judged.
	PastDeadline string `yaml:"past_deadline,omitempty"`
}

// Keys is the promise about signing keys.
type Keys struct {
	Overlap   time.Duration `yaml:"overlap"`              // both keys sign for this long after a rotation
	Revoke    bool          `yaml:"revoke,omitempty"`     // a revoked key signs no more, pending retries included
	PerScope  []string      `yaml:"per_scope,omitempty"`  // customer, environment, endpoint
	ShownOnce bool          `yaml:"shown_once,omitempty"` // the sender shows an issued key only once
}

// Durability is the promise about crashes and duplicates.
type Durability struct {
	// Accepted promises that an accepted event survives a crash.
	Accepted bool `yaml:"accepted"`
	// Outbox promises that a rolled-back business change never produces an event.
	Outbox bool `yaml:"outbox,omitempty"`
	// NoDuplicateAfterSuccess promises no request after a success that the sender has seen.
	NoDuplicateAfterSuccess bool `yaml:"no_duplicate_after_success,omitempty"`
}

// Replay is the promise about manual replay.
type Replay struct {
	ID       string `yaml:"id"`                 // same or new
	Body     string `yaml:"body"`               // same
	Attempts int    `yaml:"attempts,omitempty"` // how many attempts one replay makes; 0: the schedule again
	Pending  string `yaml:"pending,omitempty"`  // refuse: a pending event is not replayed
	Range    bool   `yaml:"range,omitempty"`    // by time range as well
}

// DeadLetter is the promise about events that were given up.
type DeadLetter struct {
	Kept   bool     `yaml:"kept"`             // each exhausted or refused event has an entry
	Fields []string `yaml:"fields,omitempty"` // payload, last_status, attempts, reason, replay
	Hint   bool     `yaml:"hint,omitempty"`   // a permanent failure hints at the configuration
}

// Log is the promise about the delivery log.
type Log struct {
	Lag    time.Duration `yaml:"lag"`              // a record may be this late; never compressed
	Fields []string      `yaml:"fields,omitempty"` // time, status, digest
	Unit   time.Duration `yaml:"unit,omitempty"`   // granularity of times in the log
	State  bool          `yaml:"state,omitempty"`  // state, last failure and next attempt can be asked
	// Escaped promises that what a receiver answers is stored and shown escaped.
	Escaped bool `yaml:"escaped,omitempty"`
}

// Acceptance is the promise about the delivery rate.
type Acceptance struct {
	Sample int     `yaml:"sample"` // over the latest so many events
	Rate   float64 `yaml:"rate"`   // at least this share is delivered at first try or after retry, 0 to 1
}

// Fairness is the promise about endpoints beside one another.
type Fairness struct {
	// Isolated promises that trouble at one endpoint delays or stops neither another nor the emitter.
	Isolated bool `yaml:"isolated"`
	// PerEndpoint is how many requests to one endpoint are in flight at most; 0: not declared.
	PerEndpoint int `yaml:"per_endpoint,omitempty"`
}
