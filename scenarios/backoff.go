package scenarios

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
)

// seconds rounds up to whole seconds: the unit of Retry-After on the wire, never compressed.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// retryAfter is a Retry-After that stands out from the wait before the second attempt: three times it, and at least 2 s, since
// the date form may round one second away.
func (k kit) retryAfter() int { return max(2, seconds(3*k.c.Schedule.Wait(2).Min)) }

// honoured returns a status whose Retry-After the contract honours, or why there is none to use for the form.
func (k kit) honoured(form string) (status int, why string) {
	ra := k.c.RetryAfter
	if ra == nil || k.c.Schedule == nil || k.c.Schedule.Count() < 2 {
		return 0, "the contract does not promise to honour Retry-After"
	}
	if !slices.Contains(ra.Forms, form) {
		return 0, fmt.Sprintf("the contract does not promise to honour a Retry-After in the form %q", form)
	}
	for _, s := range []int{429, 503} {
		if k.c.HonoursRetryAfter(s) {
			return s, ""
		}
	}
	return 0, "the contract honours Retry-After on no status that a scenario uses (429, 503)"
}

func (k kit) retryAfterSeconds() drive.Scenario {
	sc := drive.Scenario{
		Name:   "backoff/retry-after-seconds",
		Title:  "The receiver asks for a longer wait, in seconds",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "backoff.retry-after"),
		Watch:  k.window(),
	}
	status, why := k.honoured("seconds")
	if why != "" {
		sc.NotRun = why
		return sc
	}
	r := k.retryAfter()
	sc.Play = k.each(
		plan("%d(retry-after=%d), 200", status, r),
		plan("503, %d(retry-after=%d), 200", status, max(2, seconds(3*k.c.Schedule.Wait(min(3, k.c.Schedule.Count())).Min))),
	)
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
	status, why := k.honoured("date")
	if why != "" {
		sc.NotRun = why
		return sc
	}
	sc.Play = k.each(plan("%d(retry-after=date+%ds), 200", status, max(4, k.retryAfter()+1)))
	return sc
}
