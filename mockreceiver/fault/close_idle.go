package fault

import "time"

// CloseIdle gives a complete answer that does not announce it, and then ends the connection while it is idle. The sender's
// next delivery may find a dead connection in its pool, and must then go over a new one: nothing was wrong with the event.
//
// Over HTTP/2 an end of the connection would hit the other streams as well. There the peer is told with GOAWAY after the
// answer, the connection ends with the last of its streams, and the evidence says goaway.
type CloseIdle struct {
	Answer               // Code 0: 200
	After  time.Duration // of rest; a request that comes before is cut off. 0: at once
	With   End           // empty: Closed
}

// Kind implements Fault.
func (CloseIdle) Kind() string { return "close-idle" }

// Act implements Fault.
func (c CloseIdle) Act(x Exchange) {
	r, ok := c.or(okCode).begin(x, 0)
	if !ok {
		return
	}
	r.Leave = Leave{With: c.With, After: c.After}
	if r.Leave.With == "" {
		r.Leave.With = Closed
	}
	x.Reply(r)
}

// String implements Fault.
func (c CloseIdle) String() string {
	list := []string{durationText("after", c.After), endText(c.With)}
	return text("close-idle", append(list, c.texts()...)...)
}

func closeIdleKind() Kind {
	return Kind{
		Name: "close-idle",
		Form: "close-idle(after=1s)",
		Params: append([]Param{
			{Name: "after", Value: "1s", Meaning: "how long the connection rests; a request that comes before is cut off; at once if left out"},
			{Name: "with", Value: "close or reset", Meaning: "how the connection ends; close if left out"},
		}, answerParams("200")...),
		Reason: "a complete answer, and the kept connection ends while idle: the pool holds a dead one",
		parse: func(_ string, a *args) Fault {
			c := CloseIdle{Answer: a.fields(), After: a.duration("after"), With: a.end()}
			c.Code = a.number("status", minStatus, maxStatus)
			return c
		},
	}
}
