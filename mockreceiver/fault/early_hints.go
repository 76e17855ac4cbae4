package fault

import "net/http"

// maxHints bounds the 1xx answers before the final one. Go's client gives up by the size of their heads, others by number;
// a thousand is beyond either.
const maxHints = 1000

// EarlyHints sends 103 Early Hints before the final answer. A 1xx is no outcome: a sender that takes it for one ends the
// attempt too soon, or takes the final answer for that of its next request (RFC 9110, 15.2; RFC 8297).
type EarlyHints struct {
	Answer     // Code 0: 200
	Count  int // of the 103s; 0: one
}

// Kind implements Fault.
func (EarlyHints) Kind() string { return "early-hints" }

// Act implements Fault. The hints come at once and the delay after them.
func (e EarlyHints) Act(x Exchange) {
	for range max(1, e.Count) {
		if !x.Interim(http.StatusEarlyHints, [2]string{"Link", "</hint>; rel=preload"}) {
			return
		}
	}
	if r, ok := e.or(okCode).begin(x, 0); ok {
		x.Reply(r)
	}
}

// String implements Fault.
func (e EarlyHints) String() string {
	return text("early-hints", append([]string{numberText("count", e.Count)}, e.texts()...)...)
}

func earlyHintsKind() Kind {
	return Kind{
		Name: "early-hints",
		Form: "early-hints",
		Params: append([]Param{
			{Name: "count", Value: "1", Meaning: "so many 103 answers before the final one, up to 1000; 1 if left out"},
		}, answerParams("200")...),
		Reason: "103 comes before the answer: a 1xx is no outcome and must not end the attempt",
		parse: func(_ string, a *args) Fault {
			e := EarlyHints{Answer: a.fields(), Count: a.number("count", 1, maxHints)}
			e.Code = a.number("status", minStatus, maxStatus)
			return e
		},
	}
}
