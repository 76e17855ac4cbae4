package reports

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// Prepare takes keys and signatures out of in and draws up its results. It leaves in as it is.
func Prepare(in Input) Report {
	run := in.Run
	if run == nil {
		run = &evidence.Run{}
	}
	c := in.Contract
	if c == nil {
		c = &contract.Contract{}
	}
	w := words.In(in.Language)
	verdicts, timelines := inOrder(in)
	r := resultsOf(in, run, c, verdicts, timelines)
	x := newRedactor(run, carrying(c))
	out := Report{
		words:   w,
		Results: redacted(x, r), timelines: redacted(x, timelines),
		acts: redacted(x, marksOf(w, run, timelines)), cited: redacted(x, citedBy(w, c, run, verdicts, timelines)),
		exchanges: redacted(x, exchangesOf(c, run, timelines)), requests: len(run.Attempts),
		around: redacted(x, surroundingsOf(w, run)),
	}
	out.byLine = byLine(out.exchanges)
	// A sender that issues our own words as its secret must not make the document unreadable.
	out.Results.Schema, out.Results.Evidence = r.Schema, r.Evidence
	return out
}

// resultsOf draws up the results of a run whose verdicts and timelines are in order, with its keys still in them.
func resultsOf(in Input, run *evidence.Run, c *contract.Contract, verdicts []judge.Verdict, timelines []judge.Timeline) Results {
	r := Results{
		Schema: Schema, Verdict: in.Verdict, Why: in.Why, ExitCode: exitCode(in.Verdict),
		Counts:     count(run, in.Verdicts),
		Acceptance: acceptanceOf(in.Acceptance),
		Delivery:   deliveryOf(timelines),
		Verdicts:   verdictsOf(verdicts),
		Known:      append([]judge.Known{}, in.Known...),
		Scenarios:  scenariosOf(run, in.Verdicts, timelines),
		Contract:   contractOf(c, or(in.Effective, run.Header.Contract)),
		Versions: Versions{
			Suite: run.Header.Suite, Go: run.Header.Machine.GoVer,
			OS: run.Header.Machine.OS, Arch: run.Header.Machine.Arch,
		},
		Sender:   run.Header.Sender,
		Seed:     run.Header.Seed,
		Started:  wall(run.Header.Started),
		Evidence: Evidence{File: evidenceFile, Records: records(run)},
		Command:  in.Command,
		Rejudge:  in.Rejudge,
		Selected: append([]string{}, run.Header.Selected...),
		LeftOut:  append([]string{}, run.Header.LeftOut...),
	}
	if a := in.Acceptance; a != nil {
		i := judge.Wilson(delivered(*a), a.Events)
		r.Interval = &i
	}
	if r.Sender.Abilities == nil {
		r.Sender.Abilities = []string{}
	}
	if run.Footer != nil {
		ended := wall(run.Header.Started.Add(run.Footer.Ended))
		r.Ended = &ended
	}
	return r
}

// inOrder returns verdicts by the names of their scenarios, and timelines by scenario and time of the emit: a run writes both
// down as they end, which no two runs do alike.
func inOrder(in Input) ([]judge.Verdict, []judge.Timeline) {
	vs, ts := slices.Clone(in.Verdicts), slices.Clone(in.Timelines)
	slices.SortStableFunc(vs, func(a, b judge.Verdict) int { return cmp.Compare(a.Scenario, b.Scenario) })
	slices.SortStableFunc(ts, func(a, b judge.Timeline) int {
		return cmp.Or(cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Emitted, b.Emitted))
	})
	return vs, ts
}

// exitCode is what the program ends with on a verdict; README.md has the table. An unknown verdict counts as trouble of the harness.
func exitCode(v judge.RunVerdict) int {
	switch v {
	case judge.Conformant, judge.ConformantWithKnown:
		return 0
	case judge.NonConformant:
		return 1
	case judge.Incomplete:
		return 3
	case judge.RunError:
		return 2
	}
	return 2
}

// wall drops what RFC 3339 in milliseconds cannot say, so that a document read back equals the one written.
func wall(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

func acceptanceOf(a *judge.Acceptance) *judge.Acceptance {
	if a == nil {
		return nil
	}
	out := *a
	if out.MissingIDs == nil {
		out.MissingIDs = []string{}
	}
	if out.DeadLetters == nil {
		out.DeadLetters = []judge.AcceptanceDeadLetter{}
	}
	return &out
}

func verdictsOf(vs []judge.Verdict) []judge.Verdict {
	out := make([]judge.Verdict, 0, len(vs))
	for _, v := range vs {
		if v.Records == nil {
			v.Records = []int{}
		}
		out = append(out, v)
	}
	return out
}

func scenariosOf(run *evidence.Run, vs []judge.Verdict, ts []judge.Timeline) []Scenario {
	byScenario := map[string][]judge.Timeline{}
	for _, t := range ts {
		byScenario[t.Scenario] = append(byScenario[t.Scenario], t)
	}
	out := make([]Scenario, 0, len(run.Scenarios))
	for _, s := range run.Scenarios {
		checks := s.Checks
		if checks == nil {
			checks = []string{}
		}
		family := s.Family
		if family == "" {
			family, _, _ = strings.Cut(s.Name, "/")
		}
		out = append(out, Scenario{
			Name: s.Name, Family: family, Title: s.Title, NotRun: s.NotRun, Instance: s.Instance,
			Checks: checks, Watched: max(0, s.WatchUntil-s.From).String(), Worst: worst(of(vs, s.Name)),
			Delivery: deliveryOf(byScenario[s.Name]),
		})
	}
	slices.SortStableFunc(out, func(a, b Scenario) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func contractOf(c *contract.Contract, yaml string) Contract {
	out := Contract{
		Name: c.Name, Title: c.Title, Source: c.Source, CompressedBy: max(1, c.CompressedBy),
		Waits: []string{}, Effective: yaml,
	}
	if c.Signature != nil {
		covered, open := c.Coverage()
		out.Signature = &Signature{Scheme: c.Signature.Scheme, Covers: append([]string{}, covered...), Open: append([]string{}, open...)}
	}
	if c.Schedule == nil {
		return out
	}
	for i := range c.Schedule.Waits {
		out.Waits = append(out.Waits, c.Schedule.Range(i+1).String())
	}
	if c.Schedule.Timeout > 0 {
		out.Timeout = c.Schedule.Timeout.String()
	}
	if c.Schedule.Deadline > 0 {
		out.Deadline = c.Schedule.Deadline.String()
	}
	return out
}

// records is the number of lines of the evidence: the footer is its last line, and without one the highest line seen is
// the best that can be said.
func records(run *evidence.Run) int {
	if run.Footer != nil && run.Footer.N > 0 {
		return run.Footer.N
	}
	n := run.Header.N
	for _, s := range run.Scenarios {
		n = max(n, s.N)
	}
	for _, a := range run.Acts {
		n = max(n, a.N)
	}
	for _, a := range run.Attempts {
		n = max(n, a.N)
		if a.Outcome != nil {
			n = max(n, a.Outcome.N)
		}
	}
	for _, l := range run.Logs {
		n = max(n, l.N)
	}
	for _, d := range run.DeadLetters {
		n = max(n, d.N)
	}
	return n
}
