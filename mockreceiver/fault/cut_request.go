package fault

// CutRequest ends the connection while the request is still coming: as soon as its head is there, or in the middle of its
// body. A sender that writes on sees its write fail, and must take that for a failed attempt like any other.
type CutRequest struct {
	After int // bytes of the request's body that are taken in first; 0: none. A shorter body is taken in whole
	// With is how the connection ends; empty: Aborted, which is what a write to a closed socket comes to.
	With End
}

// Kind implements Fault.
func (CutRequest) Kind() string { return "cut-request" }

// Intake implements Eager.
func (c CutRequest) Intake() Intake { return Intake{Unread: true, Most: int64(c.After)} }

// Late implements Eager.
func (c CutRequest) Late() Fault {
	if c.With == Closed {
		return Close{}
	}
	return Reset{}
}

// Act implements Fault.
func (c CutRequest) Act(x Exchange) { c.Late().Act(x) }

// String implements Fault.
func (c CutRequest) String() string {
	return text("cut-request", numberText("after", c.After), endText(c.With))
}

func cutRequestKind() Kind {
	return Kind{
		Name: "cut-request",
		Form: "cut-request",
		Params: []Param{
			{Name: "after", Value: "1000", Meaning: "so many bytes of the request's body are read first; none if left out"},
			{Name: "with", Value: "close or reset", Meaning: "how the connection ends; reset if left out"},
		},
		Reason: "the connection ends while the request is still being sent: the sender's write fails",
		parse: func(_ string, a *args) Fault {
			return CutRequest{After: a.number("after", 0, maxCut), With: a.end()}
		},
	}
}
