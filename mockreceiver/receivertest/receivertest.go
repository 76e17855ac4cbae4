// Package receivertest gives a Go test a webhook receiver, as httptest gives it an HTTP server:
//
//	r := receivertest.Start(t)
//	hook := r.Endpoint("502, 502, 200") // a plan: how each event's attempts are answered
//	send(hook.URL)                      // the code under test
//	attempts := hook.Wait(3)            // what arrived, with what was answered
//
// The receiver listens on a free port of loopback, writes down what arrives before it answers, runs the business write of
// each event in a transaction, and is closed when the test ends. Package matchers has Gomega matchers for what was received.
// `hookassay list faults` has the words of plans.
package receivertest

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// TB is what a receiver needs of a test: *testing.T, *testing.B and Ginkgo's GinkgoT() have it.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Receiver is a receiver that lives as long as a test. Its methods end the test where they cannot do what they are asked, so
// call them from the test's own goroutine.
type Receiver struct {
	// Mock is the receiver itself, for what has no short form here.
	Mock *mockreceiver.Receiver
	// Patience is how long Wait and Settled wait before they end the test. Start sets DefaultPatience; give a sender with long
	// waits more.
	Patience time.Duration

	t       TB
	counted atomic.Int64 // endpoints, for their names
}

// DefaultPatience is far above what a local sender takes without waits of its own, even on a busy machine.
const DefaultPatience = 10 * time.Second

// Start starts a receiver that is closed at the end of the test. Nothing of it outlives the process, so no answer waits for a disk.
func Start(t TB) *Receiver {
	t.Helper()
	return StartWith(t, mockreceiver.Config{Quick: true})
}

// StartWith starts a receiver with settings of your own.
func StartWith(t TB, cfg mockreceiver.Config) *Receiver {
	t.Helper()
	r := &Receiver{t: t, Patience: DefaultPatience}
	mock, err := mockreceiver.Listen(context.Background(), cfg, "", "")
	if err != nil {
		t.Fatalf("start a mock receiver: %v", err)
	}
	r.Mock = mock
	t.Cleanup(r.end)
	return r
}

// end closes the receiver. A test whose evidence is not whole must not pass.
func (r *Receiver) end() {
	r.t.Helper()
	lost := r.Mock.Lost()
	if err := r.Mock.Close(); err != nil {
		r.t.Errorf("close the mock receiver: %v", err)
	}
	if lost > 0 {
		r.t.Errorf("the mock receiver could not keep %d records of what it received", lost)
	}
}

// Endpoint makes an endpoint whose events are answered by a plan, such as "502, timeout, 200": each event begins at the first
// step, and the last repeats. An empty plan answers 200.
func (r *Receiver) Endpoint(plan string) *Endpoint {
	r.t.Helper()
	return r.EndpointWith(mockreceiver.Endpoint{Plan: r.plan(plan)})
}

// EndpointWith makes an endpoint with settings of your own: keys to verify by, rules, known types. Without a name it gets one.
func (r *Receiver) EndpointWith(e mockreceiver.Endpoint) *Endpoint {
	r.t.Helper()
	if e.Name == "" {
		e.Name = fmt.Sprintf("hook-%d", r.counted.Add(1))
	}
	url, err := r.Mock.AddEndpoint(e)
	if err != nil {
		r.t.Fatalf("%v", err)
	}
	return &Endpoint{URL: url, Name: e.Name, r: r}
}

func (r *Receiver) plan(text string) fault.Plan {
	r.t.Helper()
	if text == "" {
		return fault.OK()
	}
	p, err := fault.Parse(text)
	if err != nil {
		r.t.Fatalf("%v", err) // it names the plan
	}
	return p
}
