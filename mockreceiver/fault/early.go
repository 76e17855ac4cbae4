package fault

import "net/http"

// Early answers as soon as the head of the request is there, without its body, and closes the connection, as receivers do
// that refuse by size, path or credentials. A sender in the middle of a large body has to notice the answer, and must not
// take the failed write for the outcome. There is no early 2xx: it would claim what was not received.
//
// Over HTTP/2 the answer is followed by RST_STREAM with NO_ERROR (RFC 9113, 8.1), and the connection lives on.
type Early struct{ Answer } // Code 300 to 599; 0: 413

// Kind implements Fault.
func (Early) Kind() string { return "early" }

// Intake implements Eager.
func (Early) Intake() Intake { return Intake{Unread: true} }

// Late implements Eager.
func (Early) Late() Fault { return Status{} }

// Act implements Fault.
func (e Early) Act(x Exchange) {
	if r, ok := e.or(http.StatusRequestEntityTooLarge).begin(x, 0); ok {
		x.Reply(r)
	}
}

// String implements Fault.
func (e Early) String() string { return text("early", e.texts()...) }

func earlyKind() Kind {
	return Kind{
		Name:   "early",
		Form:   "early",
		Params: answerParams("413"),
		Reason: "an answer before the body is read, and the connection closed: the sender may be writing still",
		parse: func(_ string, a *args) Fault {
			e := Early{a.fields()}
			e.Code = a.number("status", http.StatusMultipleChoices, maxStatus)
			return e
		},
	}
}
