package sendertest

import (
	"context"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
)

// keyTests are about an endpoint's key. Whether the right key signs is not for a driver to know; that requests go on is.
func keyTests() []subtest {
	rotate, revoke := []sender.Ability{sender.CanRotate}, []sender.Ability{sender.CanRevoke}
	return []subtest{
		{"a rotated endpoint goes on getting events", rotate, func(t *testing.T, b *bench) { replaced(t, b, rotator(t, b)) }},
		{"a rotation of an unknown endpoint is an error", rotate, refused("rotation", func(t *testing.T, b *bench) error {
			_, err := rotator(t, b)(t.Context(), nowhere, secondSecret)
			return err
		})},
		{"a revoked endpoint goes on getting events", revoke, func(t *testing.T, b *bench) { replaced(t, b, revoker(t, b)) }},
		{"a revocation at an unknown endpoint is an error", revoke, refused("revocation", func(t *testing.T, b *bench) error {
			_, err := revoker(t, b)(t.Context(), nowhere, secondSecret)
			return err
		})},
		{"secrets are issued", []sender.Ability{sender.CanIssueSecrets}, issuesSecrets},
	}
}

type replaceKey func(ctx context.Context, endpoint, secret string) (string, error)

func rotator(t *testing.T, b *bench) replaceKey {
	t.Helper()
	return ability[sender.KeyRotator](t, b, sender.CanRotate).RotateSecret
}

func revoker(t *testing.T, b *bench) replaceKey {
	t.Helper()
	return ability[sender.KeyRevoker](t, b, sender.CanRevoke).RevokeSecret
}

// refused is the test of a call about what the sender does not have.
func refused(what string, call func(*testing.T, *bench) error) func(*testing.T, *bench) {
	return func(t *testing.T, b *bench) {
		if call(t, b) == nil {
			t.Errorf("%s at an endpoint that never was is accepted", what)
		}
	}
}

func replaced(t *testing.T, b *bench, replace replaceKey) {
	e := b.register(t, 200)
	before := b.emit(t, e)
	b.await(t, before.mark, 1)
	if issued, err := replace(t.Context(), e.ID, secondSecret); err != nil || issued != "" {
		t.Fatalf("with a secret of ours: the sender issued %d bytes, error %v", len(issued), err)
	}
	after := b.emit(t, e)
	b.await(t, after.mark, 1)
}

func issuesSecrets(t *testing.T, b *bench) {
	e, other := b.registerAs(t, 200, sender.Endpoint{}), b.registerAs(t, 200, sender.Endpoint{})
	seen := map[string]bool{}
	issued := func(what, secret string) {
		t.Helper()
		if secret == "" || seen[secret] {
			t.Errorf("%s issued %d bytes, want a secret that was not there before", what, len(secret))
		}
		seen[secret] = true
	}
	issued("a registration", e.Secret)
	issued("another registration", other.Secret)
	replace := func(what string, call replaceKey) {
		t.Helper()
		secret, err := call(t.Context(), e.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		issued(what, secret)
	}
	if b.sender.Has(sender.CanRotate) {
		replace("a rotation", rotator(t, b))
	}
	if b.sender.Has(sender.CanRevoke) {
		replace("a revocation", revoker(t, b))
	}
	ev := b.emit(t, e)
	b.await(t, ev.mark, 1)
}
