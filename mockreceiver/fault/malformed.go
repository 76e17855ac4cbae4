package fault

import "strings"

// Part is a part of an answer.
type Part string

// The parts that can be malformed.
const (
	StatusLine Part = "status-line" // the code is no number
	FieldLine  Part = "header"      // a line after the headers has no colon
	Chunk      Part = "chunk"       // the size of the body's second chunk is no number
)

// Malformed writes an answer that is no HTTP, and then closes the connection, as broken proxies and servers of another
// protocol on the same port do.
//
// Over HTTP/2 the stream ends in order, and its HEADERS frame is what is malformed: a :status that is no number; a field name
// with spaces; and for Chunk, which has no form there, a transfer-encoding field, which HTTP/2 forbids (RFC 9113, 8.2.2).
type Malformed struct {
	Answer // Code 0: 200
	Part   Part
}

// Kind implements Fault.
func (Malformed) Kind() string { return "malformed" }

// Act implements Fault.
func (m Malformed) Act(x Exchange) {
	r, ok := m.or(okCode).begin(x, 0)
	if !ok {
		return
	}
	var raw string
	switch m.Part {
	case StatusLine:
		_, rest, _ := strings.Cut(rawHead(r, contentLength(0)), "\r\n")
		raw = "HTTP/1.1 2x0 OK\r\n" + rest
	case Chunk:
		raw = rawHead(r, "Transfer-Encoding: chunked") + "3\r\nxxx\r\nzz\r\nxxx\r\n0\r\n\r\n"
	case FieldLine:
		raw = strings.TrimSuffix(rawHead(r, contentLength(0)), "\r\n") + "a line without a colon\r\n\r\n"
	}
	x.Write(raw, Finished)
}

// String implements Fault.
func (m Malformed) String() string {
	return text("malformed", append([]string{string(m.Part)}, m.texts()...)...)
}

func malformedKind() Kind {
	return Kind{
		Name: "malformed",
		Form: "malformed(status-line)",
		Params: append([]Param{
			{Value: "status-line", Meaning: "the part of the answer that is malformed: status-line, header or chunk"},
		}, answerParams("200")...),
		Reason: "an answer that is no HTTP: a failure without a status that may be trusted",
		parse: func(_ string, a *args) Fault {
			m := Malformed{Answer: a.answer()}
			one, _ := a.take("")
			switch m.Part = Part(one.value); m.Part {
			case StatusLine:
				if m.Code != 0 {
					a.fail(a.at, "malformed(status-line): has no status, leave it out")
				}
			case FieldLine, Chunk:
			default:
				a.fail(a.at, "malformed: want malformed(status-line), malformed(header) or malformed(chunk)")
			}
			return m
		},
	}
}
