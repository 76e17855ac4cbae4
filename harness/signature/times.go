package signature

import (
	"fmt"
	"strconv"
	"time"
)

// Digits of a unix time. Ten digits of seconds last until the year 2286; thirteen digits are milliseconds of our time, and
// as seconds would lie 30 000 years ahead. Eleven is the most that can still be meant as seconds.
const (
	maxSecondDigits = 11
	millisDigits    = 13
	maxMilliDigits  = maxSecondDigits + 3
)

// parseTime returns the zero time for whatever has not the record's form.
func (s *Scheme) parseTime(text string) time.Time {
	switch s.rec.Timestamp.Format {
	case formatUnixMillis:
		if n, ok := parseDigits(text, maxMilliDigits); ok && len(text) > maxSecondDigits {
			return time.UnixMilli(n).UTC()
		}
	case formatRFC3339:
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			return t.UTC()
		}
	default:
		if n, ok := parseDigits(text, maxSecondDigits); ok {
			return time.Unix(n, 0).UTC()
		}
	}
	return time.Time{}
}

// parseDigits takes plain decimal digits of a plausible length.
func parseDigits(text string, most int) (int64, bool) {
	if !isDigits(text) || len(text) > most || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// formatTime is the inverse, cut to the record's unit.
func (s *Scheme) formatTime(at time.Time) string {
	switch s.rec.Timestamp.Format {
	case formatUnixMillis:
		return strconv.FormatInt(at.UnixMilli(), 10)
	case formatRFC3339:
		return at.UTC().Format("2006-01-02T15:04:05.999Z07:00")
	}
	return strconv.FormatInt(at.Unix(), 10)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// TimeForm names the form of the signed time for people.
func (s *Scheme) TimeForm() string {
	switch s.rec.Timestamp.Format {
	case formatUnixMillis:
		return "count of whole unix milliseconds"
	case formatRFC3339:
		return "time of RFC 3339"
	}
	return "count of whole unix seconds"
}

// timeForm says what is wrong with the form of the time; nothing if SignedAt is set, or there is none to be.
func (s *Scheme) timeForm(f *Finding) (Reason, string) {
	form := "decimal number of unix seconds"
	switch {
	case f.Timeless || !f.SignedAt.IsZero():
		return "", ""
	case s.rec.Timestamp.Format != formatUnixSecs:
		form = s.TimeForm()
	case isDigits(f.SignedAtText) && len(f.SignedAtText) == millisDigits:
		return Milliseconds, "the time has 13 digits, which are milliseconds; declared are seconds"
	}
	return BadTimestamp, fmt.Sprintf("the time (%d bytes) is not a %s", len(f.SignedAtText), form)
}
