package judge

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// payloadTime reads a time of a payload with the unit in which it is written: text with an offset, or a unix time, as a number or as
// text, which needs none.
func payloadTime(x any) (at time.Time, unit time.Duration, broke string) {
	text := scalarText(x)
	if at, unit, ok := unixTime(text); ok {
		return at, unit, ""
	}
	if _, ok := x.(json.Number); ok {
		return at, 0, "is no unix time"
	}
	// RFC 3339 allows t and z for T and Z.
	upper := strings.ToUpper(text)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z0700", "2006-01-02 15:04:05Z07",
	} {
		if at, err := time.Parse(layout, upper); err == nil {
			return at, resolution(upper), ""
		}
	}
	for _, layout := range []string{"Mon, 2 Jan 2006 15:04:05 GMT", "Mon, 2 Jan 2006 15:04:05 -0700", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 UTC"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, resolution(text), ""
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", time.DateTime} {
		if _, err := time.Parse(layout, upper); err == nil {
			return at, 0, "has no offset, so that it means another instant in each zone"
		}
	}
	return at, 0, "is no time with an offset"
}

// unixTime reads a count of seconds, milliseconds, microseconds or nanoseconds since 1970, with a fraction or without. Which of them
// it counts shows in its length: of each unit, the instants from 2001 to 2286 have three digits more than of the one before.
func unixTime(text string) (at time.Time, unit time.Duration, ok bool) {
	m := regexp.MustCompile(`^([0-9]{9,19})(\.[0-9]{1,9})?$`).FindStringSubmatch(text)
	if m == nil {
		return at, 0, false
	}
	whole, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return at, 0, false
	}
	const seconds = 10 // digits of the present in seconds
	unit = time.Second
	for digits := len(m[1]); digits > seconds+2; digits -= 3 {
		unit /= 1000
	}
	per := int64(time.Second / unit)
	at = time.Unix(whole/per, whole%per*int64(unit))
	if m[2] != "" {
		part, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return at, 0, false
		}
		at = at.Add(time.Duration(part * float64(unit)))
		for range m[2][1:] {
			unit = max(unit/10, 1)
		}
	}
	return at, unit, true
}
