package fault

// CloseNext gives a complete answer, and ends the connection at the first byte of the next request on it: the race that a
// receiver's idle time limit runs with every sender, always lost. Libraries may send that request again by themselves.
//
// Over HTTP/2, as for CloseIdle: GOAWAY after the answer, and the evidence says goaway.
type CloseNext struct {
	Answer     // Code 0: 200
	With   End // empty: Aborted, which is what a late byte gets from a closed socket
}

// Kind implements Fault.
func (CloseNext) Kind() string { return "close-next" }

// Act implements Fault.
func (c CloseNext) Act(x Exchange) {
	r, ok := c.or(okCode).begin(x, 0)
	if !ok {
		return
	}
	r.Leave = Leave{With: c.With, OnNext: true}
	if r.Leave.With == "" {
		r.Leave.With = Aborted
	}
	x.Reply(r)
}

// String implements Fault.
func (c CloseNext) String() string {
	return text("close-next", append([]string{endText(c.With)}, c.texts()...)...)
}

func closeNextKind() Kind {
	return Kind{
		Name: "close-next",
		Form: "close-next",
		Params: append([]Param{
			{Name: "with", Value: "close or reset", Meaning: "how the connection ends; reset if left out"},
		}, answerParams("200")...),
		Reason: "a complete answer, and the connection ends at the next request's first byte: reuse always fails",
		parse: func(_ string, a *args) Fault {
			c := CloseNext{Answer: a.fields(), With: a.end()}
			c.Code = a.number("status", minStatus, maxStatus)
			return c
		},
	}
}
