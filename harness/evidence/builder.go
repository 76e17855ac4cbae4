package evidence

import (
	"fmt"
	"slices"
)

// builder joins records into a Run, in the order in which they come.
type builder struct {
	r        Run
	attempts map[int64]int // Arrival.Seq → index in r.Attempts
}

func newBuilder() builder { return builder{attempts: map[int64]int{}} }

func (b *builder) add(rec Record) error {
	switch rec := rec.(type) {
	case *Header:
		b.r.Header = *rec
	case *Scenario:
		b.addScenario(rec)
	case *Endpoint:
		b.r.Endpoints = append(b.r.Endpoints, *rec)
	case *Act:
		if rec.Act == ActAgain {
			b.forget(rec.Scenario)
		}
		b.r.Acts = append(b.r.Acts, *rec)
	case *Arrival:
		if _, twice := b.attempts[rec.Seq]; twice {
			return fmt.Errorf("arrival %d stands in the evidence twice", rec.Seq)
		}
		b.attempts[rec.Seq] = len(b.r.Attempts)
		b.r.Attempts = append(b.r.Attempts, Attempt{Arrival: *rec})
	case *Outcome:
		return b.addOutcome(rec)
	case *Effect:
		b.r.Effects = append(b.r.Effects, *rec)
	case *LogEntry:
		b.r.Logs = append(b.r.Logs, *rec)
	case *DeadLetter:
		b.r.DeadLetters = append(b.r.DeadLetters, *rec)
	case *Output:
		b.r.Output = append(b.r.Output, *rec)
	case *Noise:
		b.r.Noise = append(b.r.Noise, *rec)
	case *Trouble:
		b.r.Troubles = append(b.r.Troubles, *rec)
	case *Connection:
		b.r.Connections = append(b.r.Connections, *rec)
	case *Footer:
		f := *rec
		b.r.Footer = &f
	}
	return nil
}

func (b *builder) addScenario(rec *Scenario) {
	for i := range b.r.Scenarios {
		if b.r.Scenarios[i].Name == rec.Name {
			b.r.Scenarios[i] = *rec
			return
		}
	}
	b.r.Scenarios = append(b.r.Scenarios, *rec)
}

// forget takes out what there is of a scenario.
func (b *builder) forget(name string) {
	r := &b.r
	r.Scenarios = slices.DeleteFunc(r.Scenarios, func(x Scenario) bool { return x.Name == name })
	r.Endpoints = slices.DeleteFunc(r.Endpoints, func(x Endpoint) bool {
		if x.Scenario == name {
			r.Former = append(r.Former, x)
		}
		return x.Scenario == name
	})
	r.Acts = slices.DeleteFunc(r.Acts, func(x Act) bool { return x.Scenario == name })
	r.Effects = slices.DeleteFunc(r.Effects, func(x Effect) bool { return x.Scenario == name })
	r.Logs = slices.DeleteFunc(r.Logs, func(x LogEntry) bool { return x.Scenario == name })
	r.DeadLetters = slices.DeleteFunc(r.DeadLetters, func(x DeadLetter) bool { return x.Scenario == name })
	r.Troubles = slices.DeleteFunc(r.Troubles, func(x Trouble) bool { return x.Scenario == name })
	r.Attempts = slices.DeleteFunc(r.Attempts, func(x Attempt) bool { return x.Scenario == name })
	clear(b.attempts)
	for i := range r.Attempts {
		b.attempts[r.Attempts[i].Seq] = i
	}
}

func (b *builder) addOutcome(o *Outcome) error {
	i, ok := b.attempts[o.Of]
	if !ok {
		return fmt.Errorf("outcome of arrival %d comes without that arrival", o.Of)
	}
	if b.r.Attempts[i].Outcome != nil {
		return fmt.Errorf("arrival %d has two outcomes", o.Of)
	}
	c := *o
	b.r.Attempts[i].Outcome = &c
	return nil
}

func (b *builder) run() *Run {
	r := b.r
	r.Scenarios = slices.Clone(r.Scenarios)
	r.Endpoints = slices.Clone(r.Endpoints)
	r.Former = slices.Clone(r.Former)
	r.Acts = slices.Clone(r.Acts)
	r.Attempts = slices.Clone(r.Attempts)
	r.Effects = slices.Clone(r.Effects)
	r.Logs = slices.Clone(r.Logs)
	r.DeadLetters = slices.Clone(r.DeadLetters)
	r.Output = slices.Clone(r.Output)
	r.Noise = slices.Clone(r.Noise)
	r.Troubles = slices.Clone(r.Troubles)
	r.Connections = slices.Clone(r.Connections)
	return &r
}
