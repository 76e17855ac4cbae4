package fault

// lengthBody is the body of an answer with a wrong length: long enough to be cut, short enough to come in one packet.
const lengthBody = "a body of another length\n"

// WrongLength declares a length that the body does not have, and then closes the connection. Declared too long, the answer
// can be seen to be incomplete; too short, it looks complete and is followed by bytes that belong to nothing.
//
// Over HTTP/2 the stream ends in order, and its DATA frames do not add up to content-length (RFC 9113, 8.1.1).
type WrongLength struct {
	Answer // Code 0: 200
	// By is the declared length less the real one; not 0, and above minus the body's own length.
	By int
}

// Kind implements Fault.
func (WrongLength) Kind() string { return "wrong-length" }

// Act implements Fault.
func (w WrongLength) Act(x Exchange) {
	if r, ok := w.or(okCode).begin(x, 0); ok {
		x.Write(rawHead(r, contentLength(len(lengthBody)+w.By))+lengthBody, Finished)
	}
}

// String implements Fault.
func (w WrongLength) String() string {
	return text("wrong-length", append([]string{signed(w.By)}, w.texts()...)...)
}

func wrongLengthKind() Kind {
	return Kind{
		Name: "wrong-length",
		Form: "wrong-length(+10)",
		Params: append([]Param{
			{Value: "+10", Meaning: "the declared length less the real one, which is 25: +10 is too long, -10 too short"},
		}, answerParams("200")...),
		Reason: "Content-Length is wrong: the answer is never complete, or bytes follow that belong to nothing",
		parse: func(_ string, a *args) Fault {
			w := WrongLength{Answer: a.answer(), By: a.number("", -len(lengthBody), maxSize)}
			if w.By == 0 {
				a.fail(a.at, "wrong-length: say by how much, such as wrong-length(+10) for too long or wrong-length(-10) for too short")
			}
			return w
		},
	}
}
