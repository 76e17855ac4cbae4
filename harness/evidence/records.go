package evidence

import (
	"slices"
	"strings"
	"time"
)

// Schema names the form of an evidence file. The number changes when an old reader would misread a new file.
const Schema = "hookassay.evidence/1"

// Kind names a record's type in an evidence file.
type Kind string

// The kinds of record, in the order in which a file first shows them.
const (
	KindHeader     Kind = "header"
	KindScenario   Kind = "scenario"
	KindEndpoint   Kind = "endpoint"
	KindAct        Kind = "act"
	KindArrival    Kind = "arrival"
	KindOutcome    Kind = "outcome"
	KindEffect     Kind = "effect"
	KindLog        Kind = "log"
	KindDeadLetter Kind = "dead-letter"
	KindOutput     Kind = "output"
	KindNoise      Kind = "noise"
	KindTrouble    Kind = "trouble"
	KindConnection Kind = "connection"
	KindFooter     Kind = "footer"
)

// Record is one line of evidence. All record types of this package implement it, by pointer.
type Record interface {
	meta() *Meta
	kind() Kind
}

// Meta is what every record carries.
type Meta struct {
	// N is the record's line number in the evidence file, from 1. Verdicts cite it. It is given by Recorder or Writer.
	N int `json:"n"`
	// Kind is given by Recorder or Writer.
	Kind Kind `json:"kind"`
}

func (m *Meta) meta() *Meta { return m }

// Header opens the file: what was run, against what, with which settings.
type Header struct {
	Meta
	Schema   string    `json:"schema"`
	Suite    string    `json:"suite"`              // version of hookassay
	Started  time.Time `json:"started"`            // wall clock at offset 0
	Seed     uint64    `json:"seed"`               // of every random choice of the run
	Contract string    `json:"contract"`           // the effective contract, in its YAML form
	Sender   Sender    `json:"sender"`             // what was under test
	Machine  Machine   `json:"machine"`            // where
	Secrets  string    `json:"secrets,omitempty"`  // a sentence that says which secrets the file holds
	Selected []string  `json:"selected,omitempty"` // the user's selection, as given
	// LeftOut lists the scenarios that the selection left out: a verdict says nothing of them.
	LeftOut []string `json:"left_out,omitempty"`
}

// SelectedLabels opens the entry of Header.Selected that is a filter over the checks.
const SelectedLabels = "labels: "

// SelectsChecks tells whether the user's selection leaves out checks of scenarios that were played.
func (h *Header) SelectsChecks() bool {
	return slices.ContainsFunc(h.Selected, func(s string) bool { return strings.HasPrefix(s, SelectedLabels) })
}

// Sender says what was under test and what its driver can do.
type Sender struct {
	Name      string   `json:"name"`
	Driver    string   `json:"driver"`              // httpapi, command, go, …
	Abilities []string `json:"abilities,omitempty"` // sender.Ability names, sorted
	Version   string   `json:"version,omitempty"`
}

// Machine says where the run took place, as far as it matters to timing.
type Machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPUs  int    `json:"cpus"`
	GoVer string `json:"go"`
}

// FamilyObserve is the family of a scenario in which nothing was played: traffic that somebody else caused was watched.
const FamilyObserve = "observe"

// Scenario is one situation that was played, or that could not be. A later record of the same name replaces the earlier one, which was
// written when the run was interrupted.
type Scenario struct {
	Meta
	Name     string   `json:"name"`               // family/situation
	Family   string   `json:"family"`             // the part before the slash
	Title    string   `json:"title,omitempty"`    // one sentence for people
	Checks   []string `json:"checks"`             // ids of the checks that it feeds
	Instance string   `json:"instance,omitempty"` // which sender process it ran on
	// NotRun says why the scenario was not played (an ability is absent); empty if it was.
	NotRun string `json:"not_run,omitempty"`
	// From and WatchUntil bound the time during which the harness watched, as offsets.
	From       time.Duration `json:"from_ns"`
	WatchUntil time.Duration `json:"watch_until_ns"`
	// Ended is the offset at which it was over: watched to its end, and the sender asked for its records. 0: it was not played, or the run
	// was interrupted before.
	Ended time.Duration `json:"ended_ns,omitempty"`
	// Phase is the number of the phase in which it was played, from 1: those of one phase are played side by side.
	Phase int `json:"phase,omitempty"`
}

// Endpoint is a URL of ours where deliveries land, with its secrets.
type Endpoint struct {
	Meta
	Name     string   `json:"name"` // unique in the run
	Scenario string   `json:"scenario"`
	URL      string   `json:"url"`
	SenderID string   `json:"sender_id,omitempty"` // the sender's own id of it
	Secrets  []Secret `json:"secrets,omitempty"`
	Tenant   string   `json:"tenant,omitempty"`
	// Environment is test or live where the sender tells them apart.
	Environment string `json:"environment,omitempty"`
	// Types is the filter asked for; empty means all.
	Types []string `json:"types,omitempty"`
	// Headers are those that the endpoint was configured with, to be sent with each request.
	Headers map[string]string `json:"headers,omitempty"`
}

// Secret is a signing key and when it may sign, as offsets. Until is 0 while no end is known. When an endpoint's keys change,
// a new Endpoint record of the same name replaces the earlier one.
type Secret struct {
	// Value is empty for a key that the sender issued: such a key stays out of the evidence, and Arrival.VerifiedBy says
	// which requests it signed.
	Value string `json:"value,omitempty"`
	// Name tells issued keys apart; it is unique in the run and empty for a key of ours.
	Name  string        `json:"name,omitempty"`
	From  time.Duration `json:"from_ns"`
	Until time.Duration `json:"until_ns,omitempty"`
}

// ActKind names what the harness did.
type ActKind string

// What the harness does to a sender, or to its own plans.
const (
	ActRegister ActKind = "register"
	ActEmit     ActKind = "emit"
	ActReplay   ActKind = "replay"
	ActChange   ActKind = "change" // the object behind an event was changed
	ActReplan   ActKind = "replan" // a fault plan was changed after the emit
	ActLaunch   ActKind = "launch"
	ActStart    ActKind = "start"
	ActStop     ActKind = "stop"
	ActKill     ActKind = "kill"
	ActExit     ActKind = "exit" // the sender ended by itself
	ActRotate   ActKind = "rotate"
	ActRevoke   ActKind = "revoke"
	ActDisable  ActKind = "disable"
	ActEnable   ActKind = "enable"
	ActDelete   ActKind = "delete"
	ActClock    ActKind = "clock" // the sender's clock was advanced
	// ActDown: our listener went down, and ActUp: it came up again. Without a scenario they are about all listeners: a run was interrupted,
	// and gone on with.
	ActDown ActKind = "down"
	ActUp   ActKind = "up"
	// ActWatch: a scenario has done all its acts, and what is left is to watch.
	ActWatch ActKind = "watch"
	// ActAgain: a scenario is played anew. What was recorded of it before is no part of the Run: it was cut in the middle of its acts.
	ActAgain ActKind = "again"
	// ActEmitRolledBack is a business change that was rolled back: its event must never be delivered.
	ActEmitRolledBack ActKind = "emit-rolled-back"
	// ActReadEndpoint and ActReadDead asked for an endpoint and for the dead letters of one; the second is there even when
	// the answer was an empty list.
	ActReadEndpoint ActKind = "read-endpoint"
	ActReadDead     ActKind = "read-dead-letters"
	// ActReplayRange asked for a replay of an endpoint's dead letters of a time range.
	ActReplayRange ActKind = "replay-range"
	// ActCount counted the connections that were open to an endpoint's address. Nothing was asked of the sender.
	ActCount ActKind = "count-connections"
)

// Act is something the harness did, with its answer and its time.
type Act struct {
	Meta
	Act      ActKind `json:"act"`
	Scenario string  `json:"scenario,omitempty"`
	Instance string  `json:"instance,omitempty"`
	Endpoint string  `json:"endpoint,omitempty"`
	Marker   string  `json:"marker,omitempty"` // the event it concerns
	Event    string  `json:"event,omitempty"`  // the event's id as the sender returned it
	Type     string  `json:"type,omitempty"`   // emit: the event's type
	Object   string  `json:"object,omitempty"` // emit: the business object, where other events are about the same one
	Tenant   string  `json:"tenant,omitempty"` // emit: whose event it is
	// Environment is test or live for an emit that names one.
	Environment string        `json:"environment,omitempty"`
	From        *time.Time    `json:"from,omitempty"` // replay-range: from this acceptance time, included
	To          *time.Time    `json:"to,omitempty"`   // replay-range: to this one, left out
	Data        Raw           `json:"data,omitempty"` // emit: the business fields as handed over, JSON
	Called      time.Duration `json:"called_ns"`      // offset at which the call began
	Returned    time.Duration `json:"returned_ns"`    // offset at which it was answered
	Advance     time.Duration `json:"advance_ns,omitempty"`
	Note        string        `json:"note,omitempty"`
	// Open lists the connections that count-connections found, oldest first, the first thousand of them.
	Open []OpenConn `json:"open,omitempty"`
	Err  string     `json:"err,omitempty"` // why it failed; empty if it succeeded
}

// OpenConn is a connection that neither side had ended when it was counted.
type OpenConn struct {
	ID       int64         `json:"id"` // as in Conn
	Opened   time.Duration `json:"opened_ns"`
	Requests int           `json:"requests"` // how many it had carried
}

// OK tells whether the act succeeded.
func (a *Act) OK() bool { return a.Err == "" }

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

// What a business write did.
const (
	EffectCommitted  = "committed"   // dedupe row and business row are both on disk
	EffectRolledBack = "rolled-back" // neither is
	EffectAbsorbed   = "absorbed"    // a duplicate of a committed one: nothing was written
	// The rest are results that an endpoint has only if it was told more about its events than a run tells it.
	EffectSuperseded = "superseded" // as committed, and the object's state was kept, which is newer
	EffectConflict   = "conflict"   // as committed, and the object's state was kept: nothing tells which is newer
	EffectIgnored    = "ignored"    // the subscriber does not know the type: nothing was written
	EffectQueued     = "queued"     // the event is in the inbox, and nothing was done about it yet
)

// Effect is what the business write of a request did, as read from the database afterwards.
type Effect struct {
	Meta
	Of       int64         `json:"of"` // Arrival.Seq
	Scenario string        `json:"scenario,omitempty"`
	Endpoint string        `json:"endpoint"`
	Key      string        `json:"key"` // the idempotency key: the event's id within its endpoint
	Result   string        `json:"result"`
	At       time.Duration `json:"at_ns"`         // when the transaction had ended
	Dedupe   bool          `json:"dedupe_row"`    // is there a dedupe row for the key afterwards
	Rows     int           `json:"business_rows"` // how many business rows are there for the key afterwards
	Detail   string        `json:"detail,omitempty"`
	Reason   string        `json:"reason,omitempty"` // of a copy that a person sent: why
}

// Delivery states as the sender names them in its log.
const (
	StatePending   = "pending"
	StateDelivered = "delivered"
	StateDead      = "dead-lettered"
)

// LogEntry is what the sender says of one delivery, when asked.
type LogEntry struct {
	Meta
	Scenario    string        `json:"scenario,omitempty"`
	Endpoint    string        `json:"endpoint,omitempty"` // our name of it
	Marker      string        `json:"marker,omitempty"`
	Event       string        `json:"event"`
	Read        time.Duration `json:"read_ns"` // offset at which the answer was there
	State       string        `json:"state"`   // one of the State constants, or the sender's own word
	LastFailure string        `json:"last_failure,omitempty"`
	Next        *time.Time    `json:"next,omitempty"` // advertised next attempt
	Attempts    []LogAttempt  `json:"attempts,omitempty"`
	Err         string        `json:"err,omitempty"` // why the log could not be read
}

// LogAttempt is what the sender says of one attempt.
type LogAttempt struct {
	Number  int       `json:"number"`
	At      time.Time `json:"at"`
	Status  int       `json:"status,omitempty"`
	Outcome string    `json:"outcome,omitempty"` // delivered, failed, …
	Error   string    `json:"error,omitempty"`
	Digest  string    `json:"digest,omitempty"`  // of the response
	Trigger string    `json:"trigger,omitempty"` // schedule, replay, …
}

// DeadLetter is what the sender says of one dead-lettered delivery, when asked.
type DeadLetter struct {
	Meta
	Scenario   string        `json:"scenario,omitempty"`
	Endpoint   string        `json:"endpoint,omitempty"` // our name of it
	Marker     string        `json:"marker,omitempty"`
	Event      string        `json:"event"`
	Read       time.Duration `json:"read_ns"`
	Reason     string        `json:"reason"`
	Hint       string        `json:"hint,omitempty"`
	Attempts   int           `json:"attempts"`
	LastStatus int           `json:"last_status,omitempty"`
	LastError  string        `json:"last_error,omitempty"`
	Payload    Raw           `json:"payload,omitempty"`
	At         *time.Time    `json:"at,omitempty"`
	Replays    []Replay      `json:"replays,omitempty"`
}

// Replay is the sender's own record of a replay.
type Replay struct {
	At      time.Time `json:"at"`
	Status  int       `json:"status,omitempty"`
	Outcome string    `json:"outcome,omitempty"`
	Error   string    `json:"error,omitempty"`
	Reason  string    `json:"reason,omitempty"`
}

// StreamAPI opens the Stream of an answer of the sender's API: api:log, api:emit, … . Answers that are to show a key, to a
// registration or a rotation, are not recorded; equal answers to the same call are recorded once.
const StreamAPI = "api:"

// Output is a line that the sender printed, or an answer of its API.
type Output struct {
	Meta
	Instance string        `json:"instance"`
	Stream   string        `json:"stream"` // stdout, stderr, or api: and the call that the sender answered with this
	At       time.Duration `json:"at_ns"`
	Line     string        `json:"line"`
	// Leaks names the keys issued by the sender that stood in the line, in any form; they were taken out of it.
	Leaks []string `json:"leaks,omitempty"`
}

// NoiseReceiver is the Source of noise that was measured by requests of our own to the receiver: a whole time from connecting to the
// answer, beyond the usual.
const NoiseReceiver = "receiver"

// Noise is a stretch of a time series of lateness: sample i was due at From + i × Step and came LateUS[i] µs late.
type Noise struct {
	Meta
	Source string        `json:"source"` // ticker (the harness), receiver (NoiseReceiver) or probe:INSTANCE
	From   time.Duration `json:"from_ns"`
	Step   time.Duration `json:"step_ns"`
	LateUS []int64       `json:"late_us"`
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

// Trouble is something that went wrong in the harness or its receiver. Verdicts of the scenario that it names become errors;
// with no scenario it concerns the whole run. Lost counts records that could not be kept.
type Trouble struct {
	Meta
	Scenario string        `json:"scenario,omitempty"`
	At       time.Duration `json:"at_ns"`
	What     string        `json:"what"`
	Lost     int           `json:"lost,omitempty"`
}

// Footer closes a complete file. A file without it was cut short.
type Footer struct {
	Meta
	Ended       time.Duration `json:"ended_ns"`
	Interrupted string        `json:"interrupted,omitempty"` // why the run stopped early, if it did
	Counts      map[Kind]int  `json:"counts"`
	SHA256      string        `json:"sha256"` // hex, of all bytes before this line
}

func (*Header) kind() Kind     { return KindHeader }
func (*Scenario) kind() Kind   { return KindScenario }
func (*Endpoint) kind() Kind   { return KindEndpoint }
func (*Act) kind() Kind        { return KindAct }
func (*Arrival) kind() Kind    { return KindArrival }
func (*Outcome) kind() Kind    { return KindOutcome }
func (*Effect) kind() Kind     { return KindEffect }
func (*LogEntry) kind() Kind   { return KindLog }
func (*DeadLetter) kind() Kind { return KindDeadLetter }
func (*Output) kind() Kind     { return KindOutput }
func (*Noise) kind() Kind      { return KindNoise }
func (*Trouble) kind() Kind    { return KindTrouble }
func (*Connection) kind() Kind { return KindConnection }
func (*Footer) kind() Kind     { return KindFooter }
