package reports

import (
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// Schema names the form of results.json. The number changes when an old reader would misread a new file.
const Schema = "hookassay.results/1"

// Results is the canonical document of a run. Its lists are never null. Scenarios and verdicts come in the order of the
// scenarios' names, so that two runs can be laid side by side.
type Results struct {
	Schema     string            `json:"schema"`
	Verdict    judge.RunVerdict  `json:"verdict"`
	Why        string            `json:"why"`       // one sentence
	ExitCode   int               `json:"exit_code"` // what the program ends with on this verdict
	Counts     Counts            `json:"counts"`
	Acceptance *judge.Acceptance `json:"acceptance"` // null if no acceptance was measured
	// Interval is the range of rates that the acceptance is compatible with; null where none was measured.
	Interval *judge.Interval `json:"acceptance_interval"`
	Delivery *Delivery       `json:"delivery"` // of all events; null without any
	Verdicts []judge.Verdict `json:"verdicts"`
	// Known lists the known failures that the run was judged with, and what became of each.
	Known     []judge.Known   `json:"known_failures"`
	Scenarios []Scenario      `json:"scenarios"`
	Contract  Contract        `json:"contract"`
	Versions  Versions        `json:"versions"`
	Sender    evidence.Sender `json:"sender"`
	Seed      uint64          `json:"seed"`
	Started   time.Time       `json:"started"`
	Ended     *time.Time      `json:"ended"` // null if the run was cut short
	Evidence  Evidence        `json:"evidence"`
	Command   string          `json:"command"` // how to do it again
	Rejudge   string          `json:"rejudge"` // how to draw the verdicts again; empty if it was not given
	// Selected is the user's selection as given, LeftOut the scenarios that it left out: the verdict says nothing of them.
	Selected []string `json:"selected"`
	LeftOut  []string `json:"left_out"`
}

// Counts says how much was judged, and with which outcomes.
type Counts struct {
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	Known         int `json:"known_failures"` // of those that fail
	Warn          int `json:"warn"`
	Observed      int `json:"observed"`
	Inconclusive  int `json:"inconclusive"`
	NotApplicable int `json:"not-applicable"`
	Error         int `json:"error"`
	Scenarios     int `json:"scenarios"`         // played or not
	NotRun        int `json:"scenarios_not_run"` // of the scenarios
	Checks        int `json:"checks"`            // different checks with a verdict
	Events        int `json:"events"`            // emits that the sender accepted
	Attempts      int `json:"attempts"`          // requests of the sender; copies sent by the harness are left out
}

// Scenario is one situation that was played, or that could not be.
type Scenario struct {
	Name     string        `json:"name"`
	Family   string        `json:"family"`
	Title    string        `json:"title"`
	NotRun   string        `json:"not_run"` // why it was not played; empty if it was
	Instance string        `json:"instance,omitempty"`
	Checks   []string      `json:"checks"`
	Watched  string        `json:"watched"`            // for how long, as a Go duration
	Worst    judge.Outcome `json:"worst"`              // the gravest of its verdicts; empty without any
	Delivery *Delivery     `json:"delivery,omitempty"` // of its events; left out without any
}

// Contract is the effective contract that the run was judged by. Durations are Go durations.
type Contract struct {
	Name         string   `json:"name"`
	Title        string   `json:"title"`
	Source       string   `json:"source,omitempty"`
	CompressedBy int      `json:"compressed_by"` // 1: times as published
	Waits        []string `json:"waits"`
	Timeout      string   `json:"timeout,omitempty"`
	Deadline     string   `json:"deadline,omitempty"`
	// Signature is what the promised signatures are worth; nil without a promise of them.
	Signature *Signature `json:"signature,omitempty"`
	Effective string     `json:"effective"` // the whole effective contract, as the YAML text that stands in the evidence
}

// Signature is how strong the promised signatures are: what they cover of a request, and what of body, timestamp, id and target they leave
// open. Without the timestamp an old request can be sent again, without the id it passes for a new event, without the target it is as
// good at another endpoint with the same key.
type Signature struct {
	Scheme string   `json:"scheme"`
	Covers []string `json:"covers"`
	Open   []string `json:"open"`
}

// Versions says what made the run.
type Versions struct {
	Suite string `json:"suite"`
	Go    string `json:"go"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`
}

// Evidence says which file the verdicts rest on.
type Evidence struct {
	File string `json:"file"`
	// SHA256 is the digest of the whole file, as sha256sum prints it; empty where the file was not at hand.
	SHA256 string `json:"sha256"`
	// Records is the number of lines.
	Records int `json:"records"`
}

// Input is what a report is made from. Contract, Run and Acceptance may be nil.
type Input struct {
	Contract   *contract.Contract
	Run        *evidence.Run
	Verdicts   []judge.Verdict
	Known      []judge.Known
	Acceptance *judge.Acceptance
	Timelines  []judge.Timeline
	Verdict    judge.RunVerdict
	Why        string
	Command    string // how to do the run again
	Rejudge    string // how to judge it again, with the evidence file as the user names it; empty: as seen from its folder
	// Effective is the text of the contract that it was judged by, where that is not the one that stands in the evidence.
	Effective string
	// Language is that of the views for people; empty is English. What programs read is English in all of them.
	Language Language
}

// Report is what every format is written from: results, timelines and what verdicts cite, without keys and signatures. Only
// Prepare makes one.
type Report struct {
	Results   Results
	words     words.Texts
	timelines []judge.Timeline
	acts      map[int][]mark // by index of timelines: what the harness did to sender or endpoint meanwhile
	cited     map[int]cited  // by line number: the records that verdicts rest on
	exchanges []exchange     // what goes into the archive
	requests  int            // of the run, in the archive or not
	byLine    map[int]exchange
	around    surroundings
}

// Build returns the canonical document of in, without keys and signatures.
func Build(in Input) Results { return Prepare(in).Results }
