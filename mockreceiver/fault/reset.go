package fault

import "time"

// Reset reads the request to its end and then resets the connection without an answer, as a crashing receiver or an
// impatient proxy does. The peer sees ECONNRESET, not an orderly close.
//
// Over HTTP/2 the stream is reset with INTERNAL_ERROR, and the connection lives on.
type Reset struct{ Delay time.Duration }

// Kind implements Fault.
func (Reset) Kind() string { return "reset" }

// Act implements Fault.
func (r Reset) Act(x Exchange) {
	if x.Hold(r.Delay) {
		x.Reset()
	}
}

// String implements Fault.
func (r Reset) String() string { return text("reset", durationText("delay", r.Delay)) }

func resetKind() Kind {
	return Kind{
		Name:   "reset",
		Form:   "reset",
		Params: []Param{delayParam()},
		Reason: "the connection is reset after the request was read: a failure without a status",
		parse:  func(_ string, a *args) Fault { return Reset{Delay: a.duration("delay")} },
	}
}
