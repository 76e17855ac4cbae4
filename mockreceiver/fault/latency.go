package fault

import "slices"

const inBodyText = "in=body"

// Latency answers after a delay that varies from attempt to attempt as the receivers' own do: evenly between two bounds, or
// log-normally, which is what response times look like, with a few far above the rest. Each delay depends on the run's
// seed, the endpoint, the event and the attempt, so the same run has the same delays.
type Latency struct {
	Answer // Code 0: 200; Delay comes on top, before the head
	// InBody puts the delay between the head and a body of 100 bytes, instead of before the head.
	InBody bool
	Spread
}

// Kind implements Fault.
func (Latency) Kind() string { return "latency" }

// Act implements Fault.
func (l Latency) Act(x Exchange) {
	a, d := l.or(okCode), l.At(x.Draw())
	if !l.InBody {
		a.Delay += d
	}
	r, ok := a.begin(x, 0)
	if !ok {
		return
	}
	if l.InBody {
		r.Fill, r.Pause = stallRest, Pause{For: d}
	}
	x.Reply(r)
}

// String implements Fault.
func (l Latency) String() string {
	list := l.Spread.texts()
	if l.InBody {
		list = append(list, inBodyText)
	}
	return text("latency", append(list, l.Answer.texts()...)...)
}

func latencyKind() Kind {
	return Kind{
		Name: "latency",
		Form: "latency(from=100ms, to=300ms)",
		Params: slices.Concat(spreadParams(), []Param{
			{Name: "in", Value: "body", Meaning: "the delay comes between the head and the body; before the head if left out"},
		}, answerParams("200")),
		Random: true,
		Reason: "a delay that varies as real ones do, the same for the same seed",
		parse:  parseLatency,
	}
}

func parseLatency(_ string, a *args) Fault {
	l := Latency{Answer: a.fields(), Spread: a.spread()}
	l.Code = a.number("status", minStatus, maxStatus)
	if one, ok := a.take("in"); ok {
		l.InBody = true
		if one.String() != inBodyText {
			a.fail(one.at, "%s: want %s, or leave it out", one, inBodyText)
		}
		if bodiless(l.Code) {
			a.fail(one.at, "status %d has no body by definition, take another", l.Code)
		}
	}
	return l
}
