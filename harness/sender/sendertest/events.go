package sendertest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
)

// eventTests are about which endpoints an event reaches, and which events do not arrive or arrive again.
func eventTests() []subtest {
	ranged := []sender.Ability{sender.CanReplayRange, sender.CanReadDead}
	return []subtest{
		{"a replay of a range replays its dead letters", ranged, replayRange},
		{"a replay of a range of an unknown endpoint is an error", ranged, refused("replay", func(t *testing.T, b *bench) error {
			now := time.Now()
			it := ability[sender.RangeReplayer](t, b, sender.CanReplayRange)
			return it.ReplayRange(t.Context(), nowhere, now.Add(-aRange), now.Add(aRange), "asked for by a test")
		})},
		{"a rolled back event does not arrive", []sender.Ability{sender.CanRollBack}, rolledBack},
		{"an event without endpoint reaches all that match", []sender.Ability{sender.CanFanOut}, fanOut},
		{"headers of an endpoint are sent", []sender.Ability{sender.CanSetHeaders}, ownHeaders},
		{"test and live are told apart", []sender.Ability{sender.CanSeparate, sender.CanFanOut}, environments},
	}
}

// aRange holds all events of a test even where the sender's clock is off by minutes.
const aRange = time.Hour

func replayRange(t *testing.T, b *bench) {
	e := b.register(t, 400)
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
	letters := ability[sender.DeadLetterReader](t, b, sender.CanReadDead)
	b.eventually(t, "the dead letter", func() error {
		got, err := letters.DeadLetters(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 {
			return fmt.Errorf("%d dead letters, want 1", len(got))
		}
		return nil
	})
	it := ability[sender.RangeReplayer](t, b, sender.CanReplayRange)
	now := time.Now()
	// Nothing is in this range; a sender may say so by an error.
	_ = it.ReplayRange(t.Context(), e.ID, now.Add(-3*aRange), now.Add(-2*aRange), "asked for by a test")
	b.quiet(t, func() error {
		if b.receiver.count(ev.mark) > 1 {
			return errors.New("an event outside the range was replayed")
		}
		return nil
	})
	if err := it.ReplayRange(t.Context(), e.ID, now.Add(-aRange), now.Add(aRange), "asked for by a test"); err != nil {
		t.Fatal(err)
	}
	b.await(t, ev.mark, 2)
}

func rolledBack(t *testing.T, b *bench) {
	ev := b.newEvent(b.register(t, 200))
	if err := ability[sender.RolledBackEmitter](t, b, sender.CanRollBack).EmitRolledBack(t.Context(), ev.Event); err != nil {
		t.Fatal(err)
	}
	b.quiet(t, func() error {
		if b.receiver.count(ev.mark) > 0 {
			return errors.New("it arrived")
		}
		return nil
	})
}

// fanOut uses a tenant of its own, since a sender that was attached to has the endpoints of other tests.
func fanOut(t *testing.T, b *bench) {
	tenant := "tenant-" + rand.Text()
	ev := b.newEvent(endpoint{})
	ev.Tenant = tenant
	all := b.registerAs(t, 200, sender.Endpoint{Secret: firstSecret, Tenant: tenant})
	same := b.registerAs(t, 200, sender.Endpoint{Secret: firstSecret, Tenant: tenant, Types: []string{"invoice.paid", ev.Type}})
	other := b.registerAs(t, 200, sender.Endpoint{Secret: firstSecret, Tenant: tenant, Types: []string{"invoice.paid"}})
	stranger := b.registerAs(t, 200, sender.Endpoint{Secret: firstSecret, Tenant: "tenant-" + rand.Text()})
	b.reachesOnly(t, ev, []endpoint{all, same}, []endpoint{other, stranger})
}

func ownHeaders(t *testing.T, b *bench) {
	const name, value = "X-Hookassay-Bench", `a "quoted" value; q=1`
	e := b.registerAs(t, 200, sender.Endpoint{Secret: firstSecret, Headers: map[string]string{name: value}})
	ev := b.emit(t, e)
	b.awaitAt(t, ev.mark, e)
	if got := b.receiver.head(e).Values(name); len(got) != 1 || got[0] != value {
		t.Errorf("%s is %q, want %q once", name, got, value)
	}
}

func environments(t *testing.T, b *bench) {
	tenant := "tenant-" + rand.Text()
	test := b.registerAs(t, 200, sender.Endpoint{Secret: firstSecret, Tenant: tenant, Environment: "test"})
	live := b.registerAs(t, 200, sender.Endpoint{Secret: secondSecret, Tenant: tenant, Environment: "live"})
	for _, way := range []struct {
		environment string
		to, not     endpoint
	}{{"live", live, test}, {"test", test, live}} {
		ev := b.newEvent(endpoint{})
		ev.Tenant, ev.Environment = tenant, way.environment
		b.reachesOnly(t, ev, []endpoint{way.to}, []endpoint{way.not})
	}
}

func (b *bench) reachesOnly(t *testing.T, ev event, wanted, others []endpoint) {
	t.Helper()
	if _, err := b.sender.Emit(t.Context(), ev.Event); err != nil {
		t.Fatal(err)
	}
	for _, e := range wanted {
		b.awaitAt(t, ev.mark, e)
	}
	b.quiet(t, func() error {
		for _, e := range others {
			if b.receiver.countAt(ev.mark, e) > 0 {
				return fmt.Errorf("it also arrived at %s, which does not match", e.name)
			}
		}
		return nil
	})
}
