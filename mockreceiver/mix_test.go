package mockreceiver_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// mixed sends three attempts of each of twenty events, in some order, and returns the status of each and what was acted out.
func mixed(t *testing.T, seed uint64, order *rand.Rand) (statuses map[string]int, kinds map[string]bool) {
	t.Helper()
	r := start(t, mockreceiver.Config{Seed: seed})
	url, c := r.endpoint("e", `mix(502=0.3, 429(retry-after=2)=0.2, early(status=503)=0.2, 200)`), client(t)
	var events []int
	for e := range 20 {
		events = append(events, e, e, e)
	}
	order.Shuffle(len(events), func(i, k int) { events[i], events[k] = events[k], events[i] })
	statuses, seen := map[string]int{}, map[int]int{}
	for _, e := range events {
		seen[e]++
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Webhook-Id", fmt.Sprint("evt_", e))
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		statuses[fmt.Sprint(e, "/", seen[e])] = resp.StatusCode
	}
	kinds = map[string]bool{}
	for _, o := range r.outcomes(len(events)) {
		kinds[o.Fault] = true
	}
	for _, a := range of[*evidence.Arrival](r.until("all", func([]evidence.Record) bool { return true })) {
		if a.Chosen != "mix(502=0.3, 429(retry-after=2)=0.2, early(status=503)=0.2, 200)" {
			t.Errorf("chosen: %s", a.Chosen)
		}
	}
	return statuses, kinds
}

// TestMixDependsOnTheSeedOnly and not on the order of arrival.
func TestMixDependsOnTheSeedOnly(t *testing.T) {
	first, kinds := mixed(t, 1, rand.New(rand.NewPCG(1, 1)))
	again, _ := mixed(t, 1, rand.New(rand.NewPCG(2, 2)))
	if !maps.Equal(first, again) {
		t.Errorf("the same seed gave other answers:\n%v\n%v", first, again)
	}
	if other, _ := mixed(t, 2, rand.New(rand.NewPCG(1, 1))); maps.Equal(first, other) {
		t.Error("another seed gave the same 60 answers")
	}
	counts := map[int]int{}
	for _, status := range first {
		counts[status]++
	}
	for _, status := range []int{200, 429, 502, 503} {
		if counts[status] == 0 {
			t.Errorf("no %d among %v", status, counts)
		}
	}
	// The evidence names what was done and not what it was drawn from.
	if !kinds["status"] || !kinds["early"] || kinds["mix"] {
		t.Errorf("faults: %v", kinds)
	}
}
