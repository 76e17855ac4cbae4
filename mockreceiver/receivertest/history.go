package receivertest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// History is what was received, in order of arrival: the sender's attempts, and whatever else came to the endpoint. It is read
// once and does not change.
type History []Attempt

// Attempt is one request and what became of it. Header and Verify look into it.
type Attempt struct {
	Seq    int64 // the receiver's number of the request
	Number int   // which attempt of its event it is, from 1; 0: none, such as a copy that the receiver sent itself
	// Class says what the request is to its event: journal.First, journal.Retry, … .
	Class journal.Class

	Key        string // what the receiver knows its event by: see Endpoint.Event
	ID, IDFrom string // the event's id and where it stood; empty if there is none
	Type       string // the event's type; empty if there is none

	At             time.Time // when its first byte came
	Method, Target string
	URL            string      // the target at the host that the sender was told
	Fields         [][2]string // of the head, in order and case as sent
	Body           []byte      // as sent

	// Over tells that it is known what became of the request; the fields below are zero before.
	Over   bool
	Status int    // as written; 0: no answer was
	Fault  string // what the receiver did: status, reset, timeout, … (hookassay list faults)
	End    string // how it ended: evidence.EndComplete, …
	// Answered is when the sender could first have known the end of the request.
	Answered time.Time
	// Effect is what the business write did: evidence.EffectCommitted, …; empty if there was none. Rows is how many business
	// rows the event had afterwards.
	Effect string
	Rows   int

	// Record is everything that was recorded.
	Record journal.Attempt
}

// Of makes a history of what a receiver recorded, given in order of arrival.
func Of(r *mockreceiver.Receiver, list []journal.Attempt) History {
	h := make(History, 0, len(list))
	earlier := map[string][]journal.Attempt{} // by key, newest first
	open := map[int64]bool{}
	for i := range list {
		a := &list[i]
		id := a.Endpoint + "\x00" + a.Key
		class := journal.Classify(a, earlier[id], func(seq int64) bool { return open[seq] }).Class
		before := append([]journal.Attempt{*a}, earlier[id]...)
		earlier[id] = before[:min(len(before), journal.HistoryLimit)]
		open[a.Seq] = a.Outcome == nil
		h = append(h, attemptOf(r, a, class))
	}
	return h
}

func attemptOf(r *mockreceiver.Receiver, a *journal.Attempt, class journal.Class) Attempt {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	out := Attempt{
		Seq: a.Seq, Number: a.Attempt, Class: class, Key: a.Key, Type: r.EventType(&a.Arrival),
		At: a.Wall, Method: head.Method, Target: head.Target, Fields: head.Fields, Body: a.Body, Record: *a,
	}
	out.ID, out.IDFrom = r.EventID(&a.Arrival)
	out.URL = r.URL(&a.Arrival)
	if o := a.Outcome; o != nil {
		out.Over, out.Status, out.Fault, out.End = true, o.Status, o.Fault, o.End
		out.Answered, _ = a.Answered()
	}
	if e := a.Effect; e != nil {
		out.Effect, out.Rows = e.Result, e.Rows
	}
	return out
}

// Sent leaves what the sender did: without copies that the receiver sent itself (journal.Injected), requests that no plan answered
// (journal.Unhandled), handshakes, and the second copies that an HTTP library sends by itself, at once, after a reset of a connection that
// it had kept (journal.TransportReplay).
func (h History) Sent() History {
	var sent History
	for _, a := range h {
		switch a.Class {
		case journal.Injected, journal.Handshake, journal.Unhandled, journal.TransportReplay:
		default:
			sent = append(sent, a)
		}
	}
	return sent
}

// over is how many requests that took a step of a plan are over. A library's own second copy takes one.
func (h History) over() (n int) {
	for _, a := range h {
		if a.Over && a.Number > 0 {
			n++
		}
	}
	return n
}

// Event leaves what has that key: see Endpoint.Event.
func (h History) Event(key string) History {
	var of History
	for _, a := range h {
		if a.Key == key {
			of = append(of, a)
		}
	}
	return of
}

// Events returns the keys of all events in order of their first arrival.
func (h History) Events() []string {
	var keys []string
	for _, a := range h {
		if !slices.Contains(keys, a.Key) {
			keys = append(keys, a.Key)
		}
	}
	return keys
}

// Gaps returns how long the sender waited before each of its attempts but the first: from when it could know the end of the one
// before. Of an attempt that is not over, the time is counted from its arrival.
func (h History) Gaps() []time.Duration {
	var gaps []time.Duration
	sent := h.Sent()
	for i := 1; i < len(sent); i++ {
		from := sent[i-1].Answered
		if from.IsZero() {
			from = sent[i-1].At
		}
		gaps = append(gaps, sent[i].At.Sub(from))
	}
	return gaps
}

// String has a line for each request. What a peer sent is quoted.
func (h History) String() string {
	lines := make([]string, len(h))
	for i, a := range h {
		lines[i] = a.String()
	}
	return strings.Join(lines, "\n")
}

// listed is the history below a sentence.
func (h History) listed() string {
	if len(h) == 0 {
		return "; nothing arrived there at all"
	}
	return ":\n  " + strings.ReplaceAll(h.String(), "\n", "\n  ")
}

// Header returns the first value of a field, whatever the case of its name; empty if there is none.
func (a Attempt) Header(name string) string { return evidence.Head{Fields: a.Fields}.Get(name) }

// Verify checks the signature over the bytes as received, by a scheme (hookassay list schemes) and its secrets. Whether the signed
// time is fresh is the finding's Fresh, with At. An unknown scheme is an error.
func (a Attempt) Verify(scheme string, secrets ...string) (signature.Finding, error) {
	s, err := signature.Lookup(scheme)
	if err != nil {
		return signature.Finding{}, err
	}
	return s.VerifyRequest(signature.Request{Method: a.Method, URL: a.URL, Fields: a.Fields, Body: a.Body}, secrets...), nil
}

// String is a line for people.
func (a Attempt) String() string {
	what := fmt.Sprintf("attempt %d", a.Number)
	if a.Number == 0 || a.Class == journal.TransportReplay {
		what = string(a.Class)
	}
	answer := "not over"
	switch {
	case a.Over && a.Status != 0:
		answer = fmt.Sprintf("%s %d", a.Fault, a.Status)
	case a.Over:
		answer = a.Fault
	}
	if a.Over && a.End != evidence.EndComplete {
		answer += ", " + a.End
	}
	if a.Effect != "" {
		answer += ", " + a.Effect
	}
	return fmt.Sprintf("#%d %s of %s: %q %q, %d bytes -> %s", a.Seq, what, shownKey(a.Key), a.Method, a.Target, len(a.Body), answer)
}

// maxKey is how much of a key is shown; ids seen in the wild have up to 64 characters.
const maxKey = 100

func shownKey(key string) string {
	if len(key) <= maxKey {
		return fmt.Sprintf("%q", key)
	}
	return fmt.Sprintf("%q… (%d bytes)", key[:maxKey], len(key))
}
