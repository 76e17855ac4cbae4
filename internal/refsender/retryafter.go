package refsender

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// Names of the forms of Retry-After in a contract.
const (
	formSeconds = "seconds"
	formDate    = "date"
)

// Longest wait that a number of seconds can ask for: ten years. It keeps absurd values from overflowing a duration; where
// the contract has a cap, that is lower.
const secondsMax = 10 * 365 * 24 * 60 * 60

// askedWait is the wait after the end of the attempt that a Retry-After asks for, cut to the contract's cap; false if none
// is honoured: no such header, a status on which it does not count, or a value of no known form.
func askedWait(c *contract.Contract, f facts) (time.Duration, bool) {
	value := strings.TrimSpace(f.retryAfter)
	if value == "" || f.status == 0 || !c.HonoursRetryAfter(f.status) {
		return 0, false
	}
	wait, form := seconds(value)
	if form == "" {
		wait, form = date(value, f.end.Add(f.ahead))
	}
	if form == "" || !slices.Contains(c.RetryAfter.Forms, form) {
		return 0, false
	}
	if limit := c.RetryAfter.Cap; limit > 0 {
		wait = min(wait, limit)
	}
	return wait, true
}

// seconds reads a number of seconds (RFC 9110, 10.2.3: digits only, so no sign and no fraction).
func seconds(value string) (wait time.Duration, form string) {
	if strings.Trim(value, "0123456789") != "" {
		return 0, ""
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n > secondsMax { // all digits, so the only error is that they are too many
		n = secondsMax
	}
	return time.Duration(n) * time.Second, formSeconds
}

// date reads an HTTP date, which is compared with the wall clock at the end of the attempt.
func date(value string, end time.Time) (wait time.Duration, form string) {
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, ""
	}
	return at.Sub(end), formDate
}
