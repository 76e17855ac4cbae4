package fault

import "time"

// Timeout writes no byte until the peer hangs up, so that the sender's own time limit must end the attempt. With For the
// connection is closed after that time instead.
//
// Over HTTP/2 the stream stays open; with For it is reset with CANCEL after that time. The connection lives on.
type Timeout struct{ For time.Duration }

// Kind implements Fault.
func (Timeout) Kind() string { return "timeout" }

// Act implements Fault.
func (t Timeout) Act(x Exchange) { x.Hang(t.For) }

// String implements Fault.
func (t Timeout) String() string { return text("timeout", durationText("", t.For)) }

func timeoutKind() Kind {
	return Kind{
		Name:   "timeout",
		Form:   "timeout",
		Params: []Param{{Value: "5s", Meaning: "close the connection after so long, without an answer; real time"}},
		Reason: "no answer at all: the sender must end the attempt by its own time limit",
		parse:  func(_ string, a *args) Fault { return Timeout{For: a.duration("")} },
	}
}
