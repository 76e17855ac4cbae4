package fault

import "time"

// neverWord is how the text form says that 100 Continue never comes.
const neverWord = "never"

// Continue sends 100 Continue late or never to a peer that asked for it with Expect: 100-continue, and then answers. RFC
// 9110, 10.1.1 wants a client to send the body after a while all the same. To a peer that did not ask it is a plain answer.
type Continue struct {
	Answer // Code 0: 200
	// After is how long 100 Continue is held back; 0: it never comes.
	After time.Duration
}

// Kind implements Fault.
func (Continue) Kind() string { return "continue" }

// Intake implements Eager.
func (c Continue) Intake() Intake { return Intake{Mute: c.After == 0, Wait: c.After} }

// Late implements Eager.
func (Continue) Late() Fault { return Status{} }

// Act implements Fault.
func (c Continue) Act(x Exchange) {
	if r, ok := c.or(okCode).begin(x, 0); ok {
		x.Reply(r)
	}
}

// String implements Fault.
func (c Continue) String() string {
	when := neverWord
	if c.After > 0 {
		when = c.After.String()
	}
	return text("continue", append([]string{when}, c.texts()...)...)
}

func continueKind() Kind {
	return Kind{
		Name:   "continue",
		Form:   "continue(never)",
		Params: append([]Param{{Value: "never", Meaning: "never, or after how long: 2s; real time"}}, answerParams("200")...),
		Reason: "100 Continue comes late or never to a sender that asks with Expect; others get a plain answer",
		parse: func(_ string, a *args) Fault {
			c := Continue{Answer: a.fields()}
			c.Code = a.number("status", minStatus, maxStatus)
			one, ok := a.take("")
			if one.value == neverWord {
				return c
			}
			d, err := time.ParseDuration(one.value)
			if !ok || err != nil || d <= 0 || d > maxHold {
				a.fail(a.at, "continue: want continue(never), or continue(2s) with a duration up to %s", maxHold)
			}
			c.After = d
			return c
		},
	}
}
