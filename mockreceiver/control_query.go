package mockreceiver

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// defaultLimit and maxLimit bound a list: at 200 000 recorded requests a list of everything answers no caller in time.
	defaultLimit = 50
	maxLimit     = 1000
	// maxSeq is above any number that a journal can reach and far from overflow.
	maxSeq = 1 << 62
	// maxListed bounds how many values one filter may list: there are fewer classes, states and kinds.
	maxListed = 50
)

// query reads the parameters of a request and keeps the first error. What is not asked for by done is refused: a misspelt
// filter must not show everything.
type query struct {
	values url.Values
	asked  map[string]bool
	err    error
}

func queryOf(req *http.Request) *query {
	values, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		err = fmt.Errorf("query: %w", err)
	}
	return &query{values: values, asked: map[string]bool{}, err: err}
}

func (q *query) fail(format string, a ...any) {
	if q.err == nil {
		q.err = fmt.Errorf(format, a...)
	}
}

func (q *query) has(name string) bool {
	q.asked[name] = true
	return q.values.Has(name)
}

func (q *query) text(name string) string {
	q.asked[name] = true
	if len(q.values[name]) > 1 {
		q.fail("%s: give it once", name)
	}
	return q.values.Get(name)
}

// number is a number from 0 to limit.
func (q *query) number(name string, unset, limit int64) int64 {
	text := q.text(name)
	if text == "" {
		return unset
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > limit {
		q.fail("%s %q: want a number from 0 to %d", name, text, limit)
		return unset
	}
	return n
}

// flag is true or false, and false where it is not given.
func (q *query) flag(name string) bool {
	switch text := q.text(name); text {
	case "true", "1":
		return true
	case "", "false", "0":
	default:
		q.fail("%s %q: want true or false", name, text)
	}
	return false
}

// limit is how many of a list are wanted.
func (q *query) limit() int { return max(1, int(q.number("limit", defaultLimit, maxLimit))) }

func (q *query) duration(name string, unset, limit time.Duration) time.Duration {
	text := q.text(name)
	if text == "" {
		return unset
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > limit {
		q.fail("%s %q: want a duration from 0s to %s", name, text, limit)
		return unset
	}
	return d
}

// time is a time, or how long ago it was.
func (q *query) time(name string) time.Time {
	text := q.text(name)
	if text == "" {
		return time.Time{}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return time.Now().Add(-ago)
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		q.fail("%s %q: want a time such as 2026-03-01T12:00:00Z, or how long ago, such as 5m", name, text)
	}
	return t
}

// list is a list of words with commas between them. check tells whether a word is one that can be met.
func (q *query) list(name, want string, check func(string) bool) []string {
	text := q.text(name)
	if text == "" {
		return nil
	}
	words := strings.Split(text, ",")
	if len(words) > maxListed {
		q.fail("%s: lists %d values, at most %d are allowed", name, len(words), maxListed)
		return nil
	}
	for _, w := range words {
		if !check(w) {
			q.fail("%s %q: want %s, or several with commas", name, w, want)
		}
	}
	return words
}

// oneOf checks words of a list that has few.
func oneOf[T ~string](known []T) (want string, check func(string) bool) {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	return "one of " + strings.Join(words, ", "), func(w string) bool { return slices.Contains(words, w) }
}

// done returns the first error, or names a parameter that means nothing here.
func (q *query) done() error {
	if q.err != nil {
		return q.err
	}
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !q.asked[name] {
			return fmt.Errorf("parameter %q: means nothing here, known are %s", name, strings.Join(slices.Sorted(maps.Keys(q.asked)), ", "))
		}
	}
	return nil
}

// errBothEnds is for lists that go one way.
var errBothEnds = errors.New("give after or before, not both: a list is read in one direction")
