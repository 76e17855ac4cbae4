package contract

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// problem is one thing that is wrong with a contract.
type problem struct {
	file      string // empty for a contract that was not parsed
	line, col int    // from 1; 0 if unknown
	field     string // path, as schedule.waits[2]
	what      string // what is wrong and what to do
}

// Error reads like `bounded-6.yaml:12:3: schedule.timeout: 10 has no unit; write 10s`.
func (p problem) Error() string {
	var b strings.Builder
	if p.file != "" {
		b.WriteString(p.file)
		if p.line > 0 {
			fmt.Fprintf(&b, ":%d:%d", p.line, p.col)
		}
		b.WriteString(": ")
	}
	if p.field != "" {
		b.WriteString(p.field + ": ")
	}
	b.WriteString(p.what)
	return b.String()
}

// join returns the problems as one error, in the order of the file.
func join(ps []problem) error {
	slices.SortStableFunc(ps, func(a, b problem) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col)) })
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// related tells whether one path is the other or lies inside it. Everything lies inside the empty path.
func related(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == "" || a == b || strings.HasPrefix(b, a) && (b[len(a)] == '.' || b[len(a)] == '[')
}
