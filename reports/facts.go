package reports

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

// fact is one line of the table that says what was run; every view shows the same.
type fact struct {
	Name, Value string
	Note        string // follows the value
	Code        bool   // to be set in a fixed-width face: something to copy or compare
	Wide        bool   // long
}

// facts returns what identifies a run: without it a report cannot be told from another.
func facts(r Results) []fact {
	out := []fact{
		{Name: "Sender", Value: senderText(r)},
		{Name: "Driver", Value: or(plain(r.Sender.Driver), "not stated")},
		{Name: "Abilities", Value: or(plain(strings.Join(r.Sender.Abilities, ", ")), "none")},
		{Name: "Contract", Value: contractText(r.Contract)},
		{Name: "Times", Value: compressionText(r.Contract)},
	}
	if s := r.Contract.Signature; s != nil {
		out = append(out, fact{Name: "Signature", Value: signatureText(*s)})
	}
	if s := scheduleText(r.Contract); s != "" {
		out = append(out, fact{Name: "Schedule", Value: s})
	}
	ended := "cut short: no end record"
	if r.Ended != nil {
		ended = clock(*r.Ended) + " (" + span(ran(r)) + ")"
	}
	out = append(
		out,
		fact{Name: "Started", Value: clock(r.Started)},
		fact{Name: "Ended", Value: ended},
		fact{Name: "Seed", Value: strconv.FormatUint(r.Seed, 10), Code: true},
		fact{Name: "Suite", Value: suiteText(r.Versions)},
		fact{Name: "Evidence", Value: evidenceText(r.Evidence)},
	)
	if r.Evidence.SHA256 != "" {
		out = append(out, fact{Name: "SHA-256", Value: plain(r.Evidence.SHA256), Code: true, Wide: true})
	}
	if r.Command != "" {
		out = append(out, fact{Name: "Run again", Value: plain(r.Command), Code: true, Wide: true})
	}
	return append(out, fact{Name: "Judge again", Value: rejudge(r), Note: rejudgeWhere(r), Code: true, Wide: true})
}

// rejudge is the command that draws the verdicts from the evidence again, without the sender.
func rejudge(r Results) string {
	return or(plain(r.Rejudge), "hookassay judge "+plain(r.Evidence.File))
}

// rejudgeWhere says from which folder that command is to be run, where it depends.
func rejudgeWhere(r Results) string {
	if r.Rejudge != "" {
		return ""
	}
	return "in this folder"
}

func senderText(r Results) string {
	name := or(plain(r.Sender.Name), "unnamed sender")
	if r.Sender.Version != "" {
		name += " " + plain(r.Sender.Version)
	}
	return name
}

func contractText(c Contract) string {
	name := or(plain(c.Name), "unnamed contract")
	if c.Title != "" {
		name += " (" + plain(c.Title) + ")"
	}
	return name
}

func signatureText(s Signature) string {
	text := plain(s.Scheme) + ", covers " + or(strings.Join(s.Covers, ", "), "nothing")
	if len(s.Open) > 0 {
		text += "; not " + strings.Join(s.Open, ", ")
	}
	return text
}

func compressionText(c Contract) string {
	if c.CompressedBy <= 1 {
		return "as published"
	}
	return fmt.Sprintf("compressed by %d: waits and deadline last 1/%d of the published", c.CompressedBy, c.CompressedBy)
}

func scheduleText(c Contract) string {
	var parts []string
	if len(c.Waits) > 0 {
		waits := make([]string, 0, len(c.Waits))
		for _, w := range c.Waits {
			waits = append(waits, goSpan(w))
		}
		parts = append(parts, "waits "+strings.Join(waits, ", "))
	}
	if c.Timeout != "" {
		parts = append(parts, "request timeout "+goSpan(c.Timeout))
	}
	if c.Deadline != "" {
		parts = append(parts, "deadline "+goSpan(c.Deadline))
	}
	return plain(strings.Join(parts, "; "))
}

func suiteText(v Versions) string {
	return fmt.Sprintf("hookassay %s, %s, %s/%s",
		or(plain(v.Suite), "of unknown version"), or(plain(v.Go), "unknown Go"), or(plain(v.OS), "?"), or(plain(v.Arch), "?"))
}

func evidenceText(e Evidence) string {
	return plain(e.File) + ", " + plural(e.Records, "record")
}

func or(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}

// countsText is the sentence "41 pass, 2 fail, …", the gravest first, without the outcomes that did not occur.
func countsText(c Counts) string {
	var parts []string
	for _, o := range outcomes() {
		if n := *c.outcome(o); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o)+knownText(c, o))
		}
	}
	if len(parts) == 0 {
		return "no verdicts"
	}
	return strings.Join(parts, ", ")
}

// knownText says how many of the failures are known.
func knownText(c Counts, o judge.Outcome) string {
	if o != judge.Fail || c.Known == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d known)", c.Known)
}

// sizeText says how much was done.
func sizeText(r Results) string {
	c := r.Counts
	s := plural(c.Scenarios, "scenario")
	if n := len(r.LeftOut); n > 0 {
		s = fmt.Sprintf("%d of %s", c.Scenarios, plural(c.Scenarios+n, "scenario"))
	}
	if c.NotRun > 0 {
		s += fmt.Sprintf(" (%d not played)", c.NotRun)
	}
	return fmt.Sprintf("%s, %s, %s, %s", s, plural(c.Checks, "check"), plural(c.Events, "event"), plural(c.Attempts, "attempt"))
}

// selectionText warns that a verdict is about a part only; empty if nothing was left out by selection.
func selectionText(r Results) string {
	n := len(r.LeftOut)
	if n == 0 {
		return ""
	}
	all := plural(r.Counts.Scenarios+n, "scenario")
	s := fmt.Sprintf("%d of %s selected", r.Counts.Scenarios, all)
	if by := selectedBy(r); by != "" {
		s += " by " + by
	}
	return s + fmt.Sprintf(": the verdict says nothing of the other %d.", n)
}

func selectedBy(r Results) string { return plain(strings.Join(r.Selected, ", ")) }

// sizeRows is sizeText as a table.
func sizeRows(r Results) []row {
	c := r.Counts
	rows := []row{{"Scenarios played", strconv.Itoa(c.Scenarios - c.NotRun)}}
	if n := len(r.LeftOut); n > 0 {
		rows[0].Value += fmt.Sprintf(" of %d", c.Scenarios+n)
		rows = append(rows, row{"Scenarios not selected", strconv.Itoa(n)})
	}
	return append(
		rows,
		row{"Scenarios not played", strconv.Itoa(c.NotRun)},
		row{"Different checks", strconv.Itoa(c.Checks)},
		row{"Events emitted", strconv.Itoa(c.Events)},
		row{"Attempts received", strconv.Itoa(c.Attempts)},
	)
}

// term is an entry of the glossary.
type term struct {
	Outcome judge.Outcome
	Text    string
}

func glossary() []term {
	return []term{
		{judge.Pass, "The planned situation happened, and the sender kept the promise. A check whose situation did not happen never passes."},
		{judge.Fail, "The sender broke a promise that its contract calls binding (MUST). A known failure is listed with a reason, and put up with."},
		{judge.Warn, "The sender broke a promise that its contract gives as advice (SHOULD)."},
		{judge.Observed, "The contract says nothing about this. What the sender does is written down and not judged."},
		{judge.Inconclusive, "It cannot be told: the machine was too noisy, records are missing, or there was nothing to judge."},
		{judge.NotApplicable, "The contract does not promise this, or the sender lacks the ability that the check needs."},
		{judge.Error, "Something went wrong in the harness. This says nothing about the sender."},
	}
}
