package mockreceiver

import (
	"slices"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// filter selects requests. Zero fields select all.
type filter struct {
	endpoint   string
	event      string
	byEvent    bool
	status     []string // 502, 5xx, or none for requests without a status line
	class      []string
	signature  []string
	fault      []string // kinds as really acted out
	since      time.Time
	until      time.Time
	unfiltered bool // nothing but endpoint, and event at an endpoint: an index answers
}

// filterOf reads a filter from the parameters of a request.
func filterOf(q *query) filter {
	f := filter{endpoint: q.text("endpoint"), byEvent: q.has("event"), event: q.text("event")}
	f.status = q.list("status", "a status such as 502, a class such as 5xx, or none", statusWord)
	want, check := oneOf(journal.Classes())
	f.class = q.list("class", want, check)
	want, check = oneOf(signatureStates())
	f.signature = q.list("signature", want, check)
	f.fault = q.list("fault", "a kind of fault (GET /v1/faults; a status goes into status=502)", faultWord)
	f.since, f.until = q.time("since"), q.time("until")
	f.unfiltered = f.status == nil && f.class == nil && f.signature == nil && f.fault == nil && f.since.IsZero() && f.until.IsZero() &&
		(!f.byEvent || f.endpoint != "")
	return f
}

func signatureStates() []SignatureState {
	return []SignatureState{SignatureVerified, SignatureStale, SignatureFailed, SignatureMissing, SignatureUnchecked}
}

// noStatus is the word for requests that got no status line.
const noStatus = "none"

func statusWord(w string) bool {
	if w == noStatus {
		return true
	}
	if len(w) != 3 || w[0] < '1' || w[0] > '9' { // HTTP statuses have three digits
		return false
	}
	_, err := strconv.Atoi(w)
	return err == nil || w[1:] == "xx"
}

// faultWord tells whether an outcome can carry the word: a kind of fault, or an answer of the receiver's own.
func faultWord(w string) bool {
	switch w {
	case FaultRejected, FaultRefused, FaultHandshake, FaultHandshakeRefused:
		return true
	}
	return slices.ContainsFunc(fault.Kinds(), func(k fault.Kind) bool { return k.Name == w })
}

// query is what the journal's indexes answer of the filter.
func (f filter) query() journal.Query {
	q := journal.Query{Endpoint: f.endpoint}
	if f.byEvent && f.endpoint != "" {
		q.ByKey, q.Key = true, f.event
	}
	return q
}

// cheap tells whether a request passes all that its records alone can tell.
func (f filter) cheap(a *journal.Attempt) bool {
	switch {
	case f.byEvent && a.Key != f.event:
		return false
	case !f.since.IsZero() && a.Wall.Before(f.since), !f.until.IsZero() && a.Wall.After(f.until):
		return false
	case f.fault != nil && (a.Outcome == nil || !slices.Contains(f.fault, a.Outcome.Fault)):
		return false
	}
	return f.status == nil || slices.ContainsFunc(f.status, func(w string) bool { return hasStatus(a, w) })
}

func hasStatus(a *journal.Attempt, word string) bool {
	switch {
	case a.Outcome == nil:
		return false // not known yet
	case word == noStatus:
		return a.Outcome.Status == 0
	}
	text := strconv.Itoa(a.Outcome.Status)
	return text == word || word[1:] == "xx" && len(text) == 3 && text[0] == word[0]
}

// past tells that no older request passes, by far: a request is recorded when its body is there, up to an hour after its
// first byte with the largest timeouts that make sense.
func (f filter) past(a *journal.Attempt) bool {
	return !f.since.IsZero() && a.Wall.Before(f.since.Add(-time.Hour))
}
