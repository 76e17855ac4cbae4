package receivertest_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// Example shows what a test does. t stands for its *testing.T.
func Example() {
	t := &fake{}
	defer t.end()

	r := receivertest.Start(t)
	hook := r.Endpoint("502, 502, 200")

	// The code under test sends an event to hook.URL, and tries again until it gets a 2xx.
	for {
		resp, err := http.Post(hook.URL, "application/json", strings.NewReader(`{"id":"evt_1","type":"payment.succeeded"}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = resp.Body.Close() // the status says it all
		if resp.StatusCode == http.StatusOK {
			break
		}
	}

	for _, a := range hook.Wait(3) {
		fmt.Printf("attempt %d of %s: %s, answered %d, %s\n", a.Number, a.ID, a.Type, a.Status, a.Class)
	}
	// Output:
	// attempt 1 of evt_1: payment.succeeded, answered 502, first
	// attempt 2 of evt_1: payment.succeeded, answered 502, retry
	// attempt 3 of evt_1: payment.succeeded, answered 200, retry
}

// A plan for one event leaves all others as they are.
func ExampleEvent_Plan() {
	t := &fake{}
	defer t.end()

	hook := receivertest.Start(t).Endpoint("200")
	hook.Event("evt_2").Plan("410")

	for _, id := range []string{"evt_1", "evt_2"} {
		resp, err := http.Post(hook.URL, "application/json", strings.NewReader(`{"id":"`+id+`"}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = resp.Body.Close() // the status says it all
		fmt.Println(id, resp.StatusCode)
	}
	// Output:
	// evt_1 200
	// evt_2 410
}
