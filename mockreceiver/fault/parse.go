package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hookassay/hookassay/internal/near"
)

const (
	// maxText bounds the text of a plan: a hundred times what a person writes.
	maxText = 64 << 10
	// maxSteps bounds what n*count can unfold to: no schedule known has more than a few dozen attempts.
	maxSteps = 10_000

	// The words of the text form that are no kind and no parameter.
	forWord = "for"
	ttlWord = "ttl"
)

// Parse reads the text form of a plan: steps separated by commas, the last of which repeats.
//
//	502, timeout, 429(retry-after=2), reset, business-failure, 200
//	502*3, 200(body="{\"ok\":true}", header="X-Trace: 1", delay=300ms)
//	502 for 30s, 200
//	reset*2, 200; ttl=10m
//
// A step stands for one request; with a count for so many, with for until so long after the first request that met it.
// After the ttl everything is answered 200. An error is one sentence and names the position in the text, counted in
// characters from 1.
func Parse(text string) (Plan, error) {
	if len(text) > maxText {
		return Plan{}, fmt.Errorf("plan of %d bytes: at most %d are allowed", len(text), maxText)
	}
	if !utf8.ValidString(text) {
		return Plan{}, fmt.Errorf("plan %.80q: is not valid UTF-8", text)
	}
	p := parser{text: text}
	plan, err := p.plan()
	if err != nil {
		return Plan{}, fmt.Errorf("plan %.80q: %w", text, err)
	}
	return plan, nil
}

// plan reads item { "," item } [ ";" "ttl" "=" duration ].
func (p *parser) plan() (Plan, error) {
	var steps []Step
	for {
		s, n, err := p.item()
		if err != nil {
			return Plan{}, err
		}
		if len(steps)+n > maxSteps {
			return Plan{}, p.errorf("more than %d steps", maxSteps)
		}
		for range n {
			steps = append(steps, s)
		}
		if p.take(',') {
			continue
		}
		plan := planOfSteps(steps)
		if p.take(';') {
			plan.TTL, err = p.ttl()
		}
		switch {
		case err != nil:
			return Plan{}, err
		case !p.end():
			return Plan{}, p.errorf("want a comma between two steps")
		case s.For > 0:
			return Plan{}, p.errorf("%s", lastLasts)
		}
		return plan, nil
	}
}

// lastLasts refuses a time for what has none. Both forms put the place before it.
const lastLasts = "the last step repeats for ever and takes no time: say what follows, such as 502 for 30s, 200"

func (p *parser) ttl() (time.Duration, error) {
	p.space()
	at := p.at
	if p.word() != ttlWord || !p.take('=') {
		return 0, p.errorAt(at, "want ttl=10m after the semicolon")
	}
	return p.span(ttlWord)
}

// span reads a time above zero.
func (p *parser) span(what string) (time.Duration, error) {
	p.space()
	at := p.at
	w := p.word()
	d, problem := spanOf(what, w)
	if problem != "" {
		return 0, p.errorAt(at, "%s", problem)
	}
	return d, nil
}

// spanOf reads a time above zero; else problem says what is wrong.
func spanOf(what, word string) (d time.Duration, problem string) {
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 || d > maxHold {
		return 0, fmt.Sprintf("%s %q: want a duration above 0s, up to %s, such as 30s", what, word, maxHold)
	}
	return d, ""
}

// parser walks over the text. at is the byte position.
type parser struct {
	text string
	at   int
}

func (p *parser) errorf(format string, a ...any) error { return p.errorAt(p.at, format, a...) }

func (p *parser) errorAt(at int, format string, a ...any) error {
	return fmt.Errorf("position %d: %s", utf8.RuneCountInString(p.text[:at])+1, fmt.Sprintf(format, a...))
}

func (p *parser) space() {
	p.at += len(p.text[p.at:]) - len(strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace))
}

func (p *parser) end() bool {
	p.space()
	return p.at == len(p.text)
}

func (p *parser) take(c byte) bool {
	p.space()
	if p.at == len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	return true
}

// word takes what stands before the next space or one of , ; ( ) = " *.
func (p *parser) word() string {
	p.space()
	rest := p.text[p.at:]
	n := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,;()="*`, r) })
	if n < 0 {
		n = len(rest)
	}
	p.at += n
	return rest[:n]
}

// item reads step [ "*" count | "for" duration ].
func (p *parser) item() (Step, int, error) {
	f, err := p.step()
	if err != nil {
		return Step{}, 0, err
	}
	s := Step{Fault: f}
	if p.takeWord(forWord) {
		s.For, err = p.span(forWord)
		return s, 1, err
	}
	n, err := p.count()
	return s, n, err
}

// count reads [ "*" count ]; 1 if there is none.
func (p *parser) count() (int, error) {
	if !p.take('*') {
		return 1, nil
	}
	p.space()
	at := p.at
	w := p.word()
	n, err := strconv.Atoi(w)
	if err != nil || n < 1 || n > maxSteps {
		return 0, p.errorAt(at, "count %q: want a number from 1 to %d", w, maxSteps)
	}
	return n, nil
}

func (p *parser) takeWord(w string) bool {
	p.space()
	at := p.at
	if p.word() == w {
		return true
	}
	p.at = at
	return false
}

// step reads a call and makes its fault.
func (p *parser) step() (Fault, error) {
	a, err := p.call("want a step, such as 502 or timeout")
	if err != nil {
		return nil, err
	}
	return build(a)
}

// call reads word [ "(" arguments ")" ]; none is said where there is no word.
func (p *parser) call(none string) (*args, error) {
	p.space()
	at := p.at
	w := p.word()
	if w == "" {
		return nil, p.errorAt(at, "%s", none)
	}
	var list []arg
	if p.take('(') {
		var err error
		if list, err = p.args(w); err != nil {
			return nil, err
		}
	}
	return &args{
		step: w, at: at, list: list,
		problem: func(at int, what string) error { return p.errorAt(at, "%s", what) },
	}, nil
}

// build makes the fault that a step's word and arguments describe.
func build(a *args) (Fault, error) {
	kind, ok := kindOf(a.step)
	if !ok && connectionLevel(a.step) {
		return nil, a.problem(a.at, fmt.Sprintf("step %q: acts on a connection and stands in the plan of a listener", a.step))
	}
	if !ok {
		return nil, a.problem(a.at, fmt.Sprintf("unknown step %q%s; want a status or a fault, and hookassay list faults names them", a.step, near.Meant(a.step, names())))
	}
	f := kind.parse(a.step, a)
	if err := a.finish(); err != nil {
		return nil, err
	}
	return f, nil
}

func connectionLevel(word string) bool {
	return slices.ContainsFunc(ConnKinds(), func(k Kind) bool { return k.Name == word })
}

// kindOf is the kind that a step's word stands for. A status is written as its number and not by its name.
func kindOf(word string) (Kind, bool) {
	status := statusKind()
	if digits(word) {
		return status, true
	}
	for _, k := range Kinds() {
		if k.Name == word && word != status.Name {
			return k, true
		}
	}
	return Kind{}, false
}

// names are the words that open a step, other than numbers.
func names() (list []string) {
	status := statusKind()
	for _, k := range Kinds() {
		if k.Name != status.Name {
			list = append(list, k.Name)
		}
	}
	return list
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
