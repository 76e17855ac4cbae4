package fault

import (
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// datePrefix opens the date form of retry-after: date+3s, date-1h.
const datePrefix = "date"

// RetryAfter is the value of the header of that name. The zero value sends none.
type RetryAfter struct {
	// Text is sent as it is: whole seconds, or whatever a plan wants to try a sender with.
	Text string
	// Date sends an HTTP-date instead: the time of the answer plus In, cut to whole seconds as the form demands. So a date
	// 3 s ahead asks for 2.0 to 3.0 s of waiting.
	Date bool
	In   time.Duration
}

// Value is the header's value for an answer given at now; empty for none.
func (r RetryAfter) Value(now time.Time) string {
	if r.Date {
		return now.Add(r.In).UTC().Format(http.TimeFormat)
	}
	return r.Text
}

func (r RetryAfter) text() string {
	switch {
	case r.Date && r.In < 0:
		return "retry-after=" + datePrefix + r.In.String()
	case r.Date:
		return "retry-after=" + datePrefix + "+" + r.In.String()
	case r.Text == "":
		return ""
	case digits(r.Text):
		return "retry-after=" + r.Text
	default:
		return "retry-after=" + strconv.Quote(r.Text)
	}
}

// retryAfter takes the argument in one of its three forms.
func (a *args) retryAfter() RetryAfter {
	one, ok := a.take("retry-after")
	if !ok {
		return RetryAfter{}
	}
	if one.quoted {
		if one.value == "" || strings.ContainsFunc(one.value, unicode.IsControl) {
			a.fail(one.at, "%s: want a text of printable characters", one)
		}
		return RetryAfter{Text: one.value}
	}
	if digits(one.value) {
		return RetryAfter{Text: one.value}
	}
	rest, ok := strings.CutPrefix(one.value, datePrefix)
	d, err := time.ParseDuration(rest)
	if !ok || err != nil || (rest[0] != '+' && rest[0] != '-') || d.Abs() > maxHold {
		a.fail(one.at, `%s: want whole seconds, date+3s, or any text in double quotes`, one)
	}
	return RetryAfter{Date: true, In: d}
}
