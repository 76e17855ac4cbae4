package gotest_test

import (
	"testing"

	. "github.com/onsi/gomega"

	. "github.com/hookassay/hookassay/mockreceiver/matchers"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// TestReadme is what README.md shows.
func TestReadme(t *testing.T) {
	g := NewWithT(t)
	deliver := func(url string) { g.Expect(sender(url).Deliver(t.Context(), "evt_1", []byte(event))).To(Succeed()) }

	hook := receivertest.Start(t).Endpoint("502, reset, 200")
	deliver(hook.URL) // your sender
	g.Expect(hook.Wait(3)).To(SatisfyAll(
		HaveStableEventID(), HaveIdenticalBodies(), HaveFreshSignatures("timestamp-v1", secret), BeRetriedAfter(502, "reset")))
}
