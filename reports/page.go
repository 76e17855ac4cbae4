package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

const (
	// A page lists at most so many dead letters and gaps; a run that exceeds it is read from results.json.
	maxRows = 200
	// Passed scenarios are closed, and failed ones open; above this many open ones the page is too long to scan.
	maxOpen = 8
)

// page is what the template needs, ready to print.
type page struct {
	Style     template.CSS
	StyleHash string

	Sender     string
	Verdict    verdictView
	Why        string
	ExitCode   int
	Size       []row
	Contract   string
	Times      string
	Started    string
	Stamp      string
	Acceptance *acceptanceView
	Brief      []briefLine
	Untested   string
	Overview   *overview
	Allowance  string
	Noise      []noiseView
	Effects    []row
	Troubles   []string
	Again      []fact
	Tally      []tally
	Facts      []fact
	Effective  string
	Selection  string
	Problems   []string // with the known failures
	Known      []knownRow
	Explain    string
	Findings   []verdictLine
	Families   []checkFamily
	Scenarios  []scenarioView
	Dead       []dead
	DeadMore   int
	Gaps       []gap
	NoGaps     string
	Glossary   []termView
	Rejudge    string
	Where      string // the folder from which to run it
}

// verdictView names the verdict on the run: Class picks the colour, Icon the mark.
type verdictView struct{ Class, Icon, Word string }

// outcomeView names an outcome: Class picks colour and icon, Word says the same.
type outcomeView struct{ Class, Word string }

type tally struct {
	Outcome outcomeView
	N       int
	Known   int // of them
}

// knownRow is an entry of the known failures.
type knownRow struct{ Scenario, Check, Reason, State string }

type termView struct {
	Outcome outcomeView
	Text    string
}

type verdictLine struct {
	Outcome  outcomeView
	Checks   []string
	Level    string
	Scenario string
	Anchor   string // of the scenario's section; empty if it has none
	Because  string
	Known    string // why it is put up with
	Lines    string
	Cited    []citeRow
	More     int    // records that are not shown
	ID       string // of a finding, to be linked to
	Proof    *proof
	Open     bool // the records are there at once
}

// briefLine is a finding on the first screen.
type briefLine struct {
	Outcome outcomeView
	Where   string
	Anchor  string
	Because string
}

// maxBrief is what fits on the first screen beside the rate.
const maxBrief = 3

// checkFamily is the checks of one family, what stands before the dot.
type checkFamily struct {
	Name string
	Rows []checkRow
}

type checkRow struct {
	Anchor   string
	Rule     string // what is judged, in a sentence or two
	Check    string
	Level    string
	Worst    outcomeView
	Outcomes []tally // those that occurred
}

type scenarioView struct {
	Anchor   string
	Name     string
	Title    string
	Outcome  outcomeView
	Counts   string
	NotRun   string
	Watched  string
	Instance string
	Verdicts []verdictLine
	Charts   []chart
	Left     string // what was not drawn
	Open     bool
}

func newPage(r Report) page {
	res := r.Results
	p := page{
		Sender: senderText(res),
		Verdict: verdictView{
			Class: "v-" + verdictClass(res.Verdict), Icon: "o-" + verdictClass(res.Verdict), Word: verdictWord(res.Verdict),
		},
		Why:      together(or(plain(res.Why), "No reason was given.")),
		ExitCode: res.ExitCode, Size: sizeRows(res), Stamp: clock(res.Started),
		Contract: contractText(res.Contract), Times: compressionText(res.Contract),
		NoGaps: noGaps(res),
		Facts:  facts(res), Effective: res.Contract.Effective, Rejudge: rejudge(res), Where: rejudgeWhere(res), Selection: together(selectionText(res)),
		Families: checkFamilies(res.Verdicts), Problems: knownProblems(res), Explain: explainHint(res),
	}
	for _, o := range outcomes() {
		p.Tally = append(p.Tally, tallyOf(res.Counts, o))
	}
	for _, k := range res.Known {
		p.Known = append(p.Known, knownRow{plain(k.Scenario), plain(k.Check), plain(k.Reason), plain(string(k.State))})
	}
	for _, t := range glossary() {
		p.Glossary = append(p.Glossary, termView{viewOf(t.Outcome), t.Text})
	}
	if res.Acceptance != nil {
		p.Acceptance = newAcceptanceView(*res.Acceptance)
	}
	var anchors map[string]string
	p.Scenarios, anchors = scenarioViews(r)
	found := gravestFirst(with(res.Verdicts, judge.Fail, judge.Error, judge.Warn))
	for i, f := range grouped(slices.Concat(unlisted(found), listed(found))) {
		l := lineOf(r, f, anchors)
		l.ID, l.Proof = fmt.Sprintf("f%d", i+1), proofOf(r, f)
		p.Findings = append(p.Findings, l)
		if i < maxBrief {
			p.Brief = append(p.Brief, briefLine{l.Outcome, f.where(), l.ID, short(l.Because, 200)})
		}
	}
	if more := len(p.Findings) - maxBrief; more > 0 {
		p.Brief = append(p.Brief, briefLine{Where: plural(more, "more finding"), Anchor: "findings"})
	}
	if !res.Started.IsZero() {
		p.Started = res.Started.UTC().Format("2 January 2006, 15:04 UTC")
	}
	p.Dead, p.DeadMore = upTo(maxRows, deadLetters(r))
	p.Gaps = gaps(res)
	p.Untested = or(gapsText(p.Gaps), "nothing was left out")
	p.Overview = newOverview(r)
	p.Allowance, p.Noise, p.Effects = span(r.around.Allowance), noiseViews(r.around.Noise), r.around.Effects
	for _, t := range r.around.Troubles {
		p.Troubles = append(p.Troubles, plain(t))
	}
	p.Again = again(res)
	return p
}

// together keeps a figure and its per cent sign on one line.
func together(s string) string { return strings.ReplaceAll(s, " %", "\u00a0%") }

// upTo cuts a list to n entries and returns how many were left out.
func upTo[T any](n int, list []T) ([]T, int) {
	if len(list) <= n {
		return list, 0
	}
	return list[:n], len(list) - n
}

func viewOf(o judge.Outcome) outcomeView {
	if o == "" {
		return outcomeView{Class: "o-none", Word: "no verdict"}
	}
	if !slices.Contains(outcomes(), o) {
		return outcomeView{Class: "o-error", Word: plain(string(o))}
	}
	return outcomeView{Class: "o-" + string(o), Word: string(o)}
}

func tallyOf(c Counts, o judge.Outcome) tally {
	t := tally{Outcome: viewOf(o), N: *c.outcome(o)}
	if o == judge.Fail {
		t.Known = c.Known
	}
	return t
}

// knownView stands in place of an outcome that is put up with.
func knownView() outcomeView { return outcomeView{Class: "o-warn", Word: "known failure"} }

func verdictClass(v judge.RunVerdict) string {
	switch v {
	case judge.Conformant:
		return "pass"
	case judge.ConformantWithKnown:
		return "warn"
	case judge.NonConformant:
		return "fail"
	case judge.Incomplete:
		return "inconclusive"
	case judge.RunError:
		return "error"
	}
	return "error"
}

func verdictWord(v judge.RunVerdict) string {
	switch v {
	case judge.Conformant:
		return "Conformant"
	case judge.ConformantWithKnown:
		return "Conformant with known failures"
	case judge.NonConformant:
		return "Non-conformant"
	case judge.Incomplete:
		return "Incomplete"
	case judge.RunError:
		return "Error"
	}
	return or(plain(string(v)), "No verdict")
}

func lineOf(r Report, f finding, anchors map[string]string) verdictLine {
	l := verdictLine{
		Outcome: viewOf(f.Outcome), Checks: f.Checks, Level: strings.Join(f.Levels, ", "),
		Scenario: or(plain(f.Scenario), "whole run"), Anchor: anchors[f.Scenario],
		Because: or(plain(f.Because), "No reason was given."), Lines: lines(f.Records),
		Open: slices.Contains([]judge.Outcome{judge.Fail, judge.Warn, judge.Error}, f.Outcome),
	}
	if f.Known != "" {
		l.Outcome, l.Known, l.Open = knownView(), plain(f.Known), false
	}
	l.Cited, l.More = citeRows(r.cited, f)
	return l
}

// checkFamilies returns the checks by family, and in each the gravest first; families with the gravest first.
func checkFamilies(vs []judge.Verdict) []checkFamily {
	byCheck := map[string][]judge.Verdict{}
	byFamily := map[string][]string{}
	for _, v := range vs {
		if byCheck[v.Check] == nil {
			family, _, _ := strings.Cut(v.Check, ".")
			byFamily[family] = append(byFamily[family], v.Check)
		}
		byCheck[v.Check] = append(byCheck[v.Check], v)
	}
	gravest := func(checks []string) int {
		least := len(outcomes())
		for _, c := range checks {
			least = min(least, gravity(worst(byCheck[c])))
		}
		return least
	}
	// Nothing but passes and what does not apply is one rank: such families come by name.
	rank := func(g int) int { return min(g, gravity(judge.Pass)) }
	names := slices.SortedFunc(maps.Keys(byFamily), func(a, b string) int {
		return cmp.Or(rank(gravest(byFamily[a]))-rank(gravest(byFamily[b])), strings.Compare(a, b))
	})
	var out []checkFamily
	for _, name := range names {
		checks := byFamily[name]
		slices.SortFunc(checks, func(a, b string) int {
			return cmp.Or(rank(gravity(worst(byCheck[a])))-rank(gravity(worst(byCheck[b]))), strings.Compare(a, b))
		})
		f := checkFamily{Name: plain(name)}
		for _, c := range checks {
			f.Rows = append(f.Rows, checkRowOf(c, byCheck[c]))
		}
		out = append(out, f)
	}
	return out
}

func checkRowOf(check string, list []judge.Verdict) checkRow {
	row := checkRow{Anchor: "c-" + plain(check), Check: plain(check), Level: plain(string(list[0].Level)), Worst: viewOf(worst(list))}
	if e, err := judge.Explain(check); err == nil {
		row.Rule = e.Judged
	}
	var c Counts
	for _, v := range list {
		*c.outcome(v.Outcome)++
		if v.Outcome == judge.Fail && known(v) {
			c.Known++
		}
	}
	for _, o := range outcomes() {
		if t := tallyOf(c, o); t.N > 0 {
			row.Outcomes = append(row.Outcomes, t)
		}
	}
	return row
}

// verifyCommand looks for alterations in the report whose evidence the command to judge again names.
func verifyCommand(r Results) string {
	if r.Rejudge == "" {
		return "hookassay report verify ."
	}
	return "hookassay report verify DIR"
}

// again is how to do all of it again.
func again(r Results) []fact {
	var out []fact
	if r.Command != "" {
		out = append(out, fact{Name: "Run again", Value: plain(r.Command)})
	}
	return append(
		out,
		fact{Name: "Judge again", Value: rejudge(r), Note: rejudgeWhere(r)},
		fact{Name: "Look for alterations", Value: verifyCommand(r), Note: rejudgeWhere(r)},
	)
}

// scenarioViews returns the sections of the scenarios, the gravest first, and the anchor of each by name.
func scenarioViews(r Report) ([]scenarioView, map[string]string) {
	res := r.Results
	anchors := map[string]string{}
	for i, s := range res.Scenarios {
		anchors[s.Name] = fmt.Sprintf("s%d", i+1)
	}
	byScenario := map[string][]drawn{}
	for i, t := range r.timelines {
		byScenario[t.Scenario] = append(byScenario[t.Scenario], drawn{t, r.acts[i]})
	}
	sorted := slices.Clone(res.Scenarios)
	slices.SortStableFunc(sorted, func(a, b Scenario) int { return scenarioGravity(a) - scenarioGravity(b) })
	var out []scenarioView
	open := 0
	for _, s := range sorted {
		v := scenarioView{
			Anchor: anchors[s.Name], Name: plain(s.Name), Title: plain(s.Title), Outcome: viewOf(s.Worst),
			NotRun: plain(s.NotRun), Watched: goSpan(s.Watched), Instance: plain(s.Instance),
		}
		if s.NotRun != "" {
			v.Outcome = outcomeView{Class: "o-not-applicable", Word: "not played"}
		}
		vs := gravestFirst(of(res.Verdicts, s.Name))
		fresh := worst(unlisted(vs))
		if s.Worst == judge.Fail && fresh != judge.Fail {
			v.Outcome = knownView()
		}
		if s.NotRun == "" {
			v.Counts = plural(len(vs), "check")
		}
		for _, f := range grouped(vs) {
			v.Verdicts = append(v.Verdicts, lineOf(r, f, nil))
		}
		v.Charts, v.Left = charts(v.Anchor, mostCharts(s.Worst, byScenario[s.Name]), byScenario[s.Name])
		if (fresh == judge.Fail || fresh == judge.Error) && open < maxOpen {
			v.Open = true
			open++
		}
		out = append(out, v)
	}
	return out, anchors
}

// scenarioGravity sorts scenarios: what was not played, or had no verdict, comes last.
func scenarioGravity(s Scenario) int {
	if s.NotRun != "" || s.Worst == "" {
		return len(outcomes())
	}
	return gravity(s.Worst)
}
