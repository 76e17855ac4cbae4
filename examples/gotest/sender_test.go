package gotest_test

import (
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/hookassay/hookassay/examples/gotest"
	"github.com/hookassay/hookassay/mockreceiver"
	. "github.com/hookassay/hookassay/mockreceiver/matchers"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

const (
	scheme = "timestamp-v1" // hookassay list schemes
	secret = "a secret of the test"
	event  = `{"id":"evt_1","type":"payment.succeeded","created":"2026-11-30T12:00:00Z","data":{"amount":100}}`
)

// sender waits 10 ms between attempts, and believes that two seconds went by: the scheme signs whole seconds, and a fresh
// signature shows only where they differ.
func sender(url string) *gotest.Sender {
	clock := time.Now()
	return &gotest.Sender{
		URL: url, Secret: secret,
		Client: &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}},
		Waits:  []time.Duration{10 * time.Millisecond, 10 * time.Millisecond},
		Now:    func() time.Time { clock = clock.Add(2 * time.Second); return clock },
	}
}

func TestFailuresAreRetried(t *testing.T) {
	g := NewWithT(t)
	hook := receivertest.Start(t).Endpoint("502, reset, 200")

	g.Expect(sender(hook.URL).Deliver(t.Context(), "evt_1", []byte(event))).To(Succeed())

	g.Expect(hook.Wait(3)).To(SatisfyAll(
		HaveAttempts(3),
		HaveEventType("payment.succeeded"),
		HaveStableEventID(),
		HaveIdenticalBodies(),
		HaveFreshSignatures(scheme, secret),
		BeRetriedAfter(502, "reset"),
		HaveGapsWithin(10*time.Millisecond, time.Minute),
	))
	g.Expect(hook.Settled(100 * time.Millisecond)).To(SatisfyAll(BeSettled(), HaveOneEffect()))
}

func TestHangingReceiverIsGivenUp(t *testing.T) {
	g := NewWithT(t)
	hook := receivertest.Start(t).Endpoint("timeout, 200")
	s := sender(hook.URL)
	s.Client.Timeout = 2 * time.Second // enough for an answer on a busy machine

	g.Expect(s.Deliver(t.Context(), "evt_1", []byte(event))).To(Succeed())

	g.Expect(hook.Wait(2)).To(BeRetriedAfter("timeout"))
}

func TestRefusalIsFinal(t *testing.T) {
	g := NewWithT(t)
	hook := receivertest.Start(t).Endpoint("410")

	g.Expect(sender(hook.URL).Deliver(t.Context(), "evt_1", []byte(event))).To(MatchError("event evt_1 was refused with 410"))

	g.Expect(hook.Settled(100 * time.Millisecond)).To(SatisfyAll(HaveAttempts(1), BeLeftAloneAfter(410)))
}

// TestFailedBusinessLeavesNothingBehind: the subscriber's write is rolled back and answered 500, and its commit is answered by
// nothing at all. Either way the event comes again, and counts once.
func TestFailedBusinessLeavesNothingBehind(t *testing.T) {
	g := NewWithT(t)
	hook := receivertest.Start(t).Endpoint("business-failure, lost-ack, 200")

	g.Expect(sender(hook.URL).Deliver(t.Context(), "evt_1", []byte(event))).To(Succeed())

	g.Expect(hook.Wait(3)).To(HaveOneEffect())
}

func TestReceiverThatVerifiesAccepts(t *testing.T) {
	g := NewWithT(t)
	hook := receivertest.Start(t).EndpointWith(mockreceiver.Endpoint{
		Verify: &mockreceiver.Verify{Scheme: scheme, Secrets: []string{secret}, Reject: true},
	})

	g.Expect(sender(hook.URL).Deliver(t.Context(), "evt_1", []byte(event))).To(Succeed())
}
