package evidence

import "time"

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

// StreamDriver is the Stream of what the driver noticed of the sender and no call reports, in our words.
const StreamDriver = "driver"

// Output is a line that the sender printed, an answer of its API, or what its driver noticed.
type Output struct {
	Meta
	Instance string        `json:"instance"`
	Stream   string        `json:"stream"` // stdout, stderr, StreamDriver, or api: and the call that the sender answered with this
	At       time.Duration `json:"at_ns"`
	Line     string        `json:"line"`
	// Leaks names the keys issued by the sender that stood in the line, in any form; they were taken out of it.
	Leaks []string `json:"leaks,omitempty"`
}
