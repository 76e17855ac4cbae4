package drive

import (
	"context"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// ask reads what the sender says of the scenario's events, and records it beside what was seen.
func (st *Stage) ask(ctx context.Context) error {
	st.mu.Lock()
	events, endpoints := slices.Clone(st.events), slices.Clone(st.endpoints)
	st.mu.Unlock()
	if r, ok := st.in.Instance.(sender.LogReader); ok && st.Has(sender.CanReadLog) {
		for _, ev := range events {
			if st.sc.Ask == AskUndelivered && st.delivered(ev) {
				continue
			}
			if err := st.askLog(ctx, r, ev); err != nil {
				return err
			}
		}
	}
	if r, ok := st.in.Instance.(sender.DeadLetterReader); ok && st.Has(sender.CanReadDead) {
		for _, e := range endpoints {
			if e.deleted {
				continue
			}
			if err := st.askDead(ctx, r, e, events); err != nil {
				return err
			}
		}
	}
	return nil
}

func (st *Stage) delivered(ev *Event) bool {
	if ev.Endpoint == nil {
		return false
	}
	s, _ := st.p.board.look(seenKey{ev.Endpoint.Name, ev.Marker})
	return s.Delivered
}

func (st *Stage) askLog(ctx context.Context, r sender.LogReader, ev *Event) error {
	if ev.ID == "" || ev.Endpoint == nil || ev.Endpoint.deleted {
		return nil // there is nothing to ask by: no id, many endpoints, or none any more
	}
	entry, err := r.DeliveryLog(ctx, ev.delivery())
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		entry = evidence.LogEntry{Err: err.Error()}
	}
	entry.Scenario, entry.Endpoint, entry.Marker, entry.Event = st.sc.Name, ev.Endpoint.Name, ev.Marker, ev.ID
	entry.Read = st.Now()
	st.p.add(&entry)
	return nil
}

func (st *Stage) askDead(ctx context.Context, r sender.DeadLetterReader, e *Endpoint, events []*Event) error {
	var dead []evidence.DeadLetter
	err := st.p.act(st.on(evidence.ActReadDead, e), func() (err error) {
		dead, err = r.DeadLetters(ctx, e.ID)
		return err
	})
	if err != nil {
		return err
	}
	for _, d := range dead {
		d.Scenario, d.Endpoint, d.Read = st.sc.Name, e.Name, st.Now()
		if i := slices.IndexFunc(events, func(ev *Event) bool { return ev.ID == d.Event }); i >= 0 {
			d.Marker = events[i].Marker
		}
		st.p.add(&d)
	}
	return nil
}

// DeadLettered asks every pollEvery: well below what a person or a schedule would notice, and no load on the sender. Where it
// takes long, each hundredth of the wait so far is enough: an hour of a real schedule would be 36000 questions else.
const (
	pollEvery = 100 * time.Millisecond
	pollShare = 100
)

// DeadLettered waits until the sender lists the event among its dead letters, or for at most limit, and tells whether it does.
func (st *Stage) DeadLettered(ctx context.Context, ev *Event, limit time.Duration) (bool, error) {
	r, ok := st.in.Instance.(sender.DeadLetterReader)
	if !ok {
		return false, absent(sender.CanReadDead)
	}
	if ev.Refused {
		return false, context.Cause(ctx)
	}
	began := st.Now()
	for end := began + limit; ; {
		dead, err := r.DeadLetters(ctx, ev.Endpoint.ID)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(dead, func(d evidence.DeadLetter) bool { return d.Event == ev.ID }) {
			return true, nil
		}
		if st.Now() >= end {
			return false, nil
		}
		pause := max(pollEvery, (st.Now()-began)/pollShare)
		if err := st.Until(ctx, min(st.Now()+pause, end)); err != nil {
			return false, err
		}
	}
}
