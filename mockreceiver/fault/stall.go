package fault

import "time"

// Stall gives the head of an answer and so many bytes of its body, and then stays silent: for ever, or for a time, after
// which the rest comes. The status is known early and the answer is not complete, so a time limit up to the head does not
// help a sender; only one on the whole exchange does.
type Stall struct {
	Answer     // Code 0: 200; Delay comes before the head
	After  int // bytes of the body before the silence; 0: it follows the head
	// For is how long the silence lasts; 0: until the peer hangs up.
	For time.Duration
}

// stallRest is how much of the body comes after the silence.
const stallRest = 100

// Kind implements Fault.
func (Stall) Kind() string { return "stall" }

// Act implements Fault.
func (s Stall) Act(x Exchange) {
	r, ok := s.or(okCode).begin(x, 0)
	if !ok {
		return
	}
	r.Fill, r.Pause = int64(s.After+stallRest), Pause{At: int64(s.After), For: s.For}
	if s.For == 0 {
		r.Pause.For = Endlessly
	}
	x.Reply(r)
}

// String implements Fault.
func (s Stall) String() string {
	return text("stall", append([]string{numberText("after", s.After), durationText("for", s.For)}, s.texts()...)...)
}

func stallKind() Kind {
	return Kind{
		Name: "stall",
		Form: "stall(after=3)",
		Params: append([]Param{
			{Name: "after", Value: "3", Meaning: "so many bytes of the body come first, which is 100 longer; none if left out"},
			{Name: "for", Value: "2s", Meaning: "how long the silence lasts before the rest; for ever if left out; real time"},
		}, answerParams("200")...),
		Reason: "the head comes and the body stalls: only a time limit on the whole exchange helps",
		parse: func(_ string, a *args) Fault {
			return Stall{Answer: a.answer(), After: a.number("after", 0, maxCut), For: a.duration("for")}
		},
	}
}
