package fault

// Endless answers with a body that never ends, as fast as the peer takes it. The head is complete at once, so only a bound
// on size or on the time of the whole exchange ends the attempt.
type Endless struct{ Answer } // Code 0: 200

// Kind implements Fault.
func (Endless) Kind() string { return "endless" }

// Act implements Fault.
func (e Endless) Act(x Exchange) {
	if r, ok := e.or(okCode).begin(x, 0); ok {
		r.Fill = Forever
		x.Reply(r)
	}
}

// String implements Fault.
func (e Endless) String() string { return text("endless", e.texts()...) }

func endlessKind() Kind {
	return Kind{
		Name:   "endless",
		Form:   "endless",
		Params: answerParams("200"),
		Reason: "a body without an end: only a bound on its size or on the whole exchange ends the attempt",
		parse:  func(_ string, a *args) Fault { return Endless{a.answer()} },
	}
}
