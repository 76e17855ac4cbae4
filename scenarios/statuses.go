package scenarios

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// usual are the statuses that receivers and proxies answer with and that senders treat in ways of their own. Interim ones are none that an
// answer ends with, and redirects have scenarios of their own.
func usual() []int {
	return []int{
		201, 202, 204, 206, 299, 300,
		400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 444, 451,
		499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 521, 524, 530, 599,
	}
}

// first and last status that an answer can end with.
const firstFinal, lastFinal = 200, 599

// meant are the usual statuses and the first and the last of each entry of a list of the contract's, by number, as far as they belong to
// one of its classes.
func (k kit) meant(list contract.Codes, class contract.Class) []int {
	all := usual()
	for s := firstFinal; s <= lastFinal; s++ {
		if list.Has(s) && (!list.Has(s-1) || !list.Has(s+1)) {
			all = append(all, s)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s int) bool { return k.c.Class(s) != class || redirects(s) })
}

// redirects tells whether clients take a status for a redirect of its own accord.
func redirects(status int) bool { return slices.Contains([]int{301, 302, 303, 304, 307, 308}, status) }

// answer is the step of a status, with a body of its own, so that a digest of another one shows in the log; without one where none may be.
func answer(status int) string {
	if !hasBody(status) {
		return strconv.Itoa(status)
	}
	return fmt.Sprintf(`%d(body="answer %d")`, status, status)
}

// hasBody tells whether an answer of a status may have a body.
func hasBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusResetContent
}

// permanent returns those of the statuses that the contract calls permanent.
func (k kit) permanent(statuses ...int) []int {
	return slices.DeleteFunc(statuses, func(s int) bool { return k.c.Class(s) != contract.Permanent })
}

// transient returns those of the statuses that the contract names as transient. One that is merely not named otherwise makes
// no good stimulus: what follows it may be no promise. It is one where the contract names none, and calls all that is no success so.
func (k kit) transient(statuses ...int) []int {
	retry := k.c.Answers.Retry
	return slices.DeleteFunc(statuses, func(s int) bool {
		return k.c.Class(s) != contract.Transient || len(retry) > 0 && !retry.Has(s)
	})
}

// refusals returns those of the statuses that the contract calls permanent, and where those are none, what it names as such.
func (k kit) refusals(usual ...int) []int {
	if refused := k.permanent(usual...); len(refused) > 0 {
		return refused
	}
	return k.meant(k.c.Answers.Permanent, contract.Permanent)
}

// failures returns those of the statuses that the contract names as transient, and where those are none, others that it names so.
func (k kit) failures(usual ...int) []int {
	if failed := k.transient(usual...); len(failed) > 0 {
		return failed
	}
	return k.transient(k.meant(k.c.Answers.Retry, contract.Transient)...)
}

// plan is as the function, where a 503 and a 200 of the format stand for a failure that the contract calls transient and for a success:
// for others, where those are none. What has parameters of its own was chosen for what they ask, and stays; a success may have some.
func (k kit) plan(format string, args ...any) fault.Plan { return plan(k.fit(format), args...) }

// fit puts into the text of a plan what the contract calls a transient failure and a success.
func (k kit) fit(text string) string {
	if len(k.transient(503)) == 0 {
		if others := k.failures(); len(others) > 0 {
			text = regexp.MustCompile(`(^| )503([*,]|$)`).ReplaceAllString(text, "${1}"+strconv.Itoa(others[len(others)-1])+"${2}")
		}
	}
	if k.c.Class(http.StatusOK) == contract.Success {
		return text
	}
	others := k.meant(k.c.Answers.Success, contract.Success)
	if i := slices.IndexFunc(others, hasBody); i >= 0 {
		return regexp.MustCompile(`(^| )200([*,(]|$)`).ReplaceAllString(text, "${1}"+strconv.Itoa(others[i])+"${2}")
	}
	if len(others) > 0 { // a step with a body stays, and fails: no success can carry it
		return regexp.MustCompile(`(^| )200([*,]|\(copies|\(delay|$)`).ReplaceAllString(text, "${1}"+strconv.Itoa(others[0])+"${2}")
	}
	return text
}

// fails names the checks of a failure without a status, in addition to those of a retry: where the contract does not retry it, none may
// follow.
func (k kit) fails(kind string, checks []string) []string {
	if k.c.TransientError(kind) || k.c.OpenError(kind) {
		return checks
	}
	return append(checks, "retry.permanent")
}
