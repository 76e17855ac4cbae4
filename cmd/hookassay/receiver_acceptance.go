package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/accept"
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// acceptance is how the last events of a receiver fared. Its words are those of the alarms: an event without a 2xx within the
// contract's deadline was given up, which makes it a dead letter of the sender's; what the inbox could not handle is none, since it
// was received.
type acceptance struct {
	*judge.Acceptance
	PendingEvents []eventName  `json:"pending_events"` // the sender may still deliver them
	DeadLetters   []deadLetter `json:"dead_letters"`
	// OutcomeUnknown counts delivered events whose answer was not recorded before the receiver ended: the business side has them.
	OutcomeUnknown int `json:"outcome_unknown"`
}

type eventName struct {
	Endpoint string `json:"endpoint"`
	ID       string `json:"id"`
}

type deadLetter struct {
	eventName
	Reason     string `json:"reason"`
	Attempts   int    `json:"attempts"`
	LastStatus int    `json:"last_status"` // 0: none was written
}

// accepted counts the events by the contract, as of now.
func accepted(c *contract.Contract, now time.Time, events [][]journal.Attempt) *acceptance {
	counted := received(events)
	a := &acceptance{Acceptance: accept.Count(c, counted), PendingEvents: []eventName{}, DeadLetters: []deadLetter{}}
	open := a.MissingIDs
	a.MissingIDs = []string{} // a receiver alone knows of no event that never came
	for _, number := range open {
		n, ok := accept.Place(number, counted)
		if !ok {
			continue // they are numbered by Count
		}
		first := &events[n][0]
		name := eventName{first.Endpoint, first.Key}
		if s := c.Schedule; s == nil || s.Deadline <= 0 || now.Sub(first.Wall) <= s.Deadline {
			a.PendingEvents = append(a.PendingEvents, name)
			continue
		}
		a.DeadLetters = append(a.DeadLetters, givenUp(name, c.Schedule.Deadline, events[n]))
	}
	a.Pending, a.DeadLettered = len(a.PendingEvents), len(a.DeadLetters)
	for _, attempts := range events {
		if !slices.ContainsFunc(attempts, answeredWell) && slices.ContainsFunc(attempts, func(a journal.Attempt) bool { return unknownSuccess(&a) }) {
			a.OutcomeUnknown++
		}
	}
	return a
}

func givenUp(name eventName, deadline time.Duration, attempts []journal.Attempt) deadLetter {
	d := deadLetter{eventName: name, Reason: fmt.Sprintf("given up: no 2xx within %s", deadline.Round(time.Millisecond))}
	for i := range attempts {
		a := &attempts[i]
		if !a.Handled() {
			continue
		}
		d.Attempts++
		if a.Outcome != nil {
			d.LastStatus = a.Outcome.Status
		}
	}
	return d
}

// answeredWell tells whether the sender got a complete 2xx.
func answeredWell(a journal.Attempt) bool {
	return a.Outcome != nil && a.Outcome.End == evidence.EndComplete && a.Outcome.Status/100 == 2
}

// unknownSuccess tells whether the receiver ended after it had kept the event and before it recorded what it answered.
func unknownSuccess(a *journal.Attempt) bool {
	return a.Outcome == nil && a.Handled() && a.Effect != nil && a.Effect.Dedupe
}
