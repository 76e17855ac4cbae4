package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
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

	Lang       string
	Sender     string
	Verdict    verdictView
	Why        []piece
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
	Troubles   [][]piece
	Again      []fact
	Tally      []tally
	Facts      []fact
	Effective  string
	Selection  string
	Problems   [][]piece // with the known failures
	Known      []knownRow
	Explain    string
	Findings   []verdictLine
	Families   []checkFamily
	Scenarios  []scenarioView
	Dead       []dead
	DeadMore   int
	Gaps       []gapView
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
	Key     string // the outcome as programs know it
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
	Because  []piece
	Known    string // why it is put up with
	Lines    string
	Cited    []citeRow
	Only     *citeRow // the one record that is shown below a pass
	More     int      // records that are not shown
	ID       string   // of a finding, to be linked to
	Proof    *proof
	Open     bool // the records are there at once
}

// briefLine is a finding on the first screen.
type briefLine struct {
	Outcome outcomeView
	Where   string
	Anchor  string
	Because []piece
}

// maxBrief is what fits on the first screen beside the rate.
const maxBrief = 3

// gapView is a gap ready to print.
type gapView struct {
	What []string
	Kind string
	Why  []piece
}

// checkFamily is the checks of one family, what stands before the dot.
type checkFamily struct {
	Name string
	Rows []checkRow
}

type checkRow struct {
	Anchor   string
	Rule     []piece // what is judged, in a sentence or two
	Check    string
	Level    string
	Outcomes []tally // those that occurred
}

type scenarioView struct {
	Anchor   string
	Name     string
	Title    []piece
	Outcome  outcomeView
	Counts   string
	NotRun   []piece
	Watched  string
	Instance string
	Verdicts []verdictLine
	Charts   []chart
	Left     string // what was not drawn
	Open     bool
}

func newPage(r Report) page {
	res, w := r.Results, r.words
	p := page{
		Lang: w.Language.Tag(), Sender: senderText(w, res),
		Verdict: verdictView{
			Class: "v-" + verdictClass(res.Verdict), Icon: "o-" + verdictClass(res.Verdict), Word: verdictWord(w, res.Verdict),
		},
		Why:      saidOr(w, res.Why, "finding.no-reason"),
		ExitCode: res.ExitCode, Size: sizeRows(w, res), Stamp: clock(res.Started),
		Contract: contractText(w, res.Contract), Times: compressionText(w, res.Contract),
		NoGaps: noGaps(w, res),
		Facts:  facts(w, res), Effective: res.Contract.Effective, Rejudge: rejudge(res), Where: rejudgeWhere(w, res), Selection: together(selectionText(w, res)),
		Families: checkFamilies(w, res.Verdicts), Explain: explainHint(w, res),
	}
	p.fill(r)
	return p
}

// fill adds the lists, and what the report may have or not.
func (p *page) fill(r Report) {
	res, w := r.Results, r.words
	for _, o := range outcomes() {
		p.Tally = append(p.Tally, tallyOf(w, res.Counts, o))
	}
	for i := range p.Why {
		p.Why[i].Text = together(p.Why[i].Text)
	}
	p.known(r)
	for _, t := range glossary(w) {
		p.Glossary = append(p.Glossary, termView{viewOf(w, t.Outcome), t.Text})
	}
	if res.Acceptance != nil {
		p.Acceptance = newAcceptanceView(w, *res.Acceptance)
	}
	var anchors map[string]string
	p.Scenarios, anchors = scenarioViews(r)
	p.findings(r, anchors)
	if !res.Started.IsZero() {
		p.Started = res.Started.UTC().Format(w.Text("page.date"))
	}
	p.Dead, p.DeadMore = upTo(maxRows, deadLetters(r))
	left := gaps(w, res)
	for _, g := range left {
		p.Gaps = append(p.Gaps, gapView{g.What, g.Kind, said(w, g.Why)})
	}
	p.Untested = or(gapsText(w, left), w.Text("brief.nothing-untested"))
	p.Overview = newOverview(r)
	p.Allowance, p.Noise, p.Effects = span(r.around.Allowance), noiseViews(r.around.Noise), r.around.Effects
	for _, t := range r.around.Troubles {
		p.Troubles = append(p.Troubles, said(w, t))
	}
	p.Again = again(w, res)
}

// known fills in the known failures, and what is wrong with their list.
func (p *page) known(r Report) {
	w := r.words
	for _, problem := range knownProblems(r.Results) {
		p.Problems = append(p.Problems, said(w, problem))
	}
	for _, k := range r.Results.Known {
		p.Known = append(p.Known, knownRow{plain(k.Scenario), plain(k.Check), plain(k.Reason), w.Known("known", plain(string(k.State)))})
	}
}

// findings fills in what was found, what is put up with last, and the first of it for the first screen.
func (p *page) findings(r Report, anchors map[string]string) {
	w := r.words
	found := gravestFirst(with(r.Results.Verdicts, judge.Fail, judge.Error, judge.Warn))
	for i, f := range grouped(slices.Concat(unlisted(found), listed(found))) {
		l := lineOf(r, f, anchors)
		l.ID, l.Proof = fmt.Sprintf("f%d", i+1), proofOf(r, f)
		p.Findings = append(p.Findings, l)
		if i < maxBrief {
			p.Brief = append(p.Brief, briefLine{l.Outcome, f.where(w), l.ID, briefly(w, f, l.Because)})
		}
	}
	if more := len(p.Findings) - maxBrief; more > 0 {
		p.Brief = append(p.Brief, briefLine{Where: w.Count("brief.more", more), Anchor: "findings"})
	}
}

// briefly is why a finding is one. Where that is told in English on a page of another language, what was wanted comes first.
func briefly(w words.Texts, f finding, because []piece) []piece {
	out := shortened(because, 200)
	foreign := slices.ContainsFunc(out, func(p piece) bool { return p.Lang != "" })
	if e, lang, ok := explained(w, f.Checks[0]); foreign && ok && lang == "" {
		return append([]piece{{Text: w.Text("brief.instead", e.Title)}}, out...)
	}
	return out
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

func viewOf(w words.Texts, o judge.Outcome) outcomeView {
	if o == "" {
		return outcomeView{Class: "o-none", Word: w.Text("outcome.none")}
	}
	if !slices.Contains(outcomes(), o) {
		return outcomeView{Class: "o-error", Word: plain(string(o))}
	}
	return outcomeView{Class: "o-" + string(o), Word: w.Text("outcome." + string(o))}
}

func tallyOf(w words.Texts, c Counts, o judge.Outcome) tally {
	t := tally{Key: string(o), Outcome: viewOf(w, o), N: *c.outcome(o)}
	if o == judge.Fail {
		t.Known = c.Known
	}
	return t
}

// knownView stands in place of an outcome that is put up with.
func knownView(w words.Texts) outcomeView {
	return outcomeView{Class: "o-warn", Word: w.Text("outcome.known")}
}

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

// verdictWord names the verdict on the run in words for people.
func verdictWord(w words.Texts, v judge.RunVerdict) string {
	if v == "" {
		return w.Text("verdict.none")
	}
	return w.Known("verdict", plain(string(v)))
}

// levelsText names levels, each once.
func levelsText(w words.Texts, levels []string) string {
	var out []string
	for _, l := range levels {
		out = append(out, w.Known("level", l))
	}
	return strings.Join(out, w.Text("list.comma"))
}

func lineOf(r Report, f finding, anchors map[string]string) verdictLine {
	w := r.words
	l := verdictLine{
		Outcome: viewOf(w, f.Outcome), Checks: f.Checks, Level: levelsText(w, f.Levels),
		Scenario: or(plain(f.Scenario), w.Text("finding.whole-run")), Anchor: anchors[f.Scenario],
		Because: saidOr(w, f.Because, "finding.no-reason"), Lines: lines(w, f.Records),
		Open: slices.Contains([]judge.Outcome{judge.Fail, judge.Warn, judge.Error}, f.Outcome),
	}
	if f.Known != "" {
		l.Outcome, l.Known, l.Open = knownView(w), plain(f.Known), false
	}
	l.Cited, l.More = citeRows(w, r.cited, f)
	if f.Outcome == judge.Pass && len(l.Cited) == 1 {
		l.Only = &l.Cited[0]
	}
	return l
}

// checkFamilies returns the checks by family, and in each the gravest first; families with the gravest first.
func checkFamilies(w words.Texts, vs []judge.Verdict) []checkFamily {
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
		f := checkFamily{Name: w.Known("family", plain(name))}
		for _, c := range checks {
			f.Rows = append(f.Rows, checkRowOf(w, c, byCheck[c]))
		}
		out = append(out, f)
	}
	return out
}

func checkRowOf(w words.Texts, check string, list []judge.Verdict) checkRow {
	row := checkRow{Anchor: "c-" + plain(check), Check: plain(check), Level: w.Known("level", plain(string(list[0].Level)))}
	if e, lang, ok := explained(w, check); ok {
		row.Rule = []piece{{e.Judged, lang}}
	}
	var c Counts
	for _, v := range list {
		*c.outcome(v.Outcome)++
		if v.Outcome == judge.Fail && known(v) {
			c.Known++
		}
	}
	for _, o := range outcomes() {
		if t := tallyOf(w, c, o); t.N > 0 {
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
func again(w words.Texts, r Results) []fact {
	var out []fact
	if r.Command != "" {
		out = append(out, fact{Name: w.Text("fact.run-again"), Value: commandText(w, r)})
	}
	return append(
		out,
		fact{Name: w.Text("fact.judge-again"), Value: rejudge(r), Note: rejudgeWhere(w, r)},
		fact{Name: w.Text("fact.verify"), Value: verifyCommand(r), Note: rejudgeWhere(w, r)},
	)
}

// scenarioViews returns the sections of the scenarios, the gravest first, and the anchor of each by name.
func scenarioViews(r Report) ([]scenarioView, map[string]string) {
	res, w := r.Results, r.words
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
			Anchor: anchors[s.Name], Name: plain(s.Name), Title: said(w, s.Title), Outcome: viewOf(w, s.Worst),
			NotRun: said(w, s.NotRun), Watched: goSpan(s.Watched), Instance: plain(s.Instance),
		}
		if s.NotRun != "" {
			v.Outcome = outcomeView{Class: "o-not-applicable", Word: w.Text("outcome.not-played")}
		}
		vs := gravestFirst(of(res.Verdicts, s.Name))
		fresh := worst(unlisted(vs))
		if s.Worst == judge.Fail && fresh != judge.Fail {
			v.Outcome = knownView(w)
		}
		if s.NotRun == "" {
			v.Counts = w.Count("n.check", len(vs))
		}
		for _, f := range grouped(vs) {
			v.Verdicts = append(v.Verdicts, lineOf(r, f, nil))
		}
		v.Charts, v.Left = charts(w, v.Anchor, mostCharts(s.Worst, byScenario[s.Name]), byScenario[s.Name])
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
