package fault

import "time"

// LostAck commits the business write and then resets the connection: the work is done and the sender cannot know. Its next
// delivery is a duplicate that must be absorbed.
//
// Over HTTP/2 the stream is reset with INTERNAL_ERROR, and the connection lives on.
type LostAck struct{ Delay time.Duration }

// Kind implements Fault.
func (LostAck) Kind() string { return "lost-ack" }

// Act implements Fault.
func (l LostAck) Act(x Exchange) {
	if x.Business(Write{}) && x.Hold(l.Delay) {
		x.Reset()
	}
}

// String implements Fault.
func (l LostAck) String() string { return text("lost-ack", durationText("delay", l.Delay)) }

func lostAckKind() Kind {
	return Kind{
		Name:   "lost-ack",
		Form:   "lost-ack",
		Params: []Param{delayParam()},
		Reason: "the business write is committed and the answer lost: the retry is a duplicate",
		parse:  func(_ string, a *args) Fault { return LostAck{Delay: a.duration("delay")} },
	}
}
