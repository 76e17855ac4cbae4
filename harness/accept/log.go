package accept

import (
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// FromLog is an event as the sender's own delivery log tells of it, with its dead letter, nil if it has none.
func FromLog(endpoint string, l evidence.LogEntry, dead *evidence.DeadLetter) Event {
	e := Event{Endpoint: endpoint, ID: l.Event, Dead: dead}
	if dead == nil && l.State == evidence.StateDead {
		e.Dead = &evidence.DeadLetter{Event: l.Event, Reason: l.LastFailure, Attempts: len(l.Attempts)}
	}
	for _, a := range l.Attempts {
		if t := strings.ToLower(a.Trigger); strings.Contains(t, "replay") || strings.Contains(t, "manual") {
			e.Replays = append(e.Replays, a.At)
		}
		e.Attempts = append(e.Attempts, Attempt(a.At, a.Status))
	}
	if len(e.Replays) > 0 || dead == nil || len(dead.Replays) == 0 {
		return e
	}
	// The log does not say which attempts were asked for: they are those that the dead letter did not count.
	for _, a := range l.Attempts[min(dead.Attempts, len(l.Attempts)):] {
		e.Replays = append(e.Replays, a.At)
	}
	if len(e.Replays) == 0 {
		e.Replays = []time.Time{dead.Replays[0].At}
	}
	return e
}
