// Package judge turns a contract and evidence into verdicts. It has no clock, no network and no knowledge of fault plans.
package judge

// Outcome is what a check found.
type Outcome string

// The outcomes. A skip never counts as a pass.
const (
	Pass          Outcome = "pass"
	Fail          Outcome = "fail"
	Warn          Outcome = "warn"           // a SHOULD is broken
	Observed      Outcome = "observed"       // the contract says nothing; here is what the sender does
	Inconclusive  Outcome = "inconclusive"   // noise, lost records, or a stimulus that did not happen
	NotApplicable Outcome = "not-applicable" // the promise or the ability is absent
	Error         Outcome = "error"          // harness trouble
)

// Level says how binding a check is under a contract.
type Level string

// The levels.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
)

// Verdict is what one check found in one scenario, and the records that it rests on.
type Verdict struct {
	Scenario string  `json:"scenario"`
	Check    string  `json:"check"`
	Level    Level   `json:"level"`
	Outcome  Outcome `json:"outcome"`
	// Because says in one sentence what was seen, what was promised, and what was allowed for.
	Because string `json:"because"`
	// Records are line numbers of the evidence file, ascending.
	Records []int `json:"records"`
	// Known is why this failure is put up with, from the file of known failures; empty if it is listed nowhere. See MarkKnown.
	Known string `json:"known,omitempty"`
}

// RunVerdict is the verdict on the whole run.
type RunVerdict string

// The verdicts on a run.
const (
	Conformant          RunVerdict = "conformant"
	ConformantWithKnown RunVerdict = "conformant-with-known-failures"
	NonConformant       RunVerdict = "non-conformant"
	Incomplete          RunVerdict = "incomplete"
	RunError            RunVerdict = "error"
)

// Acceptance is the delivery rate over the acceptance events of a run, with what it rests on.
type Acceptance struct {
	Events              int      `json:"events"`
	DeliveredFirstTry   int      `json:"delivered_first_try"`
	DeliveredAfterRetry int      `json:"delivered_after_retry"`
	DeadLettered        int      `json:"dead_lettered"`
	DeliveredByReplay   int      `json:"delivered_by_replay"` // of the dead-lettered
	Pending             int      `json:"pending"`
	MissingIDs          []string `json:"missing_ids"` // accepted, but neither delivered nor dead-lettered
	Rate                float64  `json:"rate"`        // (first try + after retry) ÷ events, 0 to 1; 0 without events
	Threshold           float64  `json:"threshold"`
	SampleSufficient    bool     `json:"sample_sufficient"`
	// DuplicateEvents were received again after they had been reliably received; the rate is over delivered events.
	DuplicateEvents int                    `json:"duplicate_events"`
	DuplicateRate   float64                `json:"duplicate_rate"`
	DeadLetters     []AcceptanceDeadLetter `json:"dead_letters"`
}

// AcceptanceDeadLetter is one event that was given up, with its reason and what its replay led to.
type AcceptanceDeadLetter struct {
	ID         string `json:"id"`
	Reason     string `json:"reason"`
	Attempts   int    `json:"attempts"`
	LastStatus int    `json:"last_status"`
	Replay     string `json:"replay"` // delivered, failed, or empty: none
}
