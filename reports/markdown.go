package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

// maxListed keeps the summary a summary, so that it fits in a CI job's page; results.json has all.
const maxListed = 50

// maxNames is what fits in a cell of a table.
const maxNames = 30

func writeMarkdown(w io.Writer, r Report) error {
	var b strings.Builder
	res := r.Results
	fmt.Fprintf(&b, "# %s: %s\n\n", md(senderText(res)), md(string(res.Verdict)))
	fmt.Fprintf(&b, "%s\n\n", md(or(plain(res.Why), "No reason was given.")))
	fmt.Fprintf(&b, "%s: %s.\n", sizeText(res), countsText(res.Counts))
	if s := selectionText(res); s != "" {
		fmt.Fprintf(&b, "\n%s\n", md(s))
	}
	mdAcceptance(&b, res)
	mdKnown(&b, res)
	mdVerdicts(&b, "Failures", unlisted(with(res.Verdicts, judge.Fail)))
	if hint := explainHint(res); hint != "" {
		fmt.Fprintf(&b, "\n%s\n", md(hint))
	}
	mdVerdicts(&b, "Errors of the harness", with(res.Verdicts, judge.Error))
	mdVerdicts(&b, "Warnings", unlisted(with(res.Verdicts, judge.Warn)))
	mdVerdicts(&b, "Known failures", listed(res.Verdicts))
	mdVerdicts(&b, "Observed, not judged", with(res.Verdicts, judge.Observed))
	mdDead(&b, r)
	mdGaps(&b, res)
	mdRun(&b, res)
	_, err := io.WriteString(w, b.String())
	return err
}

func mdAcceptance(b *strings.Builder, r Results) {
	b.WriteString("\n## Acceptance\n\n")
	if r.Acceptance == nil {
		b.WriteString("Not measured in this run.\n")
		return
	}
	a := *r.Acceptance
	fmt.Fprintf(b, "**%s**\n\n%s\n\n| | |\n|---|---:|\n", formula(a), met(a))
	for _, row := range acceptanceRows(a) {
		fmt.Fprintf(b, "| %s | %s |\n", md(row.Name), md(row.Value))
	}
	if len(a.MissingIDs) > 0 {
		fmt.Fprintf(b, "\nMissing: %s\n", md(missing(a)))
	}
}

func mdDead(b *strings.Builder, r Report) {
	list := deadLetters(r)
	if len(list) == 0 {
		return
	}
	b.WriteString("\n## Dead letters\n\n| Event | Scenario | Reason | Attempts | Last status | Replay |\n|---|---|---|---:|---:|---|\n")
	for i, d := range list {
		if i == maxListed {
			fmt.Fprintf(b, "\n%d more in %s.\n", len(list)-i, resultsFile)
			break
		}
		reason := d.Reason
		if d.Hint != "" {
			reason += " (hint: " + d.Hint + ")"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %s |\n", md(d.Event), md(d.Scenario), md(reason), d.Attempts, md(d.LastStatus), md(d.replayText()))
	}
}

// mdKnown lists what is wrong with the known failures.
func mdKnown(b *strings.Builder, r Results) {
	list := knownProblems(r)
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Known failures that are wrong (%d)\n\n", len(list))
	for _, p := range list {
		fmt.Fprintf(b, "- %s\n", md(p))
	}
}

func mdVerdicts(b *strings.Builder, title string, vs []judge.Verdict) {
	if len(vs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s (%d)\n\n", title, len(vs))
	list := grouped(vs)
	for i, f := range list {
		if i == maxListed {
			fmt.Fprintf(b, "\n%d more in %s.\n", len(list)-i, resultsFile)
			return
		}
		fmt.Fprintf(b, "- **%s**: %s\n", md(f.where()), md(f.because()))
	}
}

func mdGaps(b *strings.Builder, r Results) {
	b.WriteString("\n## What was not tested, and why\n\n")
	list := gaps(r)
	if len(list) == 0 {
		b.WriteString(noGaps(r) + "\n")
		return
	}
	b.WriteString("| What | | Why |\n|---|---|---|\n")
	for _, g := range list {
		fmt.Fprintf(b, "| %s | %s | %s |\n", md(namesText(g.What)), md(g.Kind), md(g.Why))
	}
}

func mdRun(b *strings.Builder, r Results) {
	b.WriteString("\n## Run\n\n| | |\n|---|---|\n")
	for _, f := range facts(r) {
		value := md(f.Value)
		if f.Code {
			value = mdCode(f.Value)
		}
		if f.Note != "" {
			value += " (" + md(f.Note) + ")"
		}
		fmt.Fprintf(b, "| %s | %s |\n", md(f.Name), value)
	}
	where := rejudgeWhere(r)
	if where != "" {
		where = ", " + where
	}
	fmt.Fprintf(b, "\nEvery verdict can be drawn from the evidence again, offline%s:\n\n```sh\n%s\n```\n", where, rejudge(r))
}

// namesText lists what one reason kept from being tested, the first few of many; the reason itself is never left out.
func namesText(names []string) string {
	if n := len(names) - maxNames; n > 0 {
		return fmt.Sprintf("%s and %d more in %s", strings.Join(names[:maxNames], ", "), n, resultsFile)
	}
	return strings.Join(names, ", ")
}

// md escapes every character that Markdown or the HTML inside it could act on. Its input is plain: one line, no control
// characters.
func md(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]<>#|~!&", r), i == 0 && strings.ContainsRune("+-=", r):
			b.WriteByte('\\')
		case r == ':' && strings.HasPrefix(s[i:], "://"):
			// Readers turn bare addresses into links; a stranger's text makes none.
			b.WriteString("&#58;")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// mdCode sets s as code inside a table cell, where a bar must be escaped even in code.
func mdCode(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	pad := ""
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		pad = " "
	}
	return fence + pad + strings.ReplaceAll(s, "|", `\|`) + pad + fence
}
