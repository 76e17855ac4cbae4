package fault

import (
	"net/http"
	"strconv"
)

// Chance fails a share of the requests and answers the others 200. Each draw depends on the run's seed, the endpoint, the
// event and the attempt, so the same run fails in the same places whatever the order of arrival. Plans are deterministic
// unless this is asked for: tools with random failures by default are switched off by their users.
type Chance struct {
	P    float64 // share of failures, 0 to 1
	Code int     // of a failure; 0: 503
}

// Kind implements Fault.
func (Chance) Kind() string { return "chance" }

// Act implements Fault.
func (c Chance) Act(x Exchange) {
	code := c.Code
	if code == 0 {
		code = http.StatusServiceUnavailable
	}
	if x.Draw() >= c.P {
		code = okCode
	}
	Status{Code: code}.Act(x)
}

// String implements Fault.
func (c Chance) String() string {
	return text("chance", strconv.FormatFloat(c.P, 'g', -1, 64), numberText("status", c.Code))
}

func chanceKind() Kind {
	return Kind{
		Name: "chance",
		Form: "chance(0.1)",
		Params: []Param{
			{Value: "0.1", Meaning: "the share of failures, 0 to 1"},
			{Name: "status", Value: "503", Meaning: "the status of a failure; 503 if left out"},
		},
		Random: true,
		Reason: "random failures on request, the same for the same seed",
		parse: func(_ string, a *args) Fault {
			c := Chance{Code: a.number("status", http.StatusMultipleChoices, maxStatus)}
			one, ok := a.take("")
			p, err := strconv.ParseFloat(one.value, 64)
			if !ok || err != nil || !(p >= 0 && p <= 1) {
				a.fail(a.at, "chance: want the share of failures from 0 to 1, such as chance(0.1)")
			}
			c.P = p
			return c
		},
	}
}
