package drive

import (
	"context"
	"encoding/json"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Replan changes what the receiver does with the further requests of an event.
func (st *Stage) Replan(ev *Event, plan fault.Plan) error {
	if ev.Refused {
		return nil
	}
	a := st.about(evidence.ActReplan, ev)
	a.Note = plan.String()
	return st.p.act(a, func() error { return st.p.receiver.SetPlan(ev.Endpoint.Name, ev.Marker, plan) })
}

// Change changes the business object behind an event, so that a payload made from it again would differ.
func (st *Stage) Change(ctx context.Context, ev *Event, data json.RawMessage) error {
	c, ok := st.in.Instance.(sender.ObjectChanger)
	if !ok {
		return absent(sender.CanChangeObject)
	}
	if ev.Refused {
		return context.Cause(ctx)
	}
	data, err := mark(data, ev.Marker)
	if err != nil {
		return err
	}
	a := st.about(evidence.ActChange, ev)
	a.Data = evidence.Raw(data)
	return st.p.act(a, func() error { return c.ChangeObject(ctx, ev.About, data) })
}

// Replay asks the sender to deliver an event once more. That it refuses is recorded, and no error.
func (st *Stage) Replay(ctx context.Context, ev *Event, reason string) error {
	r, ok := st.in.Instance.(sender.Replayer)
	if !ok {
		return absent(sender.CanReplay)
	}
	if ev.Refused {
		return context.Cause(ctx)
	}
	a := st.about(evidence.ActReplay, ev)
	a.Note = reason
	_ = st.p.act(a, func() error { return r.Replay(ctx, ev.delivery(), reason) })
	return context.Cause(ctx)
}

// ReadLog asks the sender now what it says of an event, and records it.
func (st *Stage) ReadLog(ctx context.Context, ev *Event) error {
	r, ok := st.in.Instance.(sender.LogReader)
	if !ok {
		return absent(sender.CanReadLog)
	}
	if ev.Refused {
		return context.Cause(ctx)
	}
	return st.askLog(ctx, r, ev)
}

func (st *Stage) about(kind evidence.ActKind, ev *Event) *evidence.Act {
	a := &evidence.Act{Act: kind, Scenario: st.sc.Name, Instance: st.in.name, Marker: ev.Marker, Event: ev.ID}
	if ev.Endpoint != nil {
		a.Endpoint = ev.Endpoint.Name
	}
	return a
}

func (ev *Event) delivery() sender.Delivery {
	return sender.Delivery{Event: ev.ID, Endpoint: ev.Endpoint.ID}
}
