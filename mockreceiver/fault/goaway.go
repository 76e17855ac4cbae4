package fault

// When is a moment of a request.
type When string

// The moments at which a connection can be given up.
const (
	Before When = "before" // the request was not processed
	After  When = "after"  // it was answered
)

// Goaway gives the HTTP/2 connection up, as receivers do that are being restarted. Before: the GOAWAY frame says that this
// stream, and those opened after it, are not processed, and libraries may send them again by themselves over another
// connection; streams opened earlier are finished. After: the request is answered, and then GOAWAY says that no further stream
// will be. Either way the connection is closed when its last stream is done.
//
// HTTP/1 has no such frame. There Before is an orderly close without an answer, and the evidence says close; After is an
// answer with Connection: close, and the evidence says status.
type Goaway struct {
	Answer // of After; Code 0: 200
	When   When
}

// Kind implements Fault.
func (Goaway) Kind() string { return "goaway" }

// Act implements Fault.
func (g Goaway) Act(x Exchange) {
	if g.When == Before {
		if !x.Hold(g.Delay) || x.Goaway() {
			return
		}
		x.Instead(Close{}.Kind())
		x.Close()
		return
	}
	if r, ok := g.or(okCode).begin(x, 0); ok {
		r.Leave = Leave{Announced: true}
		x.Reply(r)
	}
}

// String implements Fault.
func (g Goaway) String() string {
	return text("goaway", append([]string{string(g.When)}, g.texts()...)...)
}

func goawayKind() Kind {
	return Kind{
		Name: "goaway",
		Form: "goaway(before)",
		Params: append([]Param{
			{Value: "before", Meaning: "before: the request is not processed; after: it is answered first"},
		}, answerParams("200")...),
		Reason: "HTTP/2: the connection is given up with GOAWAY, before or after the request was processed; HTTP/1: it is closed",
		parse: func(_ string, a *args) Fault {
			g := Goaway{Answer: a.fields()}
			g.Code = a.number("status", minStatus, maxStatus)
			one, _ := a.take("")
			switch g.When = When(one.value); {
			case g.When == After:
			case g.When != Before:
				a.fail(a.at, "goaway: want goaway(before) or goaway(after)")
			case g.Code != 0 || len(g.Header) > 0 || g.RetryAfter != (RetryAfter{}):
				a.fail(a.at, "goaway(before): has no answer, leave out what belongs to one")
			}
			return g
		},
	}
}
