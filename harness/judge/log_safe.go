package judge

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/evidence"
)

const (
	// trace is how many bytes of an answer after a control character make it certain that the answer is where it came from.
	trace = 8
	// leastTrace is the least of them; a bare control character may be the sender's own, as where it colours its output.
	leastTrace = 4
)

// hostile are the parts of answers that do harm where they are shown as they are.
type hostile struct {
	controls []string // a control character and what follows it
	lines    []string // what follows a line end
	tags     []string
}

func (h hostile) any() bool { return len(h.controls) > 0 || len(h.lines) > 0 }

var tag = regexp.MustCompile(`<[a-zA-Z][^<>]*>`)

// hostileIn finds them in the body of an answer.
func hostileIn(body string) hostile {
	var h hostile
	for i, r := range body {
		rest := body[i+utf8.RuneLen(r):]
		switch {
		case r == '\n':
			line, _, _ := strings.Cut(rest, "\n")
			if line = strings.TrimRight(line, "\r"); len(line) >= trace && !startsOddly(line) {
				h.lines = append(h.lines, line)
			}
		case r == utf8.RuneError, r == '\t', !unicode.IsControl(r), r == '\r' && strings.HasPrefix(rest, "\n"):
		default:
			after, _, _ := strings.Cut(rest, "\n")
			if after = clipBytes(after, trace); len(after) >= leastTrace {
				h.controls = append(h.controls, string(r)+after)
			}
		}
	}
	h.tags = tag.FindAllString(body, -1)
	return h
}

// startsOddly tells whether a line begins with white space, behind which a sender may rightly have put it.
func startsOddly(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	return unicode.IsSpace(r)
}

func clipBytes(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	return strings.ToValidUTF8(s, "")
}

// in says what of them stands in a line of output, or in an answer of the sender's API, as it was; "" if nothing does. JSON escapes
// what stands in it, so that only the raw bytes of an answer count; markup does harm only in an answer that is markup itself.
func (h hostile) in(o *evidence.Output) string {
	for _, c := range h.controls {
		if strings.Contains(o.Line, c) {
			r, _ := utf8.DecodeRuneInString(c)
			return fmt.Sprintf("the control character %U", r)
		}
	}
	if !strings.HasPrefix(o.Stream, evidence.StreamAPI) {
		for _, l := range h.lines {
			if strings.HasPrefix(o.Line, l) {
				return "a line of its own"
			}
		}
		return ""
	}
	if strings.HasPrefix(strings.TrimSpace(o.Line), "<") {
		for _, t := range h.tags {
			if strings.Contains(o.Line, t) {
				return "markup"
			}
		}
	}
	return ""
}

// "What a receiver answers is stored and shown escaped": no control character, no line of its own and no markup of an answer reaches
// the sender's output or API as it was. A sender that shows nothing of it keeps the promise as well.
func logSafe(v *view) Verdict {
	t := &tally{v: v}
	for _, r := range v.requests {
		o := r.a.Outcome
		if r.a.Origin == evidence.OriginHarness || o == nil || o.Status == 0 {
			continue
		}
		h := hostileIn(string(o.Body))
		if !h.any() {
			continue
		}
		if o.End != evidence.EndComplete {
			t.skip(r.records(), "the sender may not have read the whole answer to request %d", r.a.Seq)
			continue
		}
		safe := true
		for i := range v.t.run.Output {
			out := &v.t.run.Output[i]
			if !v.hears(out) || out.At < o.ReplyStart {
				continue
			}
			if what := h.in(out); what != "" {
				safe = false
				t.breaks(append(r.records(), out.N), "a line of %s at %s shows %s from the answer to request %d as it was", out.Stream, dur(out.At), what, r.a.Seq)
				break
			}
		}
		if safe {
			t.hold(r.records()...)
		}
	}
	return t.sum("nothing of answers with control characters and line ends was shown as it was (answers: %d)",
		"no answer held a control character or a line end")
}
