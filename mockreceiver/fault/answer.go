package fault

import (
	"net/http"
	"strconv"
	"time"
)

// Answer is what kinds that answer with a status have in common, apart from the body.
type Answer struct {
	Code       int // 200 to 599; 0: the kind's own default
	RetryAfter RetryAfter
	Header     [][2]string
	// Delay is held before the answer; on a 2xx after the commit.
	Delay time.Duration
}

// begin does what comes before an answer: the business write of a 2xx, and the delay. The reply has no body yet.
func (a Answer) begin(x Exchange, work time.Duration) (Reply, bool) {
	if a.Code/100 == 2 && !x.Business(Write{Work: work}) {
		return Reply{}, false
	}
	if !x.Hold(a.Delay) {
		return Reply{}, false
	}
	r := Reply{Status: a.Code, Header: a.Header}
	if v := a.RetryAfter.Value(x.Now()); v != "" {
		r.Header = append([][2]string{{"Retry-After", v}}, a.Header...)
	}
	return r, true
}

// or gives the answer a status where it has none.
func (a Answer) or(code int) Answer {
	if a.Code == 0 {
		a.Code = code
	}
	return a
}

// texts are the arguments in their text form, the status among them; empty ones are for text to leave out.
func (a Answer) texts() []string {
	return append([]string{numberText("status", a.Code)}, a.fieldTexts()...)
}

func (a Answer) fieldTexts() []string {
	list := []string{a.RetryAfter.text()}
	for _, h := range a.Header {
		list = append(list, "header="+strconv.Quote(h[0]+": "+h[1]))
	}
	return append(list, durationText("delay", a.Delay))
}

// answerParams are the parameters of answer. status says what is taken if none is given.
func answerParams(status string) []Param {
	return append([]Param{{Name: "status", Value: status, Meaning: "the status of the answer; " + status + " if left out"}}, fieldParams()...)
}

func fieldParams() []Param {
	return []Param{
		{
			Name: "retry-after", Value: `2, date+3s, date-1h or "text"`,
			Meaning: `the header of that name: seconds (any number of digits), a date ahead or past, or any text, such as "-5" or "1e3"`,
		},
		{Name: "header", Value: `"Name: value"`, Meaning: "one more header; may be given several times"},
		delayParam(),
	}
}

// answer takes the arguments of an Answer whose status has a body.
func (a *args) answer() Answer {
	out := a.fields()
	out.Code = a.number("status", minStatus, maxStatus)
	if bodiless(out.Code) {
		a.fail(a.at, "%s: status %d has no body by definition, take another", a.step, out.Code)
	}
	return out
}

func (a *args) fields() Answer {
	out := Answer{RetryAfter: a.retryAfter(), Delay: a.duration("delay")}
	for {
		h, ok := a.take("header")
		if !ok {
			return out
		}
		out.Header = append(out.Header, a.header(h))
	}
}

// bodiless tells whether a status has no body by definition (RFC 9110, 15.3.5 and 15.4.5).
func bodiless(code int) bool { return code == http.StatusNoContent || code == http.StatusNotModified }
