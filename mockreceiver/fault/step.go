package fault

import "time"

// Step is one entry of a plan. The zero value answers 200.
type Step struct {
	Fault Fault
	// For makes the step last for a time instead of one request, counted from the first request of its event that met it.
	// 0: one request. The last step of a plan has none, since it repeats for ever.
	For time.Duration
}

// Act carries the step out.
func (s Step) Act(x Exchange) { s.fault().Act(x) }

// Kind is the name of the step's kind of fault.
func (s Step) Kind() string { return s.fault().Kind() }

// String is the step's text form.
func (s Step) String() string {
	if s.For == 0 {
		return s.fault().String()
	}
	return s.fault().String() + " " + forWord + " " + s.For.String()
}

func (s Step) fault() Fault {
	if s.Fault == nil {
		return Status{Code: okCode}
	}
	return s.Fault
}
