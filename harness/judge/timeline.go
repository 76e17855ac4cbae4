package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Timeline is one event at one endpoint as it was seen, with what the contract allowed: what reports draw.
type Timeline struct {
	Scenario string `json:"scenario"`
	Endpoint string `json:"endpoint"`
	Marker   string `json:"marker"`
	Event    string `json:"event"` // the id as seen on the wire first, else as returned
	Type     string `json:"type"`
	// Emitted and Accepted are the offsets at which the emit was called and returned.
	Emitted  time.Duration `json:"emitted_ns"`
	Accepted time.Duration `json:"accepted_ns"`
	// Deadline is the offset after which no attempt may start; 0 if the contract sets none.
	Deadline time.Duration     `json:"deadline_ns,omitempty"`
	Attempts []TimelineAttempt `json:"attempts"`
	Final    string            `json:"final"` // delivered, dead-lettered, pending, lost, refused
	// DeadLetter is the sender's record of giving up, if it was read.
	DeadLetter *evidence.DeadLetter `json:"dead_letter,omitempty"`
}

// TimelineAttempt is one request of a timeline.
type TimelineAttempt struct {
	Record int           `json:"record"` // line number of the arrival
	Number int           `json:"number"` // attempt number within its round, from 1; 0 for what is no attempt
	Round  int           `json:"round"`  // 0: the schedule; k: the k-th replay
	Class  string        `json:"class"`  // attempt, replay, transport-replay, copy
	Start  time.Duration `json:"start_ns"`
	End    time.Duration `json:"end_ns"` // of the exchange as seen from our side
	At     time.Time     `json:"at"`     // wall clock at the first byte
	Fault  string        `json:"fault"`
	Status int           `json:"status"` // 0: none was sent
	Ending string        `json:"ending"` // an evidence End constant, or unknown
	Effect string        `json:"effect,omitempty"`
	// Earliest and Latest bound when the contract allowed the attempt to start; 0 where it sets no bound.
	Earliest time.Duration `json:"earliest_ns,omitempty"`
	Latest   time.Duration `json:"latest_ns,omitempty"`
	// Give and Allowance are by how much an attempt may start before Earliest and after Latest and still be in order, for
	// what cannot be measured better. An Allowance of 0 means that Latest is not judged: the wait is too short for it.
	Give      time.Duration `json:"give_ns,omitempty"`
	Allowance time.Duration `json:"allowance_ns,omitempty"`
	// Off says how a bound that a check of the scenario judges was broken, allowance included: one of the Off constants.
	Off string `json:"off,omitempty"`
}

// The ways in which an attempt can be off.
const (
	OffEarly    = "before its window"
	OffLate     = "after its window"
	OffDeadline = "after the deadline"
)
