package reports

import (
	"fmt"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// proof is what opens below a verdict that is no pass: what was expected and allowed, what to do, and how to see it again.
type proof struct {
	Expected, Allowed, Hint []piece
	Curl                    string // the first request that the verdict rests on, without its signature
	Play                    string // plays the scenario again
}

// proofOf returns the proof of a finding; nil where the check is not known to this version.
func proofOf(r Report, f finding) *proof {
	if len(f.Checks) == 0 {
		return nil
	}
	e, lang, ok := explained(r.words, f.Checks[0])
	if !ok {
		return nil
	}
	in := func(text string) []piece { return []piece{{text, lang}} }
	p := &proof{Expected: in(e.Judged), Allowed: in(e.Allowance), Hint: in(firstSentence(e.Fix)), Play: playAgain(r.Results, f.Scenario)}
	for _, n := range f.Records {
		if x, ok := r.byLine[n]; ok {
			p.Curl = curlOf(x)
			break
		}
	}
	return p
}

// firstSentence keeps a hint to one line.
func firstSentence(s string) string {
	for _, stop := range []string{". ", "。"} {
		if i := strings.Index(s, stop); i >= 0 {
			return s[:i+len(strings.TrimSpace(stop))]
		}
	}
	return s
}

// playAgain is the run's command for one scenario alone; empty if the command is not known.
func playAgain(r Results, scenario string) string {
	if !strings.HasPrefix(r.Command, "hookassay ") || scenario == "" || strings.Contains(r.Command, "--select") {
		return ""
	}
	return plain(r.Command) + " --select " + shellWord(scenario)
}

// curlOf sends a request again to "$RECEIVER", a URL without a path. Each part is a stranger's, and quoted. It is empty where bytes are
// missing: another request would prove nothing.
func curlOf(x exchange) string {
	if x.Request.Method == "" || strings.HasPrefix(x.Cut, "the request's body") {
		return ""
	}
	_, target, _ := strings.Cut(strings.TrimPrefix(x.Request.URL, "http://"), "/")
	args := []string{"curl -g --path-as-is -i -X " + shellWord(x.Request.Method) + ` "$RECEIVER"` + shellWord("/"+target)}
	for _, h := range x.Request.Headers {
		switch strings.ToLower(h.Name) {
		case "host", "content-length", "transfer-encoding", ":authority", "connection", "accept-encoding":
			continue
		}
		if strings.Contains(h.Value, gone) || !isToken(h.Name) {
			continue // a signature that is not here; hookassay sign makes one
		}
		args = append(args, "-H "+shellWord(h.Name+": "+h.Value))
	}
	if b := x.Request.Body; b != nil {
		if strings.Contains(b.Text, gone) {
			return ""
		}
		args = append(args, "--data-raw "+shellWord(b.Text))
	}
	return strings.Join(args, " \\\n  ")
}

func isToken(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) }) < 0
}

// shellWord quotes text so that a shell reads it as one word, control characters written out.
func shellWord(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0 {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(s) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

// byLine indexes the exchanges that verdicts can cite.
func byLine(all []exchange) map[int]exchange {
	out := make(map[int]exchange, len(all))
	for _, x := range all {
		out[x.Line] = x
	}
	return out
}

// mostCharts is how many events of a scenario are drawn: where nothing is wrong a few show the pattern.
func mostCharts(worst judge.Outcome, all []drawn) int {
	if worthReading(worst) {
		return maxCharts
	}
	for _, t := range all {
		for _, a := range t.Attempts {
			if a.Off != "" {
				return maxCharts
			}
		}
		if t.Final != evidence.StateDelivered && t.Final != evidence.StateDead {
			return maxCharts
		}
	}
	return maxChartsPass
}
