package contract_test

import (
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
)

func TestFitsForm(t *testing.T) {
	for _, tt := range []struct {
		eventType                string
		resourceAction, fullStop bool
	}{
		{"payment.succeeded", true, true},
		{"invoice.payment_failed", true, true},
		{"a.b.c_2", true, true},
		{"ping", false, true},
		{"user.Created", false, true},
		{"user-created", false, false},
		{"user.", false, false},
		{".created", false, false},
		{"user..created", false, false},
		{"user.créée", false, false},
		{"user created", false, false},
		{".", false, false},
		{"", false, false},
	} {
		for form, want := range map[string]bool{
			contract.TypeFormResourceAction: tt.resourceAction, contract.TypeFormFullStop: tt.fullStop, "": true,
		} {
			e := contract.Envelope{TypeForm: form}
			if got := e.FitsForm(tt.eventType); got != want {
				t.Errorf("%q as %q: got %t, want %t", tt.eventType, form, got, want)
			}
		}
	}
}
