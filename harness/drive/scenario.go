package drive

import (
	"context"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
)

// Scenario is one situation to put a sender in: concrete stimuli with real durations. It knows nothing of verdicts; Checks
// only says which rules its evidence feeds.
type Scenario struct {
	Name   string   // family/situation, kebab-case, unique
	Title  string   // one sentence for people
	Checks []string // check ids
	// Paths lists the ways by which requests of the scenario come about: for the table that shows which promise is put to
	// the test on which of them.
	Paths []Path
	// Needs lists the abilities without which the scenario cannot be played; it is then recorded as not run.
	Needs []sender.Ability
	// Instance names the sender process to play on; empty is the one that scenarios share. A scenario that kills, stops or
	// loads the sender names one of its own. Where the driver cannot launch another, it is played alone, after the others.
	Instance string
	// Alone plays the scenario in a phase of its own on the shared instance.
	Alone bool
	// Unbroken says that what it shows takes the whole of its time without an interruption of the run, after which it is played anew.
	Unbroken bool
	// NotRun says why the contract gives no way to play the scenario; empty if it does. Play is then not called.
	NotRun string
	// Play acts. It returns when the last stimulus is given; an error is trouble of the harness or a sender that cannot be
	// reached, never a broken promise.
	Play func(ctx context.Context, st *Stage) error
	// Watch is how long to go on watching after the last emit returned, in real time: the end of the schedule and a margin.
	Watch time.Duration
	// Ask says of which events the delivery log is read at the end.
	Ask Ask
}

// Path is a way by which a request comes about. A promise about requests must hold on each.
type Path string

// The paths.
const (
	First   Path = "first"   // the first attempt of an event
	Retry   Path = "retry"   // a later attempt of the schedule
	Replay  Path = "replay"  // an attempt that was asked for by hand
	Burst   Path = "burst"   // many events at once
	Restart Path = "restart" // an attempt after the sender was started again
)

// Ask is a choice of events.
type Ask string

// The choices.
const (
	AskAll         Ask = ""            // every event
	AskUndelivered Ask = "undelivered" // those that got no complete 2xx: for scenarios of very many events
)

// Family is the part of the name before the slash.
func (s Scenario) Family() string {
	f, _, _ := strings.Cut(s.Name, "/")
	return f
}

// missing returns the first ability that the scenario needs and has does not grant.
func (s Scenario) missing(has func(sender.Ability) bool) (sender.Ability, bool) {
	for _, a := range s.Needs {
		if !has(a) {
			return a, true
		}
	}
	return "", false
}
