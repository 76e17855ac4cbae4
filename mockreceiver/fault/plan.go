package fault

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Plan says how the requests of one event are answered: the n-th by Steps[n-1], those beyond by Then. The zero value
// answers 200 for ever. Next takes steps into account that last for a time.
type Plan struct {
	Steps []Step
	Then  Step
	// TTL is how long after it was set the plan holds; everything later is answered 200. So a fault cannot outlive the test
	// that wanted it. 0: for ever.
	TTL time.Duration
}

// OK is the plan that answers 200 for ever.
func OK() Plan { return Of() }

// Of makes a plan of faults; the last repeats. Without any it answers 200 for ever.
func Of(faults ...Fault) Plan {
	if len(faults) == 0 {
		faults = []Fault{Status{Code: okCode}}
	}
	steps := make([]Step, len(faults))
	for i, f := range faults {
		steps[i].Fault = f
	}
	return planOfSteps(steps)
}

// planOfSteps makes a plan of at least one step; the last repeats.
func planOfSteps(steps []Step) (p Plan) {
	last := len(steps) - 1
	p.Then = steps[last]
	if last > 0 {
		p.Steps = steps[:last]
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
	var out []string
	for _, r := range runsOf(append(slices.Clip(p.Steps), p.Then)) {
		out = append(out, r.String())
	}
	text := strings.Join(out, ", ")
	if p.TTL > 0 {
		text += "; " + ttlWord + "=" + p.TTL.String()
	}
	return text
}

// run is a step and how many times it stands there.
type run struct {
	step  Step
	text  string
	times int
}

func (r run) String() string {
	if r.times == 1 {
		return r.text
	}
	return r.text + "*" + strconv.Itoa(r.times)
}

// runsOf puts equal neighbours together, except such as last for a time: two of them are no longer than their sum says.
func runsOf(steps []Step) (runs []run) {
	for _, s := range steps {
		text := s.String()
		if last := len(runs) - 1; last >= 0 && runs[last].text == text && s.For == 0 {
			runs[last].times++
			continue
		}
		runs = append(runs, run{s, text, 1})
	}
	return runs
}

// MarshalText implements encoding.TextMarshaler: in JSON a plan is written in its text form.
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

// UnmarshalJSON implements json.Unmarshaler: a plan is its text form, or the YAML form as an object. null changes nothing.
func (p *Plan) UnmarshalJSON(b []byte) error {
	switch trimmed := bytes.TrimLeft(b, " \t\r\n"); {
	case bytes.Equal(trimmed, []byte("null")):
		return nil
	case bytes.HasPrefix(trimmed, []byte(`"`)):
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		return p.UnmarshalText([]byte(text))
	}
	parsed, err := ParseYAML(b)
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}
