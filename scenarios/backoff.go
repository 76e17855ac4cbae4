package scenarios

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// seconds rounds up to whole seconds: the unit of Retry-After on the wire, never compressed.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// retryAfter is a Retry-After that stands out from the wait before the second attempt: three times it, and at least 2 s, since
// the date form may round one second away.
func (k kit) retryAfter() int { return max(2, seconds(3*k.c.Schedule.Wait(2).Min)) }

// mostHonoured keeps the scenarios light where a contract honours Retry-After on whole classes of statuses.
const mostHonoured = 6

// allHonoured returns the statuses whose Retry-After the contract honours, the usual one first, or why there is none to use for the form.
func (k kit) allHonoured(form string) (statuses []int, why string) {
	ra := k.c.RetryAfter
	if ra == nil || k.c.Schedule == nil || k.c.Schedule.Count() < 2 {
		return nil, "the contract does not promise to honour Retry-After"
	}
	if !slices.Contains(ra.Forms, form) {
		return nil, fmt.Sprintf("the contract does not promise to honour a Retry-After in the form %q", form)
	}
	for _, s := range append([]int{429, 503}, k.meant(ra.Codes, contract.Transient)...) {
		if k.c.HonoursRetryAfter(s) && k.c.Class(s) == contract.Transient && !slices.Contains(statuses, s) && len(statuses) < mostHonoured {
			statuses = append(statuses, s)
		}
	}
	if len(statuses) == 0 {
		return nil, "the contract honours Retry-After on no status that it retries"
	}
	return statuses, ""
}

// honoured returns the first of them for a number of seconds.
func (k kit) honoured() (status int, why string) {
	all, why := k.allHonoured("seconds")
	if why != "" {
		return 0, why
	}
	return all[0], ""
}

func (k kit) retryAfterSeconds() drive.Scenario {
	sc := drive.Scenario{
		Name:   "backoff/retry-after-seconds",
		Title:  "The receiver asks for a longer wait, in seconds",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "backoff.retry-after"),
		Watch:  k.window(),
	}
	statuses, why := k.allHonoured("seconds")
	if why != "" {
		sc.NotRun = why
		return sc
	}
	later := max(2, seconds(3*k.c.Schedule.Wait(min(3, k.c.Schedule.Count())).Min))
	plans := []fault.Plan{k.plan("503, %d(retry-after=%d), 200", statuses[0], later)}
	for _, s := range statuses {
		plans = append(plans, k.plan("%d(retry-after=%d), 200", s, k.retryAfter()))
	}
	sc.Play = k.each(plans...)
	return sc
}

func (k kit) retryAfterDate() drive.Scenario {
	sc := drive.Scenario{
		Name:   "backoff/retry-after-date",
		Title:  "The receiver asks for a longer wait, by an HTTP date",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "backoff.retry-after"),
		Watch:  k.window(),
	}
	statuses, why := k.allHonoured("date")
	if why != "" {
		sc.NotRun = why
		return sc
	}
	var plans []fault.Plan
	for _, s := range statuses {
		plans = append(plans, k.plan("%d(retry-after=date+%ds), 200", s, max(4, k.retryAfter()+1)))
	}
	sc.Play = k.each(plans...)
	return sc
}
