// Package accept counts deliveries that no run of ours played: those of a receiver's journal, of a sender's own log, of an imported
// file. It only brings them into the form of evidence; how they are counted is the judge's, the same for every source.
package accept

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// Event is one event at one endpoint, with all that is known of its delivery.
type Event struct {
	Endpoint, ID string
	// Attempts are those of the sender, replays included, as Attempt makes them or as they were received. Their bodies are replaced,
	// since the event is known.
	Attempts []evidence.Attempt
	Effects  []evidence.Effect
	// Dead is the entry of the sender's dead letter; nil if there is none.
	Dead *evidence.DeadLetter
	// Replays is when the sender was asked to replay the event; attempts from then on belong to the replay.
	Replays []time.Time
}

// Attempt is an attempt of which only its time and its status are known; 0 stands for no answer.
func Attempt(at time.Time, status int) evidence.Attempt {
	a := evidence.Attempt{Arrival: evidence.Arrival{Wall: at, Attempt: 1}, Outcome: &evidence.Outcome{Status: status, End: evidence.EndComplete}}
	if status == 0 {
		a.Outcome.End = evidence.EndClosed
	}
	return a
}

// scenario is the one that holds all events.
const scenario = "acceptance/events"

// Count counts the events by the contract, in order of their first attempts; those without any come first. In MissingIDs and
// DeadLetters an event is its place in events, as a decimal number, since ids of two endpoints may be equal.
func Count(c *contract.Contract, events []Event) *judge.Acceptance {
	return judge.Accept(c, run(events))
}

// Place returns the index in events of an id that Count gave.
func Place(id string, events []Event) (int, bool) {
	n, err := strconv.Atoi(id)
	return n, err == nil && n >= 0 && n < len(events)
}

// run is evidence in which each event was emitted when its first attempt came, since nothing more is known.
func run(events []Event) *evidence.Run {
	b := builder{run: &evidence.Run{Footer: &evidence.Footer{}}, known: map[string]bool{}, start: started(events)}
	for n := range events {
		b.add(n, &events[n])
	}
	sc := evidence.Scenario{Name: scenario, Family: "acceptance", Checks: []string{"acceptance.rate"}, WatchUntil: b.last}
	b.run.Scenarios, b.run.Footer.Ended = []evidence.Scenario{sc}, b.last
	return b.run
}

func started(events []Event) time.Time {
	var start time.Time
	for i := range events {
		for j := range events[i].Attempts {
			if at := events[i].Attempts[j].Wall; start.IsZero() || at.Before(start) {
				start = at
			}
		}
	}
	return start
}

type builder struct {
	run   *evidence.Run
	known map[string]bool // endpoints
	start time.Time
	last  time.Duration
	seq   int64
}

func (b *builder) add(n int, e *Event) {
	if !b.known[e.Endpoint] {
		b.known[e.Endpoint] = true
		b.run.Endpoints = append(b.run.Endpoints, evidence.Endpoint{Name: e.Endpoint, Scenario: scenario})
	}
	marker := markerOf(e.Endpoint, e.ID)
	attempts := slices.Clone(e.Attempts)
	slices.SortStableFunc(attempts, func(a, b evidence.Attempt) int { return a.Wall.Compare(b.Wall) })
	var emitted time.Duration
	if len(attempts) > 0 {
		emitted = attempts[0].Wall.Sub(b.start)
	}
	b.run.Acts = append(b.run.Acts, evidence.Act{
		Act: evidence.ActEmit, Scenario: scenario, Endpoint: e.Endpoint, Marker: marker, Event: strconv.Itoa(n), Called: emitted, Returned: emitted,
	})
	for _, at := range e.Replays {
		when := at.Sub(b.start)
		b.run.Acts = append(b.run.Acts, evidence.Act{
			Act: evidence.ActReplay, Scenario: scenario, Endpoint: e.Endpoint, Marker: marker, Event: strconv.Itoa(n), Called: when, Returned: when,
		})
	}
	effects := map[int64]*evidence.Effect{}
	for i := range e.Effects {
		effects[e.Effects[i].Of] = &e.Effects[i]
	}
	for i := range attempts {
		b.attempt(&attempts[i], marker, e.Endpoint, effects)
	}
	if e.Dead != nil {
		d := *e.Dead
		d.N = len(b.run.DeadLetters) + 1 // the judge takes a record without a number for none
		d.Scenario, d.Endpoint, d.Marker, d.Event, d.Read = scenario, e.Endpoint, marker, strconv.Itoa(n), b.last
		b.run.DeadLetters = append(b.run.DeadLetters, d)
	}
}

// attempt moves an attempt, and what goes with it, to the time of this run: it may be of another one.
func (b *builder) attempt(a *evidence.Attempt, marker, endpoint string, effects map[int64]*evidence.Effect) {
	by := a.Wall.Sub(b.start) - a.FirstByte
	effect := effects[a.Seq]
	b.seq++
	a.Seq, a.Scenario, a.Endpoint = b.seq, scenario, endpoint
	a.Body = evidence.Raw(marker) // the marker tells whose request it is
	if a.Conn.ID == 0 {           // else it was not received by us
		a.Conn = evidence.Conn{ID: b.seq, Request: 1}
	}
	a.FirstByte += by
	a.BodyEnd = moved(a.BodyEnd, by)
	a.Conn.Opened = moved(a.Conn.Opened, by)
	if a.Outcome != nil {
		o := *a.Outcome
		o.Of, o.Closed = b.seq, moved(o.Closed, by)
		o.ReplyStart, o.ReplyEnd = moved(o.ReplyStart, by), moved(o.ReplyEnd, by)
		if o.Status != 0 && o.ReplyStart == 0 {
			o.ReplyStart, o.ReplyEnd = a.FirstByte, a.FirstByte
		}
		a.Outcome = &o
	}
	b.run.Attempts = append(b.run.Attempts, *a)
	if effect != nil {
		f := *effect
		f.Of, f.Scenario, f.Endpoint, f.At = b.seq, scenario, endpoint, moved(f.At, by)
		b.run.Effects = append(b.run.Effects, f)
	}
	b.last = max(b.last, a.FirstByte)
}

// moved moves an offset that is known; 0 says that it is not.
func moved(at, by time.Duration) time.Duration {
	if at == 0 {
		return 0
	}
	return cmp.Or(at+by, 1)
}

// markerOf is a marker, as the harness puts into payloads.
func markerOf(endpoint, id string) string {
	const digits = 20
	sum := sha256.Sum256([]byte(endpoint + "\x00" + id))
	return evidence.MarkerPrefix + hex.EncodeToString(sum[:])[:digits]
}
