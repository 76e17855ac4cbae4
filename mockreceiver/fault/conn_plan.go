package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hookassay/hookassay/internal/near"
)

// ConnPlan says how the connections of a listener begin: the n-th by Steps[n-1], those beyond by Then. The zero value lets
// all begin as they should.
type ConnPlan struct {
	Steps []ConnFault
	Then  ConnFault
}

// ConnPlanOf makes a plan of faults; the last repeats.
func ConnPlanOf(faults ...ConnFault) ConnPlan {
	if len(faults) == 0 {
		return ConnPlan{}
	}
	last := len(faults) - 1
	return ConnPlan{Steps: faults[:last:last], Then: faults[last]}
}

// Step is the step for the n-th connection, from 1.
func (p ConnPlan) Step(n int) ConnFault {
	switch {
	case n >= 1 && n <= len(p.Steps):
		return p.Steps[n-1]
	case p.Then != nil:
		return p.Then
	default:
		return NoFault{}
	}
}

// all are the steps of the plan, the last one too.
func (p ConnPlan) all() []ConnFault { return append(slices.Clip(p.Steps), p.Step(0)) }

// IsZero tells whether all connections begin as they should.
func (p ConnPlan) IsZero() bool { return len(p.Steps) == 0 && p.Step(0) == NoFault{} }

// Needs tells what a listener must speak for the plan to be acted out; step is the first that wants it.
func (p ConnPlan) Needs() (tls, http2 bool, step string) {
	for _, f := range p.all() {
		o := f.Open(0)
		if o.Streams > 0 && !http2 {
			tls, http2, step = true, true, f.String()
		}
		if o.Handshake != (Handshake{}) && !tls {
			tls, step = true, f.String()
		}
	}
	return tls, http2, step
}

// String is the plan's text form, which ParseConn reads back. Equal neighbours are written once with their number: ok*3.
func (p ConnPlan) String() string {
	var out []string
	list := p.all()
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && list[i+n].String() == list[i].String() {
			n++
		}
		item := list[i].String()
		if n > 1 {
			item += "*" + strconv.Itoa(n)
		}
		out = append(out, item)
		i += n
	}
	return strings.Join(out, ", ")
}

// MarshalText implements encoding.TextMarshaler, for JSON.
func (p ConnPlan) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *ConnPlan) UnmarshalText(b []byte) error {
	parsed, err := ParseConn(string(b))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}

// ParseConn reads the text form of a plan for connections: steps separated by commas, the last of which repeats.
//
//	tls-expired, refuse(2s), ok
//	accept-reset*3, throttle(100)
//
// An error is one sentence and names the position in the text, counted in characters from 1.
func ParseConn(text string) (ConnPlan, error) {
	if len(text) > maxText {
		return ConnPlan{}, fmt.Errorf("plan of %d bytes: at most %d are allowed", len(text), maxText)
	}
	if !utf8.ValidString(text) {
		return ConnPlan{}, fmt.Errorf("plan %.80q: is not valid UTF-8", text)
	}
	p := parser{text: text}
	plan, err := p.connPlan()
	if err != nil {
		return ConnPlan{}, fmt.Errorf("plan %.80q: %w", text, err)
	}
	return plan, nil
}

// connPlan reads call [ "*" count ] { "," call [ "*" count ] }.
func (p *parser) connPlan() (ConnPlan, error) {
	var faults []ConnFault
	for {
		a, err := p.call("want a step, such as ok or tls-expired")
		if err != nil {
			return ConnPlan{}, err
		}
		f, err := buildConn(a)
		if err != nil {
			return ConnPlan{}, err
		}
		n, err := p.count()
		switch {
		case err != nil:
			return ConnPlan{}, err
		case len(faults)+n > maxSteps:
			return ConnPlan{}, p.errorf("more than %d steps", maxSteps)
		}
		for range n {
			faults = append(faults, f)
		}
		switch {
		case p.take(','):
		case p.end():
			return ConnPlanOf(faults...), nil
		default:
			return ConnPlan{}, p.errorf("want a comma between two steps")
		}
	}
}

// buildConn makes the fault that a step's word and arguments describe.
func buildConn(a *args) (ConnFault, error) {
	var names []string
	for _, k := range ConnKinds() {
		if k.Name == a.step {
			f := k.open(a)
			return f, a.finish()
		}
		names = append(names, k.Name)
	}
	if _, ok := kindOf(a.step); ok {
		return nil, a.problem(a.at, fmt.Sprintf("step %q: acts on a request and stands in the plan of an endpoint", a.step))
	}
	return nil, a.problem(a.at, fmt.Sprintf("unknown step %q%s; hookassay list faults names those of connections", a.step, near.Meant(a.step, names)))
}
