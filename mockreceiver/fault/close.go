package fault

import "time"

// Close reads the request to its end and then closes the connection in order, without an answer, as a receiver that is
// being stopped does. The peer sees the end of the stream where it waits for a status line, and no ECONNRESET.
//
// Over HTTP/2 the stream is reset with CANCEL, and the connection lives on.
type Close struct{ Delay time.Duration }

// Kind implements Fault.
func (Close) Kind() string { return "close" }

// Act implements Fault.
func (c Close) Act(x Exchange) {
	if x.Hold(c.Delay) {
		x.Close()
	}
}

// String implements Fault.
func (c Close) String() string { return text("close", durationText("delay", c.Delay)) }

func closeKind() Kind {
	return Kind{
		Name:   "close",
		Form:   "close",
		Params: []Param{delayParam()},
		Reason: "the connection is closed in order after the request was read: an empty reply",
		parse:  func(_ string, a *args) Fault { return Close{Delay: a.duration("delay")} },
	}
}
