package reports

import (
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// fact is one line of the table that says what was run; every view shows the same.
type fact struct {
	Name, Value string
	Note        string // follows the value
	Code        bool   // to be set in a fixed-width face: something to copy or compare
	Wide        bool   // long
}

// facts returns what identifies a run: without it a report cannot be told from another.
func facts(w words.Texts, r Results) []fact {
	out := []fact{
		{Name: w.Text("fact.sender"), Value: senderText(w, r)},
		{Name: w.Text("fact.driver"), Value: or(plain(r.Sender.Driver), w.Text("fact.not-stated"))},
		{Name: w.Text("fact.abilities"), Value: or(plain(strings.Join(r.Sender.Abilities, ", ")), w.Text("fact.none"))},
		{Name: w.Text("fact.contract"), Value: contractText(w, r.Contract)},
		{Name: w.Text("fact.times"), Value: compressionText(w, r.Contract)},
	}
	if s := r.Contract.Signature; s != nil {
		out = append(out, fact{Name: w.Text("fact.signature"), Value: signatureText(w, *s)})
	}
	if s := scheduleText(w, r.Contract); s != "" {
		out = append(out, fact{Name: w.Text("fact.schedule"), Value: s})
	}
	ended := w.Text("fact.cut")
	if r.Ended != nil {
		ended = w.Text("fact.took", clock(*r.Ended), span(ran(r)))
	}
	out = append(
		out,
		fact{Name: w.Text("fact.started"), Value: clockIn(w, r.Started)},
		fact{Name: w.Text("fact.ended"), Value: ended},
		fact{Name: w.Text("fact.seed"), Value: strconv.FormatUint(r.Seed, 10), Code: true},
		fact{Name: w.Text("fact.suite"), Value: suiteText(w, r.Versions)},
		fact{Name: w.Text("fact.evidence"), Value: evidenceText(w, r.Evidence)},
	)
	if r.Evidence.SHA256 != "" {
		out = append(out, fact{Name: w.Text("fact.sha"), Value: plain(r.Evidence.SHA256), Code: true, Wide: true})
	}
	if r.Command != "" {
		out = append(out, fact{Name: w.Text("fact.run-again"), Value: commandText(w, r), Code: true, Wide: true})
	}
	return append(out, fact{Name: w.Text("fact.judge-again"), Value: rejudge(r), Note: rejudgeWhere(w, r), Code: true, Wide: true})
}

// commandText is the command of the run. A sentence stands in its place where it is not known.
func commandText(w words.Texts, r Results) string { return sentence(w, r.Command) }

// rejudge is the command that draws the verdicts from the evidence again, without the sender.
func rejudge(r Results) string {
	return or(plain(r.Rejudge), "hookassay judge "+plain(r.Evidence.File))
}

// rejudgeWhere says from which folder that command is to be run, where it depends.
func rejudgeWhere(w words.Texts, r Results) string {
	if r.Rejudge != "" {
		return ""
	}
	return w.Text("fact.in-folder")
}

func senderText(w words.Texts, r Results) string {
	name := or(plain(r.Sender.Name), w.Text("fact.no-sender"))
	if r.Sender.Version != "" {
		name += " " + plain(r.Sender.Version)
	}
	return name
}

func contractText(w words.Texts, c Contract) string {
	name := or(plain(c.Name), w.Text("fact.no-contract"))
	if c.Title != "" {
		name = w.Text("fact.titled", name, plain(c.Title))
	}
	return name
}

func signatureText(w words.Texts, s Signature) string {
	text := w.Text("fact.covers", plain(s.Scheme), or(strings.Join(s.Covers, ", "), w.Text("fact.nothing")))
	if len(s.Open) > 0 {
		text += w.Text("fact.covers-not", strings.Join(s.Open, ", "))
	}
	return text
}

func compressionText(w words.Texts, c Contract) string {
	if c.CompressedBy <= 1 {
		return w.Text("fact.published")
	}
	return w.Text("fact.compressed", c.CompressedBy, c.CompressedBy)
}

func scheduleText(w words.Texts, c Contract) string {
	var parts []string
	if len(c.Waits) > 0 {
		waits := make([]string, 0, len(c.Waits))
		for _, w := range c.Waits {
			waits = append(waits, goSpan(w))
		}
		parts = append(parts, w.Text("fact.waits", strings.Join(waits, ", ")))
	}
	if c.Timeout != "" {
		parts = append(parts, w.Text("fact.timeout", goSpan(c.Timeout)))
	}
	if c.Deadline != "" {
		parts = append(parts, w.Text("fact.deadline", goSpan(c.Deadline)))
	}
	return plain(strings.Join(parts, w.Text("list.semicolon")))
}

func suiteText(w words.Texts, v Versions) string {
	return w.Text("fact.suite-text",
		or(plain(v.Suite), w.Text("fact.no-version")), or(plain(v.Go), w.Text("fact.no-go")), or(plain(v.OS), "?"), or(plain(v.Arch), "?"))
}

func evidenceText(w words.Texts, e Evidence) string {
	return w.Text("fact.evidence-text", plain(e.File), w.Count("n.record", e.Records))
}

func or(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}

// countsText is the sentence "41 pass, 2 fail, …", the gravest first, without the outcomes that did not occur.
func countsText(w words.Texts, c Counts) string {
	var parts []string
	for _, o := range outcomes() {
		if n := *c.outcome(o); n > 0 {
			parts = append(parts, w.Text("outcome.count", n, w.Known("outcome", string(o)))+knownText(w, c, o))
		}
	}
	if len(parts) == 0 {
		return w.Text("outcome.none-at-all")
	}
	return strings.Join(parts, w.Text("list.comma"))
}

// knownText says how many of the failures are known.
func knownText(w words.Texts, c Counts, o judge.Outcome) string {
	if o != judge.Fail || c.Known == 0 {
		return ""
	}
	return w.Text("outcome.of-them-known", c.Known)
}

// sizeText says how much was done.
func sizeText(w words.Texts, r Results) string {
	c := r.Counts
	s := w.Count("n.scenario", c.Scenarios)
	if n := len(r.LeftOut); n > 0 {
		s = w.Text("size.of", c.Scenarios, w.Count("n.scenario", c.Scenarios+n))
	}
	if c.NotRun > 0 {
		s += w.Text("size.not-played", c.NotRun)
	}
	return w.Text("size.line", s, w.Count("n.check", c.Checks), w.Count("n.event", c.Events), w.Count("n.attempt", c.Attempts))
}

// selectionText warns that a verdict is about a part only; empty if nothing was left out by selection.
func selectionText(w words.Texts, r Results) string {
	n := len(r.LeftOut)
	if n == 0 {
		return ""
	}
	s := w.Text("selection.of", r.Counts.Scenarios, w.Count("n.scenario", r.Counts.Scenarios+n))
	if by := selectedBy(r); by != "" {
		s += w.Text("selection.by", by)
	}
	return s + w.Text("selection.rest", n)
}

func selectedBy(r Results) string { return plain(strings.Join(r.Selected, ", ")) }

// sizeRows is sizeText as a table.
func sizeRows(w words.Texts, r Results) []row {
	c := r.Counts
	rows := []row{{w.Text("size.played"), strconv.Itoa(c.Scenarios - c.NotRun)}}
	if n := len(r.LeftOut); n > 0 {
		rows[0].Value += w.Text("size.played-of", c.Scenarios+n)
		rows = append(rows, row{w.Text("size.not-selected"), strconv.Itoa(n)})
	}
	return append(
		rows,
		row{w.Text("size.idle"), strconv.Itoa(c.NotRun)},
		row{w.Text("size.checks"), strconv.Itoa(c.Checks)},
		row{w.Text("size.events"), strconv.Itoa(c.Events)},
		row{w.Text("size.attempts"), strconv.Itoa(c.Attempts)},
	)
}

// term is an entry of the glossary.
type term struct {
	Outcome judge.Outcome
	Text    string
}

func glossary(w words.Texts) []term {
	var out []term
	for _, o := range []judge.Outcome{
		judge.Pass, judge.Fail, judge.Warn, judge.Observed, judge.Inconclusive, judge.NotApplicable, judge.Error,
	} {
		out = append(out, term{o, w.Text("glossary." + string(o))})
	}
	return out
}
