package fault

import (
	"net/http"
	"strconv"
	"time"
)

// maxRate bounds a limit: far above what one receiver can answer in a second, and its memory is a time for each.
const maxRate = 100_000

// RateLimit answers 200 to so many requests of its endpoint, of all events together, in any second, and refuses the others
// with the whole seconds after which there is room again. A sender whose retries come in a herd stays refused.
type RateLimit struct {
	PerSecond int
	Code      int // of a refusal, 300 to 599; 0: 429
}

// Kind implements Fault.
func (RateLimit) Kind() string { return "rate-limit" }

// Act implements Fault.
func (l RateLimit) Act(x Exchange) {
	wait := x.Admit(l.PerSecond)
	if wait <= 0 {
		Status{Code: okCode}.Act(x)
		return
	}
	s := Status{Code: l.Code}
	if s.Code == 0 {
		s.Code = http.StatusTooManyRequests
	}
	// Rounded up: a sender that does as told must find room.
	s.RetryAfter.Text = strconv.Itoa(int((wait + time.Second - 1) / time.Second))
	s.Act(x)
}

// String implements Fault.
func (l RateLimit) String() string {
	return text("rate-limit", strconv.Itoa(l.PerSecond), numberText("status", l.Code))
}

func rateLimitKind() Kind {
	return Kind{
		Name: "rate-limit",
		Form: "rate-limit(5)",
		Params: []Param{
			{Value: "5", Meaning: "so many requests of the endpoint in any second are answered 200"},
			{Name: "status", Value: "429", Meaning: "the status of the others, which carries Retry-After; 429 if left out"},
		},
		Reason: "overload by the sender's own pace: the faster it retries, the more it is refused",
		parse: func(_ string, a *args) Fault {
			l := RateLimit{PerSecond: a.number("", 1, maxRate), Code: a.number("status", http.StatusMultipleChoices, maxStatus)}
			if l.PerSecond == 0 {
				a.fail(a.at, "rate-limit: give the requests per second, such as rate-limit(5)")
			}
			return l
		},
	}
}
