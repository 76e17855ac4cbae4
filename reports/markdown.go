package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

// maxListed keeps the summary a summary, so that it fits in a CI job's page; results.json has all.
const maxListed = 50

func writeMarkdown(w io.Writer, r Report) error {
	var b strings.Builder
	res := r.Results
	fmt.Fprintf(&b, "# %s: %s\n\n", md(senderText(res)), md(string(res.Verdict)))
	fmt.Fprintf(&b, "%s\n\n", md(or(plain(res.Why), "No reason was given.")))
	fmt.Fprintf(&b, "%s: %s.\n", sizeText(res.Counts), countsText(res.Counts))
	mdAcceptance(&b, res)
	mdVerdicts(&b, "Failures", with(res.Verdicts, judge.Fail))
	mdVerdicts(&b, "Errors of the harness", with(res.Verdicts, judge.Error))
	mdVerdicts(&b, "Warnings", with(res.Verdicts, judge.Warn))
	mdVerdicts(&b, "Observed, not judged", with(res.Verdicts, judge.Observed))
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
	if len(a.DeadLetters) == 0 {
		return
	}
	b.WriteString("\n| Dead letter | Reason | Attempts | Last status | Replay |\n|---|---|---:|---:|---|\n")
	for i, d := range a.DeadLetters {
		if i == maxListed {
			fmt.Fprintf(b, "\n%d more in %s.\n", len(a.DeadLetters)-i, resultsFile)
			break
		}
		fmt.Fprintf(b, "| %s | %s | %d | %s | %s |\n", md(plain(d.ID)), md(or(plain(d.Reason), "no reason stated")),
			d.Attempts, statusText(d.LastStatus), md(or(plain(d.Replay), "none")))
	}
}

func mdVerdicts(b *strings.Builder, title string, vs []judge.Verdict) {
	if len(vs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s (%d)\n\n", title, len(vs))
	for i, v := range vs {
		if i == maxListed {
			fmt.Fprintf(b, "\n%d more in %s.\n", len(vs)-i, resultsFile)
			return
		}
		fmt.Fprintf(b, "- **%s**: %s\n", md(where(v)), md(because(v)))
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
	for i, g := range list {
		if i == maxListed {
			fmt.Fprintf(b, "\n%d more in %s.\n", len(list)-i, resultsFile)
			return
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", md(g.What), md(g.Kind), md(g.Why))
	}
}

func mdRun(b *strings.Builder, r Results) {
	b.WriteString("\n## Run\n\n| | |\n|---|---|\n")
	for _, f := range facts(r) {
		value := md(f.Value)
		if f.Code {
			value = mdCode(f.Value)
		}
		fmt.Fprintf(b, "| %s | %s |\n", md(f.Name), value)
	}
	fmt.Fprintf(b, "\nEvery verdict can be drawn from the evidence again, offline:\n\n```sh\n%s\n```\n", rejudge(r))
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
