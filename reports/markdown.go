package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// maxListed keeps the summary a summary, so that it fits in a CI job's page; results.json has all.
const maxListed = 50

// maxNames is what fits in a cell of a table.
const maxNames = 30

func writeMarkdown(out io.Writer, r Report) error {
	var b strings.Builder
	res, w := r.Results, r.words
	fmt.Fprintf(&b, "# %s\n\n", w.Text("md.title", md(senderText(w, res)), md(verdictName(w, res.Verdict))))
	fmt.Fprintf(&b, "%s\n\n", md(or(sentence(w, res.Why), w.Text("finding.no-reason"))))
	b.WriteString(w.Text("size.counts", sizeText(w, res), countsText(w, res.Counts)) + "\n")
	if s := selectionText(w, res); s != "" {
		fmt.Fprintf(&b, "\n%s\n", md(s))
	}
	mdAcceptance(&b, w, res)
	mdKnown(&b, w, res)
	mdVerdicts(&b, w, "md.failures", unlisted(with(res.Verdicts, judge.Fail)))
	if hint := explainHint(w, res); hint != "" {
		fmt.Fprintf(&b, "\n%s\n", md(hint))
	}
	mdVerdicts(&b, w, "md.errors", with(res.Verdicts, judge.Error))
	mdVerdicts(&b, w, "md.warnings", unlisted(with(res.Verdicts, judge.Warn)))
	mdVerdicts(&b, w, "known.head", listed(res.Verdicts))
	mdVerdicts(&b, w, "md.observed", with(res.Verdicts, judge.Observed))
	mdDead(&b, r)
	mdGaps(&b, w, res)
	mdRun(&b, w, res)
	_, err := io.WriteString(out, b.String())
	return err
}

// verdictName is the word that results.json has, and what it means where the language is another.
func verdictName(w words.Texts, v judge.RunVerdict) string {
	if w.Language == words.English || v == "" {
		return string(v)
	}
	return w.Text("fact.titled", verdictWord(w, v), string(v))
}

func mdAcceptance(b *strings.Builder, w words.Texts, r Results) {
	b.WriteString("\n## " + w.Text("acceptance.head") + "\n\n")
	if r.Acceptance == nil {
		b.WriteString(w.Text("acceptance.none-short") + "\n")
		return
	}
	a := *r.Acceptance
	fmt.Fprintf(b, "**%s**\n\n%s\n\n| | |\n|---|---:|\n", formula(a), met(w, a))
	for _, row := range acceptanceRows(w, a) {
		fmt.Fprintf(b, "| %s | %s |\n", md(row.Name), md(row.Value))
	}
	if len(a.MissingIDs) > 0 {
		b.WriteString("\n" + w.Text("md.missing", md(missing(w, a))) + "\n")
	}
}

func mdDead(b *strings.Builder, r Report) {
	list := deadLetters(r)
	if len(list) == 0 {
		return
	}
	w := r.words
	fmt.Fprintf(b, "\n## %s\n\n| %s | %s | %s | %s | %s | %s |\n|---|---|---|---:|---:|---|\n", w.Text("toc.dead"), w.Text("dead.event"),
		w.Text("dead.scenario"), w.Text("dead.reason-only"), w.Text("dead.attempts"), w.Text("dead.last"), w.Text("dead.replay"))
	for i, d := range list {
		if i == maxListed {
			b.WriteString("\n" + w.Text("n.listed-more", len(list)-i, resultsFile) + "\n")
			break
		}
		reason := d.Reason
		if d.Hint != "" {
			reason += w.Text("dead.hint", d.Hint)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %s |\n", md(d.Event), md(d.Scenario), md(reason), d.Attempts, md(d.LastStatus), md(d.replayText(w)))
	}
}

// mdKnown lists what is wrong with the known failures.
func mdKnown(b *strings.Builder, w words.Texts, r Results) {
	list := knownProblems(r)
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", w.Text("md.known-wrong", len(list)))
	for _, p := range list {
		fmt.Fprintf(b, "- %s\n", md(sentence(w, p)))
	}
}

func mdVerdicts(b *strings.Builder, w words.Texts, title string, vs []judge.Verdict) {
	if len(vs) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", w.Text("md.section", w.Text(title), len(vs)))
	list := grouped(vs)
	for i, f := range list {
		if i == maxListed {
			b.WriteString("\n" + w.Text("n.listed-more", len(list)-i, resultsFile) + "\n")
			return
		}
		b.WriteString("- " + w.Text("md.item", md(f.where(w)), md(f.because(w))) + "\n")
	}
}

func mdGaps(b *strings.Builder, w words.Texts, r Results) {
	b.WriteString("\n## " + w.Text("gaps.head") + "\n\n")
	list := gaps(w, r)
	if len(list) == 0 {
		b.WriteString(noGaps(w, r) + "\n")
		return
	}
	fmt.Fprintf(b, "| %s | | %s |\n|---|---|---|\n", w.Text("gaps.what"), w.Text("gaps.why"))
	for _, g := range list {
		fmt.Fprintf(b, "| %s | %s | %s |\n", md(namesText(w, g.What)), md(g.Kind), md(sentence(w, g.Why)))
	}
}

func mdRun(b *strings.Builder, w words.Texts, r Results) {
	b.WriteString("\n## " + w.Text("toc.run") + "\n\n| | |\n|---|---|\n")
	for _, f := range facts(w, r) {
		value := md(f.Value)
		if f.Code {
			value = mdCode(f.Value)
		}
		if f.Note != "" {
			value += w.Text("end.where", md(f.Note))
		}
		fmt.Fprintf(b, "| %s | %s |\n", md(f.Name), value)
	}
	where := rejudgeWhere(w, r)
	if where != "" {
		where = w.Text("md.again-where", where)
	}
	fmt.Fprintf(b, "\n%s\n\n```sh\n%s\n```\n", w.Text("md.again", where), rejudge(r))
}

// namesText lists what one reason kept from being tested, the first few of many; the reason itself is never left out.
func namesText(w words.Texts, names []string) string {
	if n := len(names) - maxNames; n > 0 {
		return w.Text("n.names-more", strings.Join(names[:maxNames], w.Text("list.comma")), n, resultsFile)
	}
	return strings.Join(names, w.Text("list.comma"))
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
