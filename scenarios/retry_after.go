package scenarios

import (
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// tenYears is more than anybody waits, and few enough digits for every reader.
const tenYears = 10 * 365 * 24 * 60 * 60

// beyondCap is a number of seconds that no sender with a cap waits, and that a sender without one would end before the deadline; 0
// if there is none.
func (k kit) beyondCap() int {
	ra, s := k.c.RetryAfter, k.c.Schedule
	if ra.Cap == 0 {
		return 0
	}
	most := max(ra.Cap, s.Wait(2).Max)
	if s.Jitter != nil {
		most += time.Duration(float64(ra.Cap) * s.Jitter.Plus)
	}
	r := seconds(most + margin)
	if s.Deadline > 0 && seconds(s.Deadline-margin/2) <= r {
		return 0
	}
	return r
}

func (k kit) retryAfterHuge() drive.Scenario {
	sc := drive.Scenario{
		Name:   "backoff/retry-after-beyond-cap",
		Title:  "The receiver asks for more than the longest wait that the contract allows, up to ten years and a number of thirty digits",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "backoff.retry-after"),
		Watch:  k.window(),
	}
	status, why := k.honoured()
	switch {
	case why != "":
		sc.NotRun = why
		return sc
	case k.c.RetryAfter.Cap == 0 && k.c.RetryAfter.CapFactor == 0:
		sc.NotRun = "the contract sets no longest wait for Retry-After"
		return sc
	}
	plans := []fault.Plan{
		k.plan("%d(retry-after=%d), 200", status, tenYears),
		k.plan("%d(retry-after=%s), 200", status, strings.Repeat("9", 30)),
	}
	if r := k.beyondCap(); r > 0 {
		plans = append(plans, k.plan("%d(retry-after=%d), 200", status, r), k.plan("503, %d(retry-after=%d), 200", status, r))
	}
	sc.Play = k.each(plans...)
	return sc
}

func (k kit) retryAfterBad() drive.Scenario {
	sc := drive.Scenario{
		Name:   "backoff/retry-after-bad-value",
		Title:  "Retry-After says what nobody can wait for: a negative number, a past date, a fraction, text, nothing",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "backoff.retry-after", "backoff.bounds"),
		Watch:  k.window(),
	}
	status, why := k.honoured()
	if why != "" {
		sc.NotRun = why
		return sc
	}
	plans := []fault.Plan{
		k.plan("503*%d, 200", max(1, k.c.Schedule.Count()-1)), // to compare with
		k.plan("%d(retry-after=date-1h), 200", status),
		k.plan("%d(retry-after=0), 200", status),
	}
	for _, bad := range []string{"-5", "1e3", "3.5", "+4", "5 s", "soon", "0x10", "5, 7", "Mon, 99 Foo 2099 25:61:61 GMT", "2099-01-01T00:00:00Z"} {
		plans = append(plans, k.plan("%d(retry-after=%q), 200", status, bad))
	}
	sc.Play = k.each(plans...)
	return sc
}
