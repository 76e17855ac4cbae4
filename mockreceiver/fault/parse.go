package fault

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxText bounds the text of a plan: a hundred times what a person writes.
	maxText = 64 << 10
	// maxSteps bounds what n*count can unfold to: no schedule known has more than a few dozen attempts.
	maxSteps = 10_000
)

// Parse reads the text form of a plan: steps separated by commas, the last of which repeats.
//
//	502, timeout, 429(retry-after=2), reset, business-failure, 200
//	502*3, 200(body="{\"ok\":true}", header="X-Trace: 1", delay=300ms)
//
// An error is one sentence and names the position in the text, counted in characters from 1.
func Parse(text string) (Plan, error) {
	if len(text) > maxText {
		return Plan{}, fmt.Errorf("plan of %d bytes: at most %d are allowed", len(text), maxText)
	}
	if !utf8.ValidString(text) {
		return Plan{}, fmt.Errorf("plan %.80q: is not valid UTF-8", text)
	}
	p := parser{text: text}
	var faults []Fault
	for {
		f, n, err := p.item()
		if err != nil {
			return Plan{}, fmt.Errorf("plan %.80q: %w", text, err)
		}
		if len(faults)+n > maxSteps {
			return Plan{}, fmt.Errorf("plan %.80q: %w", text, p.errorf("more than %d steps", maxSteps))
		}
		for range n {
			faults = append(faults, f)
		}
		if p.end() {
			return Of(faults...), nil
		}
		if !p.take(',') {
			return Plan{}, fmt.Errorf("plan %.80q: %w", text, p.errorf("want a comma between two steps"))
		}
	}
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

// word takes what stands before the next space or one of , ( ) = " *.
func (p *parser) word() string {
	p.space()
	rest := p.text[p.at:]
	n := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,()="*`, r) })
	if n < 0 {
		n = len(rest)
	}
	p.at += n
	return rest[:n]
}

// item reads step [ "*" count ].
func (p *parser) item() (Fault, int, error) {
	f, err := p.step()
	if err != nil {
		return nil, 0, err
	}
	if !p.take('*') {
		return f, 1, nil
	}
	p.space()
	at := p.at
	w := p.word()
	n, err := strconv.Atoi(w)
	if err != nil || n < 1 || n > maxSteps {
		return nil, 0, p.errorAt(at, "count %q: want a number from 1 to %d", w, maxSteps)
	}
	return f, n, nil
}

// step reads word [ "(" arguments ")" ].
func (p *parser) step() (Fault, error) {
	p.space()
	at := p.at
	w := p.word()
	if w == "" {
		return nil, p.errorAt(at, "want a step, such as 502 or timeout")
	}
	var list []arg
	if p.take('(') {
		var err error
		if list, err = p.args(w); err != nil {
			return nil, err
		}
	}
	return build(&args{
		step: w, at: at, list: list,
		problem: func(at int, what string) error { return p.errorAt(at, "%s", what) },
	})
}

// build makes the fault that a step's word and arguments describe.
func build(a *args) (Fault, error) {
	kind, ok := kindOf(a.step)
	if !ok {
		return nil, a.problem(a.at, fmt.Sprintf("unknown step %q: want a status or one of %s", a.step, strings.Join(names(), ", ")))
	}
	f := kind.parse(a.step, a)
	if err := a.finish(); err != nil {
		return nil, err
	}
	return f, nil
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
