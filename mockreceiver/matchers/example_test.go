package matchers_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/onsi/gomega"

	. "github.com/hookassay/hookassay/mockreceiver/matchers"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// program stands for the *testing.T of a test.
type program struct{ cleanups []func() }

func (*program) Helper()                           {}
func (p *program) Cleanup(f func())                { p.cleanups = append(p.cleanups, f) }
func (*program) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (*program) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (p *program) end() {
	for _, f := range p.cleanups {
		f()
	}
}

// send sends a body and returns the status; 0 without an answer.
func send(url, body string) int {
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return 0
	}
	_ = resp.Body.Close() // the status says it all
	return resp.StatusCode
}

// A sender that does as it should. In a test, NewWithT(t) takes the place of NewGomega.
func Example() {
	t := &program{}
	defer t.end()
	g := gomega.NewGomega(func(message string, _ ...int) { fmt.Println(message) })

	hook := receivertest.Start(t).Endpoint("502, 502, 200")
	for send(hook.URL, `{"id":"evt_1","type":"payment.succeeded"}`) != http.StatusOK {
	}

	g.Expect(hook.Settled(10 * time.Millisecond)).To(gomega.SatisfyAll(
		HaveAttempts(3),
		HaveStableEventID(),
		HaveIdenticalBodies(),
		HaveEventType("payment.succeeded"),
		BeRetriedAfter(502),
		BeSettled(),
		HaveOneEffect(),
	))
	fmt.Println("as it should be")
	// Output: as it should be
}

// A sender that makes the body anew for each attempt, as a careless template does.
func ExampleHaveIdenticalBodies() {
	t := &program{}
	defer t.end()
	g := gomega.NewGomega(func(message string, _ ...int) { fmt.Println(message) })

	hook := receivertest.Start(t).Endpoint("502, 200")
	send(hook.URL, `{"id":"evt_1","sent_at":1}`)
	send(hook.URL, `{"id":"evt_1","sent_at":2}`)

	g.Expect(hook.Wait(2)).To(HaveIdenticalBodies())
	// Output:
	// Expected the attempts to have identical bodies.
	// The body of attempt 2 (#2) differs from that of attempt 1 (#1) from byte 24 on (26 and 26 bytes in all):
	//   before: …":"evt_1","sent_at":1}
	//   now:    …":"evt_1","sent_at":2}
	// Received:
	//   #1 attempt 1 of "evt_1": "POST" "/hooks/hook-1", 26 bytes -> status 502
	//   #2 attempt 2 of "evt_1": "POST" "/hooks/hook-1", 26 bytes -> status 200, committed
}

// A sender that gives up on a refusal keeps its word.
func ExampleBeLeftAloneAfter() {
	t := &program{}
	defer t.end()
	g := gomega.NewGomega(func(message string, _ ...int) { fmt.Println(message) })

	hook := receivertest.Start(t).Endpoint("410")
	send(hook.URL, `{"id":"evt_1"}`)

	// Wait for as long as the sender would before its next attempt.
	g.Expect(hook.Settled(50 * time.Millisecond)).To(BeLeftAloneAfter(410))
	fmt.Println("left alone")
	// Output: left alone
}
