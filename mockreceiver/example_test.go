package mockreceiver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// deliver stands for the sender under test: it sends an event once and returns the status, 0 without an answer.
func deliver(url, body string) int {
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return 0
	}
	_ = resp.Body.Close() // the status says it all
	return resp.StatusCode
}

// A receiver of a program's own: start it, plan what each event's attempts get, wait until they came, and read what was received.
// In a Go test, package receivertest does the same in three lines.
func Example() {
	ctx := context.Background()
	r, err := mockreceiver.Listen(ctx, mockreceiver.Config{}, "", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = r.Close() }() // nothing is done with what it kept

	plan, err := fault.Parse("502, 200")
	if err != nil {
		fmt.Println(err)
		return
	}
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "orders", Plan: plan})
	if err != nil {
		fmt.Println(err)
		return
	}
	deliver(url, `{"id":"evt_1","type":"payment.succeeded"}`)
	deliver(url, `{"id":"evt_1","type":"payment.succeeded"}`)

	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if _, err := r.WaitSettled(ctx, "orders", 10*time.Millisecond); err != nil {
		fmt.Println(err)
		return
	}
	attempts, err := r.Attempts(ctx, journal.Query{Endpoint: "orders", Limit: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range attempts {
		fmt.Printf("%s, attempt %d: %d\n", a.Key, a.Attempt, a.Outcome.Status)
	}
	// Output:
	// evt_1, attempt 1: 502
	// evt_1, attempt 2: 200
}

// The first delivery runs into a business write that fails inside its transaction: nothing of it is left behind, and the second
// delivery has the one effect.
func ExampleReceiver_businessFailure() {
	ctx := context.Background()
	r, err := mockreceiver.Listen(ctx, mockreceiver.Config{}, "", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = r.Close() }() // nothing is done with what it kept

	plan := fault.Of(fault.BusinessFailure{}, fault.Status{Code: http.StatusOK})
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "orders", Plan: plan})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(deliver(url, `{"id":"evt_1"}`), deliver(url, `{"id":"evt_1"}`))

	if _, err := r.WaitSettled(ctx, "orders", 10*time.Millisecond); err != nil {
		fmt.Println(err)
		return
	}
	attempts, err := r.Attempts(ctx, journal.Query{Endpoint: "orders", Limit: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range attempts {
		fmt.Println(a.Effect.Result, a.Effect.Rows)
	}
	// Output:
	// 500 200
	// rolled-back 0
	// committed 1
}

// A journal of one's own outlives the receiver: the next one counts on where it ended, and knows which events it had.
func ExampleConfig_journal() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is a directory for temporary files

	for range 2 {
		r, err := mockreceiver.Listen(context.Background(), mockreceiver.Config{Journal: filepath.Join(dir, "journal.db")}, "", "")
		if err != nil {
			fmt.Println(err)
			return
		}
		url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "orders"})
		if err != nil {
			fmt.Println(err)
			return
		}
		deliver(url, `{"id":"evt_1"}`)
		attempts, err := r.Attempts(context.Background(), journal.Query{Endpoint: "orders", Limit: 100})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(attempts), "received, the last as attempt", attempts[len(attempts)-1].Attempt)
		if err := r.Close(); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// 1 received, the last as attempt 1
	// 2 received, the last as attempt 2
}

// Whatever speaks HTTP can read and steer a receiver by its control API. It wants the token.
func ExampleReceiver_ControlURL() {
	r, err := mockreceiver.Listen(context.Background(), mockreceiver.Config{Token: "a token of the test"}, "", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = r.Close() }() // nothing is done with what it kept
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "orders"})
	if err != nil {
		fmt.Println(err)
		return
	}
	deliver(url, `{"id":"evt_1"}`)

	req, err := http.NewRequest(http.MethodGet, r.ControlURL()+"/v1/wait?endpoint=orders&count=1", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+r.Token())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output: {"count":1,"reached":true}
}

// The alarms say when somebody should look.
func ExampleReceiver_Alarms() {
	r, err := mockreceiver.Listen(context.Background(), mockreceiver.Config{}, "", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = r.Close() }() // nothing is done with what it kept
	for _, a := range r.Alarms() {
		fmt.Println(a.Name, a.State)
	}
	// Output:
	// success-rate unknown
	// retry-backlog ok
	// dead-letters ok
	// no-success ok
	// signature-failures unknown
}
