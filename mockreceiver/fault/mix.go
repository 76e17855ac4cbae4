package fault

import (
	"slices"
	"strconv"
)

// Mix chooses one of several faults for each request, by given shares. Each choice depends on the run's seed, the endpoint, the
// event and the attempt, so the same run has the same faults in the same places whatever the order of arrival.
type Mix struct {
	Shares []Share
	// Rest is for what the shares leave; the zero value answers 200.
	Rest Step
}

// Share is a fault with its share of the requests, 0 to 1. The shares of a Mix are 1 together, at most.
type Share struct {
	Step Step
	P    float64
}

// Choice is a fault that stands for others, one of which is drawn for each request before anything is acted out. So the
// evidence says what was really done.
type Choice interface {
	Fault
	// Choose returns the step for a number drawn from [0, 1), and what is left of the number's chance: again one
	// from [0, 1), for a step that draws itself.
	Choose(u float64) (Step, float64)
	// All are the steps that can be drawn.
	All() []Step
}

// maxShares bounds a mix: more kinds than there are.
const maxShares = 64

// Kind implements Fault.
func (Mix) Kind() string { return mixWord }

// Choose implements Choice.
func (m Mix) Choose(u float64) (Step, float64) {
	low := 0.0
	for _, s := range m.Shares {
		if u < low+s.P {
			return s.Step, (u - low) / s.P
		}
		low += s.P
	}
	if low >= 1 { // the sum of the shares was rounded down, and u lies in the gap
		return m.Rest, 0
	}
	return m.Rest, (u - low) / (1 - low)
}

// All implements Choice.
func (m Mix) All() []Step {
	list := []Step{m.Rest}
	for _, s := range m.Shares {
		list = append(list, s.Step)
	}
	return list
}

// Act implements Fault.
func (m Mix) Act(x Exchange) {
	s, rest := m.Choose(x.Draw())
	s.Act(drawn{x, rest})
}

// drawn is an exchange whose number is drawn already.
type drawn struct {
	Exchange
	u float64
}

// Draw implements Exchange.
func (d drawn) Draw() float64 { return d.u }

// String implements Fault.
func (m Mix) String() string {
	var list []string
	for _, s := range m.Shares {
		list = append(list, s.Step.String()+"="+strconv.FormatFloat(s.P, 'g', -1, 64))
	}
	if m.Rest.Fault != nil {
		list = append(list, m.Rest.String())
	}
	return text(mixWord, list...)
}

const mixWord = "mix"

func mixKind() Kind {
	return Kind{
		Name: mixWord,
		Form: "mix(502=0.2, timeout=0.1, 200)",
		Params: []Param{
			{Name: "502", Value: "0.2", Meaning: "a step and its share, 0 to 1; may be given several times, with arguments: 429(retry-after=2)=0.1"},
			{Value: "200", Meaning: "the step for the others; 200 if left out"},
		},
		Random: true,
		Reason: "any faults at random on request, the same for the same seed",
		parse:  parseMix,
	}
}

func parseMix(_ string, a *args) Fault {
	var m Mix
	sum := 0.0
	for i := range a.list {
		one := &a.list[i]
		one.taken = true
		if one.name == "" && m.Rest.Fault != nil {
			a.fail(one.at, "%s: the step for the others is there twice", one.value)
		}
		if one.name == "" {
			m.Rest = a.nested(one.at, one.value)
			continue
		}
		p, err := strconv.ParseFloat(one.value, 64)
		if err != nil || !(p >= 0 && p <= 1) {
			a.fail(one.at, "%s: want a share from 0 to 1, such as 502=0.2", one)
		}
		sum += p
		s := a.nested(one.at, one.name)
		if slices.ContainsFunc(m.Shares, func(other Share) bool { return other.Step.String() == s.String() }) {
			a.fail(one.at, "%s: is there twice", s)
		}
		m.Shares = append(m.Shares, Share{s, p})
	}
	const rounding = 1e-9 // of ten shares of 0.1
	switch {
	case len(m.Shares) == 0 || len(m.Shares) > maxShares:
		a.fail(a.at, "mix: want 1 to %d steps with shares, such as mix(502=0.2, timeout=0.1, 200)", maxShares)
	case sum > 1+rounding:
		a.fail(a.at, "mix: the shares are %s together, want 1 at most", strconv.FormatFloat(sum, 'g', 6, 64))
	}
	return m
}

// nested reads a step in its text form inside another, but no mix inside a mix.
func (a *args) nested(at int, step string) Step {
	p := parser{text: step}
	if w := p.word(); w == mixWord {
		a.fail(at, "mix: want no mix inside")
		return Step{}
	}
	p.at = 0
	f, err := p.step()
	if err == nil && !p.end() {
		err = p.errorf("want one step only, without a count")
	}
	if err != nil {
		a.fail(at, "%.80q: %v", step, err)
		return Step{}
	}
	return Step{Fault: f}
}

// Random tells whether any step of the plan is drawn, or has a part that is.
func (p Plan) Random() bool {
	return slices.ContainsFunc(append(slices.Clip(p.Steps), p.Then), Step.random)
}

func (s Step) random() bool {
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Random && k.Name == s.Kind() })
}
