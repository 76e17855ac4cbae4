package sendertest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// subtest is one thing that a driver must do.
type subtest struct {
	name  string
	needs []sender.Ability
	run   func(*testing.T, *bench)
}

// Exercise runs a driver through everything that it declares, against a real receiver on loopback. newInstance gives a
// running instance for one subtest, on which nothing has happened yet if the driver can launch; Exercise closes it.
// Abilities that the instance does not have are skipped.
//
// The sender must take 200 as delivered, 400 as permanent and 503 as neither, and do within 10 s what is asked of it: a slow
// product was seen to need 5 s for a first delivery. What must not arrive is watched for during one second.
func Exercise(t *testing.T, newInstance func(t *testing.T) sender.Instance) {
	ExerciseWithin(t, 10*time.Second, newInstance)
}

// ExerciseWithin is Exercise with another limit to each wait for the sender.
func ExerciseWithin(t *testing.T, within time.Duration, newInstance func(t *testing.T) sender.Instance) {
	tests := []subtest{
		{"an event arrives", nil, arrives},
		{"concurrent events all arrive", nil, concurrent},
		{"a replay arrives", []sender.Ability{sender.CanReplay}, replay},
		{"a replay of an unknown event is an error", []sender.Ability{sender.CanReplay}, replayUnknown},
		{"the log tells of a delivery", []sender.Ability{sender.CanReadLog}, readLog},
		{"the log of an unknown event is an error", []sender.Ability{sender.CanReadLog}, readLogUnknown},
		{"a refused event is a dead letter", []sender.Ability{sender.CanReadDead}, deadLetter},
		{"an object changes", []sender.Ability{sender.CanChangeObject}, changeObject},
		{"stop and start keep endpoints and events", []sender.Ability{sender.CanStop}, stopStart},
		{"kill and start keep endpoints and ids", []sender.Ability{sender.CanKill}, killStart},
		{"a stopped sender takes no event", []sender.Ability{sender.CanStop}, stopped},
		{"closing twice is harmless", nil, closeTwice},
	}
	for _, tt := range slices.Concat(tests, keyTests(), endpointTests(), eventTests()) {
		t.Run(tt.name, func(t *testing.T) {
			i := newInstance(t)
			t.Cleanup(func() {
				if err := i.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
			for _, a := range tt.needs {
				if !i.Has(a) {
					t.Skipf("the driver does not have %s", a)
				}
			}
			tt.run(t, newBench(t, i, within))
		})
	}
}

func arrives(t *testing.T, b *bench) {
	e := b.register(t, 200)
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
}

func concurrent(t *testing.T, b *bench) {
	e := b.register(t, 200)
	const n = 20 // enough to meet each other, few enough for a busy machine
	events := make([]event, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ev := b.newEvent(e)
			var err error
			ev.Emitted, err = b.sender.Emit(t.Context(), ev.Event)
			if err != nil {
				t.Errorf("emit: %v", err)
			}
			events[i] = ev
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	ids := map[string]bool{}
	for _, ev := range events {
		b.await(t, ev.mark, 1)
		if ev.ID != "" && ids[ev.ID] {
			t.Errorf("the id %s was given twice", ev.ID)
		}
		ids[ev.ID] = true
	}
}

func replay(t *testing.T, b *bench) {
	e := b.register(t, 200)
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
	b.settled(t, ev, e)
	b.replay(t, ev, e)
	b.await(t, ev.mark, 2)
}

func replayUnknown(t *testing.T, b *bench) {
	e := b.register(t, 200)
	err := ability[sender.Replayer](t, b, sender.CanReplay).Replay(t.Context(), sender.Delivery{Event: unknown, Endpoint: e.ID}, "test")
	if err == nil {
		t.Error("a replay of an event that never was is accepted")
	}
}

func readLog(t *testing.T, b *bench) {
	e := b.register(t, 200)
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
	l := b.settled(t, ev, e)
	if l.Event != ev.ID {
		t.Errorf("the log is of event %q, want %q", l.Event, ev.ID)
	}
	if len(l.Attempts) != 1 {
		t.Fatalf("the log has %d attempts, want 1", len(l.Attempts))
	}
	if a := l.Attempts[0]; a.Number != 1 || a.Status != 200 || a.At.IsZero() {
		t.Errorf("the log's attempt is %+v, want number 1 with status 200 and a time", a)
	}
}

func readLogUnknown(t *testing.T, b *bench) {
	e := b.register(t, 200)
	l, err := ability[sender.LogReader](t, b, sender.CanReadLog).DeliveryLog(t.Context(), sender.Delivery{Event: unknown, Endpoint: e.ID})
	if err == nil {
		t.Errorf("there is a log of an event that never was: %+v", l)
	}
}

func deadLetter(t *testing.T, b *bench) {
	e := b.register(t, 400)
	reader := ability[sender.DeadLetterReader](t, b, sender.CanReadDead)
	if letters, err := reader.DeadLetters(t.Context(), e.ID); err != nil || len(letters) > 0 {
		t.Fatalf("before any event: %d dead letters, error %v", len(letters), err)
	}
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
	var letters []evidence.DeadLetter
	b.eventually(t, "the dead letter", func() error {
		var err error
		if letters, err = reader.DeadLetters(t.Context(), e.ID); err != nil {
			t.Fatal(err)
		}
		if len(letters) != 1 {
			return fmt.Errorf("%d dead letters, want 1", len(letters))
		}
		return nil
	})
	d := letters[0]
	if ev.ID != "" && d.Event != ev.ID {
		t.Errorf("the dead letter is of event %q, want %q", d.Event, ev.ID)
	}
	if d.Reason == "" || d.Attempts != 1 || d.LastStatus != 400 {
		t.Errorf("the dead letter is %+v, want a reason, 1 attempt and status 400", d)
	}
}

func changeObject(t *testing.T, b *bench) {
	e := b.register(t, 200)
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
	changer := ability[sender.ObjectChanger](t, b, sender.CanChangeObject)
	if err := changer.ChangeObject(t.Context(), ev.Object, json.RawMessage(`{"changed":true,"amount":2.50}`)); err != nil {
		t.Error(err)
	}
}

func stopStart(t *testing.T, b *bench) { restart(t, b, b.sender.Stop) }

func killStart(t *testing.T, b *bench) { restart(t, b, b.sender.Kill) }

// restart ends the sender, starts it again and looks whether it still knows what it knew.
func restart(t *testing.T, b *bench, end func(context.Context) error) {
	e := b.register(t, 200)
	before := b.emit(t, e)
	b.await(t, before.mark, 1)
	b.settled(t, before, e)
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.sender.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.settled(t, before, e)
	after := b.emit(t, e)
	b.await(t, after.mark, 1)
	if after.ID != "" && after.ID == before.ID {
		t.Errorf("the id %s was given again after the start", after.ID)
	}
	if b.sender.Has(sender.CanReplay) && before.ID != "" {
		had := b.receiver.count(before.mark)
		b.replay(t, before, e)
		b.await(t, before.mark, had+1)
	}
}

func stopped(t *testing.T, b *bench) {
	e := b.register(t, 200)
	if err := b.sender.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := b.sender.Emit(t.Context(), b.newEvent(e).Event); err == nil {
		t.Errorf("a stopped sender accepted event %q", got.ID)
	}
	if err := b.sender.Stop(t.Context()); err != nil {
		t.Errorf("stop of a stopped sender: %v", err)
	}
	if err := b.sender.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
}

func closeTwice(t *testing.T, b *bench) {
	if err := b.sender.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
