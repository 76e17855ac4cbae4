package evidence

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
