package selftest

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
)

// Mark is what a cell says.
type Mark string

// The marks, the weightiest first: where a check has several verdicts on a sender, the weightiest is shown.
const (
	Wrong     Mark = "wrong"     // failed, or could not be judged for an error, and the row does not explain it
	Caught    Mark = "caught"    // failed, as it must; for a receiver's defect: found the receiver at fault
	Company   Mark = "company"   // failed, as it may
	Passed    Mark = "passed"    // passed in some scenario, and failed in none
	Undecided Mark = "undecided" // inconclusive or only observed
	None      Mark = "none"      // not applicable, or no scenario fed it
)

// Cell is what one check found of one sender.
type Cell struct {
	Mark Mark `json:"mark"`
	// Scenario and Because are those of the first verdict with that mark.
	Scenario string `json:"scenario"`
	Because  string `json:"because"`
	// Verdicts is how many verdicts have that mark.
	Verdicts int `json:"verdicts"`
}

// Result is what became of a row.
type Result string

// The results. The first three are as they must be.
const (
	IsCaught      Result = "caught"         // its check failed, and nothing that it does not explain
	IsClean       Result = "clean"          // nothing failed, and every promise was seen to be kept
	PassesNothing Result = "passes nothing" // of a silent sender
	IsWrong       Result = "wrong check"    // a check failed that the defect does not explain
	IsMissed      Result = "missed"         // its check passed
	IsUndecided   Result = "inconclusive"   // its check was never decided, or a promise of a correct sender was not
	IsNone        Result = "not applicable" // its check was never asked
	FalseAlarm    Result = "false alarm"    // a check failed with a correct sender
	PassesSome    Result = "passes"         // a check passed with a silent sender
	Trouble       Result = "trouble"        // the sender could not be put to the test
)

// Holds tells whether the result is as it must be.
func (r Result) Holds() bool { return r == IsCaught || r == IsClean || r == PassesNothing }

// Found is a row with what was found.
type Found struct {
	Row

	Result Result `json:"result"`
	// Why says in one sentence what the result rests on.
	Why string `json:"why"`
	// Cells is by check; a check that said nothing about the sender has none.
	Cells map[string]Cell `json:"cells"`
	// Seconds is how long it took, in real time.
	Seconds float64 `json:"seconds"`
	// Evidence is the file of each play, kept where the result does not hold.
	Evidence []string `json:"evidence,omitempty"`
}

// Played is what one play of a row has shown.
type Played struct {
	Verdicts []judge.Verdict  `json:"verdicts"`
	Verdict  judge.RunVerdict `json:"verdict"`
	Why      string           `json:"why"`
	// Unplayed lists the scenarios that the contract asks for and the player cannot play.
	Unplayed []string `json:"unplayed,omitempty"`
	// Evidence is the file with what was recorded.
	Evidence string `json:"evidence,omitempty"`
}

// Judge says what became of a row that was played, once or in parts.
func Judge(r Row, took time.Duration, plays ...Played) Found {
	f := Found{Row: r, Cells: map[string]Cell{}, Seconds: took.Seconds()}
	for _, p := range plays {
		for _, v := range p.Verdicts {
			f.add(v)
		}
		if p.Evidence != "" {
			f.Evidence = append(f.Evidence, p.Evidence)
		}
	}
	switch r.Kind {
	case Correct, Variant:
		f.clean(plays)
	case Silent:
		f.silent()
	case Defect, Receiver:
		f.defect()
	}
	if f.Result.Holds() {
		f.Evidence = nil
	}
	return f
}

func (f *Found) add(v judge.Verdict) {
	m := f.mark(v)
	if m == None {
		return
	}
	c, ok := f.Cells[v.Check]
	switch {
	case ok && weight(c.Mark) > weight(m):
		return
	case ok && c.Mark == m:
		c.Verdicts++
	default:
		c = Cell{Mark: m, Scenario: v.Scenario, Because: v.Because, Verdicts: 1}
	}
	f.Cells[v.Check] = c
}

func (f *Found) mark(v judge.Verdict) Mark {
	switch v.Outcome {
	case judge.Pass:
		return Passed
	case judge.Inconclusive, judge.Observed:
		return Undecided
	case judge.NotApplicable:
		return None
	case judge.Error: // our side is at fault
		if f.Kind != Receiver {
			return Wrong
		}
	case judge.Fail, judge.Warn: // the sender is; advice that is not kept is seen as a promise is
		if f.Kind == Receiver {
			return Wrong
		}
	}
	switch {
	case v.Check == f.MustFail:
		return Caught
	case f.explains(v.Check):
		return Company
	}
	return Wrong
}

// weight orders marks.
func weight(m Mark) int {
	return slices.Index([]Mark{None, Undecided, Passed, Company, Caught, Wrong}, m)
}
