package fault

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxHold bounds each duration in a plan. The longest published delivery windows span three days; a single held request
// never needs a whole one.
const maxHold = 24 * time.Hour

// args are the arguments in a step's brackets. The methods take one each and keep the first problem for finish.
type args struct {
	step string
	at   int
	list []arg
	err  error
	// problem words a problem and its place, which is what the reader of the form understands by at.
	problem func(at int, what string) error
}

type arg struct {
	name, value string
	quoted      bool
	at          int
	taken       bool
}

// args reads arguments up to the closing bracket.
func (p *parser) args(step string) (list []arg, err error) {
	if p.take(')') {
		return nil, nil
	}
	for {
		one, err := p.arg(step)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
		if p.take(')') {
			return list, nil
		}
		if !p.take(',') {
			return nil, p.errorf("want a comma or a closing bracket in the arguments of %s", step)
		}
	}
}

// arg reads name=value, or a value alone.
func (p *parser) arg(step string) (arg, error) {
	p.space()
	one := arg{at: p.at}
	value, quoted, err := p.value(step)
	if err != nil {
		return one, err
	}
	if quoted || !p.take('=') {
		one.value, one.quoted = value, quoted
		return one, nil
	}
	one.name = value
	one.value, one.quoted, err = p.value(step)
	return one, err
}

func (p *parser) value(step string) (value string, quoted bool, err error) {
	p.space()
	rest := p.text[p.at:]
	if strings.HasPrefix(rest, `"`) {
		q, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", false, p.errorf("want a text in double quotes, with \\\" for a quote inside")
		}
		text, err := strconv.Unquote(q)
		if err != nil {
			return "", false, p.errorf("quoted text: %v", err)
		}
		p.at += len(q)
		return text, true, nil
	}
	from := p.at
	w := p.word()
	if w == "" {
		return "", false, p.errorf("want an argument of %s", step)
	}
	if err := p.brackets(); err != nil {
		return "", false, err
	}
	return p.text[from:p.at], false, nil
}

// brackets passes over a pair of brackets, if it is there, with what stands in it: the arguments of a step that is an argument.
func (p *parser) brackets() error {
	if !strings.HasPrefix(p.text[p.at:], "(") {
		return nil
	}
	for open := 0; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				p.at++
				return nil
			}
		case '"':
			q, err := strconv.QuotedPrefix(p.text[p.at:])
			if err != nil {
				return p.errorf("want a text in double quotes, with \\\" for a quote inside")
			}
			p.at += len(q) - 1
		}
	}
	return p.errorf("want a closing bracket")
}

func (a *args) fail(at int, format string, v ...any) {
	if a.err == nil {
		a.err = a.problem(at, fmt.Sprintf(format, v...))
	}
}

// take returns the argument of that name; "" is the one without a name.
func (a *args) take(name string) (arg, bool) {
	for i := range a.list {
		if one := &a.list[i]; one.name == name && !one.taken {
			one.taken = true
			return *one, true
		}
	}
	return arg{}, false
}

// duration takes a duration from 0 to maxHold; 0 if it is not given.
func (a *args) duration(name string) time.Duration {
	one, ok := a.take(name)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(one.value)
	if err != nil || d < 0 || d > maxHold {
		a.fail(one.at, "%s: want a duration from 0s to %s, such as 300ms", one, maxHold)
	}
	return d
}

// number takes a number from lo to hi; 0 if it is not given.
func (a *args) number(name string, lo, hi int) int {
	one, ok := a.take(name)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(one.value)
	if err != nil || n < lo || n > hi {
		a.fail(one.at, "%s: want a number from %d to %d", one, lo, hi)
	}
	return n
}

// end takes with=, how a connection ends; empty if it is not given.
func (a *args) end() End {
	one, ok := a.take("with")
	if e := End(one.value); !ok || e == Closed || e == Aborted {
		return e
	}
	a.fail(one.at, "%s: want with=%s or with=%s", one, Closed, Aborted)
	return ""
}

// finish returns the first problem: of a value, or an argument that nobody took.
func (a *args) finish() error {
	for _, one := range a.list {
		if !one.taken {
			a.fail(one.at, "%s: %s takes no such argument, or takes it once", one, a.step)
		}
	}
	return a.err
}

// String is the argument in its text form.
func (one arg) String() string {
	v := one.value
	if one.quoted {
		v = strconv.Quote(v)
	}
	if one.name == "" {
		return v
	}
	return one.name + "=" + v
}

// text builds a step's text form of its word and its arguments, of which empty ones are left out.
func text(word string, list ...string) string {
	var given []string
	for _, s := range list {
		if s != "" {
			given = append(given, s)
		}
	}
	if len(given) == 0 {
		return word
	}
	return word + "(" + strings.Join(given, ", ") + ")"
}

func durationText(name string, d time.Duration) string {
	if d == 0 {
		return ""
	}
	if name == "" {
		return d.String()
	}
	return name + "=" + d.String()
}

func endText(e End) string {
	if e == "" {
		return ""
	}
	return "with=" + string(e)
}

// signed is a number with its sign, also above zero.
func signed(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

func numberText(name string, n int) string {
	if n == 0 {
		return ""
	}
	return name + "=" + strconv.Itoa(n)
}
