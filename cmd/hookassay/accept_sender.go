package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hookassay/hookassay/harness/accept"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// fromSender asks the sender's own delivery log for each expected event.
func (f *acceptFlags) fromSender(ctx context.Context) (t *tallied, err error) {
	m, err := f.byContract()
	if err != nil {
		return nil, err
	}
	names, err := f.expected()
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("--adapter: say with --expect FILE which events to ask for, an id and an endpoint in each line")
	}
	names = names[max(0, len(names)-m.last):]
	vars, err := runFile{}.withVars(f.vars)
	if err != nil {
		return nil, err
	}
	adapter, err := httpapi.Load(f.adapter)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "hookassay-accept-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder for temporary files
	l, err := adapterDriver{adapter, f.adapter}.launcher(ctx, driverOptions{contract: m.c, vars: vars, dir: dir})
	if err != nil {
		return nil, err
	}
	inst, err := l.Launch(ctx, "accept", deaf{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, inst.Close()) }()
	events, dead, err := askLog(ctx, inst, names)
	if err != nil {
		return nil, err
	}
	t = &tallied{sample: m.last, Source: "the delivery log of " + l.Info().Name, All: len(names), Contract: m.c.Name, Acceptance: countNamed(m, events)}
	return t.tally(dead, dead), nil
}

// askLog asks for each event, and for the dead letters of each endpoint where the driver can; dead tells whether it can.
func askLog(ctx context.Context, inst sender.Instance, names []accept.Name) (events []accept.Event, dead bool, err error) {
	log, ok := inst.(sender.LogReader)
	if !ok || !inst.Has(sender.CanReadLog) {
		return nil, false, errors.New("the adapter cannot read the sender's delivery log; give it a call named log")
	}
	reader, ok := inst.(sender.DeadLetterReader)
	dead = ok && inst.Has(sender.CanReadDead)
	letters := map[accept.Name]*evidence.DeadLetter{}
	asked := map[string]bool{}
	for _, n := range names {
		if dead && !asked[n.Endpoint] {
			asked[n.Endpoint] = true
			list, err := reader.DeadLetters(ctx, n.Endpoint)
			if err != nil {
				return nil, false, err
			}
			for i := range list {
				letters[accept.Name{ID: list[i].Event, Endpoint: n.Endpoint}] = &list[i]
			}
		}
		entry, err := log.DeliveryLog(ctx, sender.Delivery{Event: n.ID, Endpoint: n.Endpoint})
		if err != nil {
			return nil, false, fmt.Errorf("ask for event %s: %w", n.ID, err)
		}
		entry.Event = n.ID
		events = append(events, accept.FromLog(n.Endpoint, entry, letters[n]))
	}
	return events, dead, nil
}

// deaf is told what a sender does, and does not care.
type deaf struct{}

func (deaf) Line(string, string)           {}
func (deaf) Answer(string, []byte)         {}
func (deaf) Exited(error)                  {}
func (deaf) Late(time.Time, time.Duration) {}
