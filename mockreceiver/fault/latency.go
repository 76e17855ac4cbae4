package fault

import (
	"math"
	"strconv"
	"time"
)

// maxSigma bounds the spread of a log-normal delay: at 3 one request in forty takes more than 350 times the median.
const maxSigma = 3

const inBodyText = "in=body"

// Latency answers after a delay that varies from attempt to attempt as the receivers' own do: evenly between two bounds, or
// log-normally, which is what response times look like, with a few far above the rest. Each delay depends on the run's
// seed, the endpoint, the event and the attempt, so the same run has the same delays.
type Latency struct {
	Answer // Code 0: 200; Delay comes on top, before the head
	// InBody puts the delay between the head and a body of 100 bytes, instead of before the head.
	InBody bool
	// From and To bound an even delay; To is not below From.
	From, To time.Duration
	// Median is that of a log-normal delay, above 0; then From and To are 0. Sigma is the spread of its logarithm, above 0.
	Median time.Duration
	Sigma  float64
}

// Kind implements Fault.
func (Latency) Kind() string { return "latency" }

// Act implements Fault.
func (l Latency) Act(x Exchange) {
	a, d := l.or(okCode), l.delay(x.Draw())
	if !l.InBody {
		a.Delay += d
	}
	r, ok := a.begin(x, 0)
	if !ok {
		return
	}
	if l.InBody {
		r.Fill, r.Pause = stallRest, Pause{For: d}
	}
	x.Reply(r)
}

// delay turns a number from [0, 1) into a delay, by the inverse of the distribution function.
func (l Latency) delay(u float64) time.Duration {
	if l.Median == 0 {
		return l.From + time.Duration(u*float64(l.To-l.From))
	}
	d := float64(l.Median) * math.Exp(l.Sigma*math.Sqrt2*math.Erfinv(2*u-1))
	return time.Duration(min(d, float64(maxHold)))
}

// String implements Fault.
func (l Latency) String() string {
	var list []string
	if l.Median > 0 {
		list = []string{durationText("median", l.Median), "sigma=" + strconv.FormatFloat(l.Sigma, 'g', -1, 64)}
	} else {
		list = []string{durationText("from", l.From), durationText("to", l.To)}
	}
	if l.InBody {
		list = append(list, inBodyText)
	}
	return text("latency", append(list, l.texts()...)...)
}

func latencyKind() Kind {
	return Kind{
		Name: "latency",
		Form: "latency(from=100ms, to=300ms)",
		Params: append([]Param{
			{Name: "from", Value: "100ms", Meaning: "with to: a delay drawn evenly between the two; 0s if left out"},
			{Name: "to", Value: "300ms", Meaning: "see from"},
			{Name: "median", Value: "200ms", Meaning: "instead, with sigma: a log-normal delay, half of them longer than that"},
			{Name: "sigma", Value: "0.5", Meaning: "the spread of a log-normal delay, up to 3: at 0.5 one in forty takes 2.7 times the median"},
			{Name: "in", Value: "body", Meaning: "the delay comes between the head and the body; before the head if left out"},
		}, answerParams("200")...),
		Random: true,
		Reason: "a delay that varies as real ones do, the same for the same seed",
		parse:  parseLatency,
	}
}

func parseLatency(_ string, a *args) Fault {
	l := Latency{Answer: a.fields(), From: a.duration("from"), To: a.duration("to"), Median: a.duration("median")}
	l.Code = a.number("status", minStatus, maxStatus)
	if one, ok := a.take("in"); ok {
		l.InBody = true
		if one.String() != inBodyText {
			a.fail(one.at, "%s: want %s, or leave it out", one, inBodyText)
		}
		if bodiless(l.Code) {
			a.fail(one.at, "status %d has no body by definition, take another", l.Code)
		}
	}
	if one, ok := a.take("sigma"); ok {
		s, err := strconv.ParseFloat(one.value, 64)
		if err != nil || !(s > 0 && s <= maxSigma) {
			a.fail(one.at, "%s: want a number above 0, up to %d", one, maxSigma)
		}
		l.Sigma = s
	}
	even, skewed := l.From > 0 || l.To > 0, l.Median > 0 || l.Sigma > 0
	switch {
	case even == skewed || skewed && (l.Median == 0 || l.Sigma == 0):
		a.fail(a.at, "latency: want latency(from=100ms, to=300ms) or latency(median=200ms, sigma=0.5)")
	case l.To < l.From:
		a.fail(a.at, "latency: from=%s is above to=%s", l.From, l.To)
	}
	return l
}
