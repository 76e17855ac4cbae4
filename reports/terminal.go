package reports

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

const (
	// Below this a wrapped sentence is unreadable; above it the eye loses the line.
	minWidth, maxWidth = 40, 100
	// A summary should fit on a screen: the gravest come first, the rest is in the report.
	maxTerminal = 20
)

// Terminal writes the summary with which a run ends, wrapped at width columns (40 to 100; 0 means 80), with ANSI colours if
// color is set. Every colour stands beside a word that says the same.
func Terminal(w io.Writer, r Results, width int, color bool) error {
	if width == 0 {
		width = 80
	}
	t := terminal{words: english(), width: min(max(width, minWidth), maxWidth), color: color}
	t.banner(r)
	t.acceptance(r)
	t.problems(r)
	t.findings("fail", grouped(unlisted(with(r.Verdicts, judge.Fail))))
	if hint := explainHint(t.words, r); hint != "" {
		t.WriteString("\n")
		t.wrap("  ", hint)
	}
	t.findings("error", causes(grouped(with(r.Verdicts, judge.Error))))
	t.findings("warn", grouped(unlisted(with(r.Verdicts, judge.Warn))))
	t.findings("known", grouped(listed(r.Verdicts)))
	t.notTested(r)
	t.again(r)
	_, err := io.WriteString(w, t.String())
	return err
}

type terminal struct {
	strings.Builder
	words words.Texts
	width int
	color bool
}

func (t *terminal) banner(r Results) {
	fmt.Fprintf(t, "\n%s  %s\n", t.paint(strings.ToUpper(string(r.Verdict)), verdictColor(r.Verdict)), senderText(t.words, r))
	t.wrap("", or(plain(r.Why), "No reason was given."))
	t.wrap("", t.words.Text("size.counts", sizeText(t.words, r), countsText(t.words, r.Counts)))
	t.wrap("", selectionText(t.words, r))
}

func (t *terminal) acceptance(r Results) {
	if r.Acceptance == nil {
		return
	}
	a := *r.Acceptance
	color := ansiGreen
	if !reached(a) {
		color = ansiRed
	}
	fmt.Fprintf(t, "\nacceptance  %s\n", t.paint(formula(a), color))
	t.wrap("  ", met(t.words, a))
	t.wrap("  ", fmt.Sprintf("Dead-lettered %s, pending %d, missing %d, received again %s.",
		deadText(a), a.Pending, len(a.MissingIDs), duplicates(a)))
}

// problems shows what is wrong with the known failures.
func (t *terminal) problems(r Results) {
	for _, p := range knownProblems(r) {
		fmt.Fprintf(t, "\n%s  ", t.paint("fail", ansiRed))
		t.wrapFrom(len("fail")+2, "  ", p)
	}
}

func (t *terminal) findings(word string, list []finding) {
	for i, f := range list {
		if i == maxTerminal {
			fmt.Fprintf(t, "\n  %d more with outcome %s, see report.html\n", len(list)-i, word)
			return
		}
		color := outcomeColor(f.Outcome)
		if f.Known != "" {
			color = ansiYellow
		}
		fmt.Fprintf(t, "\n%s  ", t.paint(word, color))
		t.wrapFrom(len(word)+2, "  ", f.where(t.words))
		t.wrap("  ", f.because(t.words))
	}
}

// causes keeps the first of the findings that differ in nothing but their scenario: a sender that cannot be reached would be told of once
// for each.
func causes(list []finding) []finding {
	cause := func(f finding) string { // endpoints have the names of their scenarios, with a dot
		return strings.ReplaceAll(f.Because, strings.ReplaceAll(f.Scenario, "/", "."), "")
	}
	n := map[string]int{}
	for _, f := range list {
		n[cause(f)]++
	}
	var out []finding
	told := map[string]bool{}
	for _, f := range list {
		k := cause(f)
		if told[k] {
			continue
		}
		told[k] = true
		if n[k] > 1 {
			f.Because += fmt.Sprintf(" (and %d more like it)", n[k]-1)
		}
		out = append(out, f)
	}
	return out
}

func (t *terminal) notTested(r Results) {
	list := gaps(t.words, r)
	if len(list) == 0 {
		return
	}
	t.WriteString("\n")
	t.wrap("", "not tested  "+gapsText(t.words, list)+"; the reasons are in summary.md and report.html")
}

func (t *terminal) again(r Results) {
	fmt.Fprintf(t, "\nseed         %d\n", r.Seed)
	if r.Command != "" {
		fmt.Fprintf(t, "run again    %s\n", plain(r.Command))
	}
	fmt.Fprintf(t, "judge again  %s\n", rejudge(r))
	if where := rejudgeWhere(t.words, r); where != "" {
		fmt.Fprintf(t, "             (%s)\n", strings.Replace(where, "this", "the report's", 1))
	}
}

// wrap writes s in lines of the width, each after indent. A word that is too long has a line of its own. Nothing is written
// for an empty s.
func (t *terminal) wrap(indent, s string) {
	if s == "" {
		return
	}
	t.wrapFrom(0, indent, s)
}

// wrapFrom is wrap on a line that already holds used columns and a blank.
func (t *terminal) wrapFrom(used int, indent, s string) {
	first := used > 0
	for word := range strings.FieldsSeq(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case first:
			first = false
		case used == 0:
			t.WriteString(indent)
			used = len(indent)
		case used+1+n > t.width:
			t.WriteString("\n" + indent)
			used = len(indent)
		default:
			t.WriteString(" ")
			used++
		}
		t.WriteString(word)
		used += n
	}
	t.WriteString("\n")
}

// ANSI colours of the basic eight, which every theme of a terminal keeps readable.
const (
	ansiRed     = "31"
	ansiGreen   = "32"
	ansiYellow  = "33"
	ansiMagenta = "35"
)

func (t *terminal) paint(s, color string) string {
	if !t.color {
		return s
	}
	return "\x1b[1;" + color + "m" + s + "\x1b[0m"
}

func verdictColor(v judge.RunVerdict) string {
	switch v {
	case judge.Conformant:
		return ansiGreen
	case judge.Incomplete, judge.ConformantWithKnown:
		return ansiYellow
	case judge.NonConformant:
		return ansiRed
	case judge.RunError:
		return ansiMagenta
	}
	return ansiMagenta
}

func outcomeColor(o judge.Outcome) string {
	switch o {
	case judge.Pass:
		return ansiGreen
	case judge.Fail:
		return ansiRed
	case judge.Warn, judge.Inconclusive, judge.Observed, judge.NotApplicable:
		return ansiYellow
	case judge.Error:
		return ansiMagenta
	}
	return ansiMagenta
}
