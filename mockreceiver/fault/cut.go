package fault

const (
	// cutRest is how much of the declared body is missing.
	cutRest = 100
	// maxCut bounds what is sent before the cut: it is made in one piece.
	maxCut = 1 << 20
)

// Cut ends the connection in the middle of an answer: the head is whole and declares a body that does not come to its end.
// A status alone may count as an answer or may not; a contract has to say.
//
// Over HTTP/2 the stream is reset after the part of the body: with CANCEL, or with INTERNAL_ERROR where With is Aborted.
type Cut struct {
	Answer     // Code 0: 200
	After  int // bytes of the body that are sent; 0: the connection ends right after the head
	// With is how it ends; empty: Closed. A reset takes with it what the peer's side has not taken in yet.
	With End
}

// Kind implements Fault.
func (Cut) Kind() string { return "cut" }

// Act implements Fault.
func (c Cut) Act(x Exchange) {
	r, ok := c.or(okCode).begin(x, 0)
	if !ok {
		return
	}
	end := c.With
	if end == "" {
		end = Closed
	}
	x.Write(rawHead(r, contentLength(c.After+cutRest))+filler(c.After), end)
}

// String implements Fault.
func (c Cut) String() string {
	list := []string{numberText("after", c.After), endText(c.With)}
	return text("cut", append(list, c.texts()...)...)
}

func cutKind() Kind {
	return Kind{
		Name: "cut",
		Form: "cut(after=3)",
		Params: append([]Param{
			{Name: "after", Value: "3", Meaning: "so many bytes of the body, which is declared as 100 longer; none if left out"},
			{Name: "with", Value: "close or reset", Meaning: "how the connection ends; close if left out"},
		}, answerParams("200")...),
		Reason: "the connection ends in the middle of the answer: the status is known, the rest is not",
		parse: func(_ string, a *args) Fault {
			return Cut{Answer: a.answer(), After: a.number("after", 0, maxCut), With: a.end()}
		},
	}
}
