package fault

import "strconv"

// maxSize bounds the size of a large body. A gibibyte is more than any sender can be expected to keep, and costs the
// receiver nothing: the body is made while it is sent.
const maxSize = 1 << 30

// Large answers with a large body of declared length. Receivers answer with whole HTML pages by mistake; a sender that keeps
// what it is sent can be filled up by its subscribers.
type Large struct {
	Answer // Code 0: 200
	Size   int64
}

// Kind implements Fault.
func (Large) Kind() string { return "large" }

// Act implements Fault.
func (l Large) Act(x Exchange) {
	r, ok := l.or(okCode).begin(x, 0)
	if !ok {
		return
	}
	r.Fill = l.Size
	x.Reply(r)
}

// String implements Fault.
func (l Large) String() string {
	return text("large", append([]string{strconv.FormatInt(l.Size, 10)}, l.texts()...)...)
}

func largeKind() Kind {
	return Kind{
		Name:   "large",
		Form:   "large(1000000)",
		Params: append([]Param{{Value: "1000000", Meaning: "the size of the body in bytes, up to 1073741824"}}, answerParams("200")...),
		Reason: "a large body: a sender must not keep all that its subscribers send",
		parse: func(_ string, a *args) Fault {
			l := Large{Answer: a.answer(), Size: int64(a.number("", 1, maxSize))}
			if l.Size == 0 {
				a.fail(a.at, "large: give the size of the body in bytes, such as large(1000000)")
			}
			return l
		},
	}
}
