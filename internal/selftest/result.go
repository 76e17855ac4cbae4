package selftest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

// clean judges a correct sender: nothing may fail, and every promise must have been seen to be kept in one play or another. What is
// played in processes is so little that noise may leave a check undecided there which passed on virtual time.
func (f *Found) clean(plays []Played) {
	if wrong := f.marked(Wrong); len(wrong) > 0 {
		f.Result, f.Why = FalseAlarm, f.failed(wrong)
		return
	}
	for i, p := range plays {
		if p.Verdict != judge.Conformant && (i == 0 || p.Verdict != judge.Incomplete) {
			f.Result, f.Why = IsUndecided, string(p.Verdict)+": "+p.Why
			return
		}
		for _, v := range p.Verdicts {
			if c := f.Cells[v.Check]; c.Mark == Undecided && v.Level == judge.Must {
				f.Result, f.Why = IsUndecided, v.Check+" in "+c.Scenario+": "+c.Because
				return
			}
		}
	}
	f.Result = IsClean
	f.Why = fmt.Sprintf("%s passed", count(len(f.marked(Passed)), "check"))
}

// defect judges a sender or a receiver with a defect: its check must fail, and no other that it does not explain.
func (f *Found) defect() {
	if wrong := f.marked(Wrong); len(wrong) > 0 {
		f.Result, f.Why = IsWrong, f.failed(wrong)
		return
	}
	c := f.Cells[f.MustFail]
	switch c.Mark {
	case Caught:
		f.Result, f.Why = IsCaught, c.Because
	case Passed:
		f.Result, f.Why = IsMissed, f.MustFail+" passes in "+c.Scenario+": "+c.Because
	case Undecided:
		f.Result, f.Why = IsUndecided, f.MustFail+" in "+c.Scenario+": "+c.Because
	case None, "", Wrong, Company:
		f.Result, f.Why = IsNone, f.MustFail+" applies in no scenario that was played"
	}
}

// silent judges a sender that sends nothing: its check must fail, and none may pass.
func (f *Found) silent() {
	switch passed := f.marked(Passed); {
	case len(passed) > 0:
		c := f.Cells[passed[0]]
		f.Result = PassesSome
		f.Why = fmt.Sprintf("%s passes in %s: %s%s", passed[0], c.Scenario, c.Because, more(len(passed)-1))
	default:
		if f.defect(); f.Result == IsCaught {
			f.Result = PassesNothing
		}
	}
}

// marked returns the checks with a mark, in the order of their names.
func (f *Found) marked(m Mark) []string {
	var ids []string
	for id, c := range f.Cells {
		if c.Mark == m {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// failed tells of the first of some checks that failed, and names the others.
func (f *Found) failed(ids []string) string {
	c := f.Cells[ids[0]]
	s := fmt.Sprintf("%s fails in %s: %s", ids[0], c.Scenario, c.Because)
	if len(ids) > 1 {
		s += "; and " + strings.Join(ids[1:], ", ")
	}
	return s
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; and %d more", n)
}

// count writes a number with its noun, in the plural where it is not one.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
