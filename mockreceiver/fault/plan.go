package fault

import (
	"strconv"
	"strings"
)

// Plan says how the requests of one event are answered: the n-th by Steps[n-1], those beyond by Then. The zero value
// answers 200 for ever.
type Plan struct {
	Steps []Step
	Then  Step
}

// OK is the plan that answers 200 for ever.
func OK() Plan { return Of() }

// Of makes a plan of faults; the last repeats. Without any it answers 200 for ever.
func Of(faults ...Fault) Plan {
	if len(faults) == 0 {
		faults = []Fault{Status{Code: okCode}}
	}
	last := len(faults) - 1
	p := Plan{Then: Step{faults[last]}}
	for _, f := range faults[:last] {
		p.Steps = append(p.Steps, Step{f})
	}
	return p
}

// Step is the step for the n-th request of an event, from 1.
func (p Plan) Step(n int) Step {
	if n >= 1 && n <= len(p.Steps) {
		return p.Steps[n-1]
	}
	return p.Then
}

// String is the plan's text form, which Parse reads back. Equal neighbours are written once with their number: 502*3.
func (p Plan) String() string {
	var texts []string
	for _, s := range p.Steps {
		texts = append(texts, s.String())
	}
	texts = append(texts, p.Then.String())
	var out []string
	for i := 0; i < len(texts); {
		n := 1
		for i+n < len(texts) && texts[i+n] == texts[i] {
			n++
		}
		item := texts[i]
		if n > 1 {
			item += "*" + strconv.Itoa(n)
		}
		out = append(out, item)
		i += n
	}
	return strings.Join(out, ", ")
}

// MarshalText implements encoding.TextMarshaler, for JSON and YAML.
func (p Plan) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Plan) UnmarshalText(b []byte) error {
	parsed, err := Parse(string(b))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}
