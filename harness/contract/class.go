package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Class is what an answer leads to.
type Class string

// The classes.
const (
	Success   Class = "success"   // the delivery has ended well
	Transient Class = "transient" // another attempt follows while the schedule and the deadline allow one
	Permanent Class = "permanent" // dead letter at once
	Disable   Class = "disable"   // permanent, and the endpoint gets nothing more
	Open      Class = "open"      // the contract does not say; any of the others is right
)

// Class returns what a status leads to. A status that no list names is Answers.Otherwise; so is one outside 100 to 999.
func (c *Contract) Class(status int) Class {
	switch a := c.Answers; {
	case a.Success.Has(status):
		return Success
	case a.Disable.Has(status):
		return Disable
	case a.Retry.Has(status):
		return Transient
	case a.Permanent.Has(status):
		return Permanent
	case a.Otherwise == OtherwiseRetry:
		return Transient
	case a.Otherwise == OtherwiseOpen:
		return Open
	}
	return Permanent
}

// TransientError tells whether a failure without a status (one of the Error constants) is followed by another attempt.
func (c *Contract) TransientError(kind string) bool { return slices.Contains(c.Answers.Errors, kind) }

// OpenError tells whether the contract does not say what follows a failure without a status.
func (c *Contract) OpenError(kind string) bool {
	return c.Answers.Otherwise == OtherwiseOpen && !c.TransientError(kind)
}

// HonoursRetryAfter tells whether the contract promises to heed Retry-After on that status.
func (c *Contract) HonoursRetryAfter(status int) bool {
	return c.RetryAfter != nil && c.RetryAfter.Codes.Has(status)
}

// Advises tells whether the promise behind a check is a SHOULD: Advice holds its id or its family, the part before the dot.
func (c *Contract) Advises(check string) bool {
	family, _, _ := strings.Cut(check, ".")
	return slices.Contains(c.Advice, check) || slices.Contains(c.Advice, family)
}

// Has tells whether the list names the status. Entries that are no code name none; Validate reports them.
func (cs Codes) Has(status int) bool {
	for _, entry := range cs {
		lo, hi, err := codeRange(entry)
		if err == nil && lo <= status && status <= hi {
			return true
		}
	}
	return false
}

// codeRange returns the first and last status of an entry: 429, 5xx or 400-428.
func codeRange(entry string) (lo, hi int, err error) {
	if len(entry) == 3 && strings.HasSuffix(entry, "xx") && entry[0] >= '1' && entry[0] <= '9' {
		lo = int(entry[0]-'0') * 100
		return lo, lo + 99, nil
	}
	first, last, isRange := strings.Cut(entry, "-")
	lo, ok := code(first)
	hi = lo
	if isRange && ok {
		hi, ok = code(last)
	}
	if !ok {
		return 0, 0, fmt.Errorf("%q is no status; write one as 429, a class as 5xx, a range as 400-499", entry)
	}
	if hi < lo {
		return 0, 0, fmt.Errorf("%q ends before it begins; write %s-%s", entry, last, first)
	}
	return lo, hi, nil
}

// code reads a status as it stands on the wire: three digits, the first not 0.
func code(s string) (int, bool) {
	const digits = 3
	if len(s) != digits || s[0] == '0' || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
