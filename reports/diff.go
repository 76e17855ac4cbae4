package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
)

// DiffSchema names the form of a difference as JSON. Fields may be added; the number changes when an old reader would misread a
// new document.
const DiffSchema = "hookassay.diff/1"

// Diff is what became of a sender between two runs, a the earlier one. Its lists are never null, and in the order of the later
// run's scenarios.
type Diff struct {
	Schema string  `json:"schema"`
	A      DiffRun `json:"a"`
	B      DiffRun `json:"b"`
	// Notes say what else than the sender is different, so that no difference is blamed on it.
	Notes []string `json:"notes"`
	// Regressions are promises that were kept, or not judged, and are broken now; also an acceptance that was reached and is missed.
	Regressions []Change `json:"regressions"`
	// New are broken promises of which the earlier run has no verdict at all.
	New []Change `json:"new_failures"`
	// Fixed are promises that were broken and are kept now.
	Fixed []Change `json:"fixed"`
	// Undecided were kept or broken, and it cannot be told any more whether they are.
	Undecided []Change `json:"undecided"`
	// StillBroken were broken before, and are.
	StillBroken []Change `json:"still_broken"`
	Timing      []Shift  `json:"timing"`
	// Worse tells whether a program should fail for it: regressions or new failures that are not known.
	Worse bool `json:"worse"`
	// Open tells that nothing is worse only as far as can be seen: the later run is incomplete, or ended in an error.
	Open bool `json:"open"`
}

// DiffRun names a run.
type DiffRun struct {
	Sender   string           `json:"sender"`
	Contract string           `json:"contract"`
	Started  time.Time        `json:"started"`
	Verdict  judge.RunVerdict `json:"verdict"`
	// Acceptance is the rate with its interval as text; empty if none was measured.
	Acceptance string `json:"acceptance"`
}

// Change is a verdict of the two runs. An outcome is empty where a run has no such verdict.
type Change struct {
	Scenario string        `json:"scenario"`
	Check    string        `json:"check"`
	Level    judge.Level   `json:"level"`
	Was      judge.Outcome `json:"was"`
	Is       judge.Outcome `json:"is"`
	Because  string        `json:"because"` // of the later run
	Known    string        `json:"known"`   // why it is put up with now; empty if it is not
}

// Shift is a time from emit to delivery that differs by more than noise explains.
type Shift struct {
	Scenario string        `json:"scenario"`
	What     string        `json:"what"` // median, 95 %, or slowest
	Was      time.Duration `json:"was_ns"`
	Is       time.Duration `json:"is_ns"`
}

const (
	// A shift must be above what noise is allowed everywhere else, and above a quarter: jitter alone is a few per cent of a wait.
	leastShift  = 250 * time.Millisecond
	leastFactor = 1.25
)

// Compare returns what became of the sender between run a and the later run b.
func Compare(a, b Results) Diff {
	d := Diff{
		Schema: DiffSchema, A: diffRun(a), B: diffRun(b), Notes: []string{}, Regressions: []Change{}, New: []Change{}, Fixed: []Change{},
		Undecided: []Change{}, StillBroken: []Change{}, Timing: shifts(a, b),
	}
	d.notes(a, b)
	was := map[[2]string]judge.Verdict{}
	for _, v := range a.Verdicts {
		was[[2]string{v.Scenario, v.Check}] = v
	}
	for _, v := range b.Verdicts {
		k := [2]string{v.Scenario, v.Check}
		before, there := was[k]
		delete(was, k)
		d.verdict(before, there, v)
	}
	gone := 0
	for _, v := range a.Verdicts {
		_, left := was[[2]string{v.Scenario, v.Check}]
		if left && v.Outcome == judge.Pass {
			gone++
		}
		if left && broken(v) {
			d.Undecided = append(d.Undecided, Change{
				Scenario: v.Scenario, Check: v.Check, Level: v.Level, Was: v.Outcome, Because: "the later run has no such verdict",
			})
		}
	}
	if gone > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("the later run has no verdict on %s that passed in the earlier one", plural(gone, "check")))
	}
	unknown := func(c Change) bool { return c.Known == "" }
	d.Worse = slices.ContainsFunc(d.Regressions, unknown) || slices.ContainsFunc(d.New, unknown)
	d.Open = !d.Worse && (b.Verdict == judge.Incomplete || b.Verdict == judge.RunError)
	return d
}

func broken(v judge.Verdict) bool { return v.Outcome == judge.Fail || v.Outcome == judge.Warn }

// verdict files one verdict of the later run.
func (d *Diff) verdict(a judge.Verdict, there bool, b judge.Verdict) {
	c := Change{Scenario: b.Scenario, Check: b.Check, Level: b.Level, Was: a.Outcome, Is: b.Outcome, Because: b.Because, Known: b.Known}
	decided := broken(a) || a.Outcome == judge.Pass
	switch {
	case broken(b) && !there:
		d.New = append(d.New, c)
	case broken(b) && broken(a) && (a.Outcome == b.Outcome || b.Outcome == judge.Warn):
		d.StillBroken = append(d.StillBroken, c)
	case broken(b):
		d.Regressions = append(d.Regressions, c)
	case b.Outcome == judge.Pass && broken(a):
		d.Fixed = append(d.Fixed, c)
	case b.Outcome != judge.Pass && decided:
		d.Undecided = append(d.Undecided, c)
	}
}

func diffRun(r Results) DiffRun {
	d := DiffRun{Sender: senderText(english(), r), Contract: contractText(english(), r.Contract), Started: r.Started, Verdict: r.Verdict}
	if r.Acceptance != nil {
		d.Acceptance = formula(*r.Acceptance) + ", " + intervalText(english(), *r.Acceptance)
	}
	return d
}

// notes says what makes the runs hard to compare.
func (d *Diff) notes(a, b Results) {
	note := func(differs bool, format string, args ...any) {
		if differs {
			d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
		}
	}
	note(senderText(english(), a) != senderText(english(), b), "the senders have different names: %s and %s", senderText(english(), a), senderText(english(), b))
	note(a.Contract.Effective != b.Contract.Effective, "the contracts differ (%s and %s): a verdict may have changed with the promise, and times are not compared",
		contractText(english(), a.Contract), contractText(english(), b.Contract))
	note(a.Versions.Suite != b.Versions.Suite, "the runs were judged by different versions: %s and %s",
		or(plain(a.Versions.Suite), "unknown"), or(plain(b.Versions.Suite), "unknown"))
	onlyA, onlyB := without(b.LeftOut, a.LeftOut), without(a.LeftOut, b.LeftOut)
	note(onlyA+onlyB > 0, "the runs played other scenarios by selection: %s in the earlier one alone, %d in the later one alone", plural(onlyA, "scenario"), onlyB)
	for i, r := range []Results{a, b} {
		note(r.Ended == nil, "the %s run was cut short", []string{"earlier", "later"}[i])
	}
	if a.Interval != nil && b.Interval != nil {
		switch {
		case b.Interval.High < a.Interval.Low:
			note(true, "the acceptance rate fell, by more than the samples' chance explains: their intervals do not meet")
		case b.Interval.Low > a.Interval.High:
			note(true, "the acceptance rate rose, by more than the samples' chance explains: their intervals do not meet")
		}
	}
}

// without counts the names of a list that another one lacks.
func without(list, other []string) int {
	n := 0
	for _, name := range list {
		if !slices.Contains(other, name) {
			n++
		}
	}
	return n
}

// shifts compares how long deliveries took in the scenarios that both runs played. Under another contract another time is no shift.
func shifts(a, b Results) []Shift {
	out := []Shift{}
	if a.Contract.Effective != b.Contract.Effective {
		return out
	}
	was := map[string]*Delivery{}
	for _, s := range a.Scenarios {
		was[s.Name] = s.Delivery
	}
	for _, s := range b.Scenarios {
		x, y := was[s.Name], s.Delivery
		if x == nil || y == nil || x.Delivered == 0 || y.Delivered == 0 {
			continue
		}
		for _, q := range []struct {
			what    string
			was, is time.Duration
		}{{"median", x.P50, y.P50}, {"95 %", x.P95, y.P95}, {"slowest", x.Max, y.Max}} {
			low, high := min(q.was, q.is), max(q.was, q.is)
			if high-low > leastShift && float64(high) > leastFactor*float64(low) {
				out = append(out, Shift{s.Name, q.what, q.was, q.is})
				break // the others of the scenario say the same again
			}
		}
	}
	return out
}

// Text returns d as a person reads it, without the lists that are empty.
func (d Diff) Text() string {
	var b strings.Builder
	for _, r := range []struct {
		name string
		run  DiffRun
	}{{"a", d.A}, {"b", d.B}} {
		fmt.Fprintf(&b, "%s  %s, %s, %s", r.name, r.run.Sender, clock(r.run.Started), r.run.Verdict)
		if r.run.Acceptance != "" {
			fmt.Fprintf(&b, ", %s", r.run.Acceptance)
		}
		b.WriteByte('\n')
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	listChanges(&b, "Regressions", d.Regressions)
	listChanges(&b, "New failures", d.New)
	listChanges(&b, "Fixed", d.Fixed)
	listChanges(&b, "Cannot be told any more", d.Undecided)
	listChanges(&b, "Still broken", d.StillBroken)
	if len(d.Timing) > 0 {
		fmt.Fprintf(&b, "\nTiming, from emit to delivery (%d)\n", len(d.Timing))
		for _, s := range d.Timing {
			fmt.Fprintf(&b, "  %s: %s was %s, is %s\n", plain(s.Scenario), s.What, span(s.Was), span(s.Is))
		}
	}
	if d.Open {
		fmt.Fprintf(&b, "\nwhether anything is worse cannot be told: the later run is %s", d.B.Verdict)
	}
	fmt.Fprintf(&b, "\n%s, %s, %d fixed, %d undecided, %s in time\n",
		plural(len(d.Regressions), "regression"), plural(len(d.New), "new failure"), len(d.Fixed), len(d.Undecided), plural(len(d.Timing), "shift"))
	return b.String()
}

func listChanges(b *strings.Builder, title string, list []Change) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s (%d)\n", title, len(list))
	for _, c := range list {
		was := or(plain(string(c.Was)), "no verdict")
		is := or(plain(string(c.Is)), "no verdict")
		fmt.Fprintf(b, "  %s in %s: was %s, is %s: %s", plain(c.Check), or(plain(c.Scenario), "the whole run"), was, is, or(plain(c.Because), "no reason was given"))
		if c.Known != "" {
			fmt.Fprintf(b, " (known: %s)", plain(c.Known))
		}
		b.WriteByte('\n')
	}
}
