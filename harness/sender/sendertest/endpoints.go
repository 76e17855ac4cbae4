package sendertest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
)

// endpointTests are about endpoints that end, for a while or for good, and about what the sender says of them.
func endpointTests() []subtest {
	disable, remove, read := []sender.Ability{sender.CanDisable}, []sender.Ability{sender.CanDelete}, []sender.Ability{sender.CanReadEndpoint}
	return []subtest{
		{"a disabled endpoint gets nothing until it is enabled", disable, disabled},
		{"disabling an unknown endpoint is an error", disable, refused("disabling", func(t *testing.T, b *bench) error {
			return ability[sender.EndpointSwitch](t, b, sender.CanDisable).DisableEndpoint(t.Context(), nowhere)
		})},
		{"enabling an unknown endpoint is an error", disable, refused("enabling", func(t *testing.T, b *bench) error {
			return ability[sender.EndpointSwitch](t, b, sender.CanDisable).EnableEndpoint(t.Context(), nowhere)
		})},
		{"a deleted endpoint gets nothing", remove, deleted},
		{"deleting an unknown endpoint is an error", remove, refused("deletion", func(t *testing.T, b *bench) error {
			return ability[sender.EndpointDeleter](t, b, sender.CanDelete).DeleteEndpoint(t.Context(), nowhere)
		})},
		{"an endpoint can be read", read, func(t *testing.T, b *bench) {
			e := b.register(t, 200)
			if err := ability[sender.EndpointReader](t, b, sender.CanReadEndpoint).ReadEndpoint(t.Context(), e.ID); err != nil {
				t.Error(err)
			}
		}},
		{"reading an unknown endpoint is an error", read, refused("reading", func(t *testing.T, b *bench) error {
			return ability[sender.EndpointReader](t, b, sender.CanReadEndpoint).ReadEndpoint(t.Context(), nowhere)
		})},
	}
}

func disabled(t *testing.T, b *bench) {
	it := ability[sender.EndpointSwitch](t, b, sender.CanDisable)
	e := b.register(t, 503)
	pending := b.emit(t, e)
	b.await(t, pending.mark, 1)
	if err := it.DisableEndpoint(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	b.silent(t, e, pending)
	b.receiver.answer(e.name, 200)
	if err := it.EnableEndpoint(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
}

func deleted(t *testing.T, b *bench) {
	e := b.register(t, 503)
	pending := b.emit(t, e)
	b.await(t, pending.mark, 1)
	if err := ability[sender.EndpointDeleter](t, b, sender.CanDelete).DeleteEndpoint(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	b.silent(t, e, pending)
}

// silent sees that an endpoint that was just ended gets neither the pending event nor a new one. One request more of the
// pending event may have been on its way.
func (b *bench) silent(t *testing.T, e endpoint, pending event) {
	t.Helper()
	limit := b.receiver.count(pending.mark) + 1
	fresh := b.newEvent(e)
	// A sender may refuse the event, or accept it and not deliver it.
	_, _ = b.sender.Emit(t.Context(), fresh.Event)
	b.quiet(t, func() error {
		if n := b.receiver.count(pending.mark); n > limit {
			return fmt.Errorf("the pending event goes on: it arrived %d times", n)
		}
		if b.receiver.count(fresh.mark) > 0 {
			return errors.New("a new event arrived")
		}
		return nil
	})
}
