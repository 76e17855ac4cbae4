package fault

import (
	"net/http"
	"time"
)

// Outage makes an endpoint fail for a while, whatever the event and the attempt, and answer 200 before and after. What piles
// up meanwhile comes back at once when it ends.
type Outage struct {
	// From and To are counted from when the endpoint was added or last reset. To 0: it never ends; else it is above From.
	From, To time.Duration
	// Code is the status of the outage, 300 to 599; 0: 503. With ends the connection without an answer instead.
	Code int
	With End
}

// Kind implements Fault.
func (Outage) Kind() string { return "outage" }

// Act implements Fault.
func (o Outage) Act(x Exchange) {
	code := o.Code
	switch age := x.Age(); {
	case age < o.From || o.To > 0 && age >= o.To:
		code = okCode
	case o.With == Closed:
		Close{}.Act(x)
		return
	case o.With == Aborted:
		Reset{}.Act(x)
		return
	case code == 0:
		code = http.StatusServiceUnavailable
	}
	Status{Code: code}.Act(x)
}

// String implements Fault.
func (o Outage) String() string {
	return text("outage", durationText("from", o.From), durationText("to", o.To), numberText("status", o.Code), endText(o.With))
}

func outageKind() Kind {
	return Kind{
		Name: "outage",
		Form: "outage(from=2s, to=5s)",
		Params: []Param{
			{Name: "from", Value: "2s", Meaning: "when it begins, counted from when the endpoint was added or reset; 0s if left out; real time"},
			{Name: "to", Value: "5s", Meaning: "when it ends; without it never"},
			{Name: "status", Value: "503", Meaning: "the status meanwhile; 503 if left out"},
			{Name: "with", Value: "close or reset", Meaning: "instead of a status: how the connection ends"},
		},
		Reason: "the endpoint is down for a while for all events at once, and comes back",
		parse: func(_ string, a *args) Fault {
			o := Outage{From: a.duration("from"), To: a.duration("to"), With: a.end()}
			o.Code = a.number("status", http.StatusMultipleChoices, maxStatus)
			if o.To > 0 && o.To <= o.From {
				a.fail(a.at, "outage: to=%s is not after from=%s", o.To, o.From)
			}
			if o.With != "" && o.Code != 0 {
				a.fail(a.at, "outage: give a status or with=%s, not both", o.With)
			}
			return o
		},
	}
}
