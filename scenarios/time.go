package scenarios

import "github.com/hookassay/hookassay/harness/drive"

func (k kit) timeFresh() drive.Scenario {
	sc := drive.Scenario{
		Name:   "time/retry-seconds-later",
		Title:  "Failures until a retry comes seconds after the attempt before it, so that a reused timestamp shows",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "time.fresh", "backoff.bounds"),
		Watch:  k.window(),
	}
	n := k.freshAttempt()
	if n == 0 {
		sc.NotRun = "no wait of the effective schedule is 3 s or longer: a stale signed time could not be told from a fresh one"
		return sc
	}
	sc.Play = k.each(k.plan("503*%d, 200", n-1), k.plan("503*%d, 200", n-1))
	return sc
}
