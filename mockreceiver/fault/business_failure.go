package fault

import (
	"net/http"
	"time"
)

// BusinessFailure makes the business statement fail inside its transaction, so that the database rolls back the dedupe row
// with it, and answers with a failure. The next delivery of the event must be able to succeed. Where the event was
// committed before, there is nothing left to fail: the write is absorbed and only the answer is a failure.
type BusinessFailure struct {
	Code  int // 0: 500
	Delay time.Duration
}

// Kind implements Fault.
func (BusinessFailure) Kind() string { return "business-failure" }

// Act implements Fault.
func (b BusinessFailure) Act(x Exchange) {
	if !x.Business(Write{Fail: true}) || !x.Hold(b.Delay) {
		return
	}
	code := b.Code
	if code == 0 {
		code = http.StatusInternalServerError
	}
	x.Reply(Reply{Status: code})
}

// String implements Fault.
func (b BusinessFailure) String() string {
	return text("business-failure", numberText("status", b.Code), durationText("delay", b.Delay))
}

func businessFailureKind() Kind {
	return Kind{
		Name: "business-failure",
		Form: "business-failure",
		Params: []Param{
			{Name: "status", Value: "503", Meaning: "the status of the answer; 500 if left out"},
			delayParam(),
		},
		Reason: "the business write fails and is rolled back: no mark of the event may stay behind",
		parse: func(_ string, a *args) Fault {
			// A 2xx for a write that was rolled back would be a lie that no receiver under this model tells.
			return BusinessFailure{Code: a.number("status", http.StatusMultipleChoices, maxStatus), Delay: a.duration("delay")}
		},
	}
}
