package refsender_test

import (
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/refsender"
)

// crowded leads a sender of at most one request for each endpoint through an endpoint that hangs, with another one of the same customer
// beside it. It tells how many requests hung at once, how long an emit took meanwhile, and whether the other endpoint was served.
func crowded(t *testing.T, defect string) (atOnce int, took time.Duration, served bool) {
	t.Helper()
	c := fast(t)
	c.Workers, c.Fairness = 4, &contract.Fairness{Isolated: true, PerEndpoint: 1}
	c.Schedule.Timeout = 4 * ample
	r := newRig(t, refsender.Config{Contract: c, Defect: defect})
	release := make(chan struct{})
	r.plan("/slow", hold(release))
	slow, _ := r.registerAs(map[string]any{"url": r.URL + "/slow", "tenant": "t"})
	quick, _ := r.registerAs(map[string]any{"url": r.URL + "/quick", "tenant": "t"})
	began := time.Now()
	r.emitAs(map[string]any{"type": "a.b", "tenant": "t", "endpoint": slow, "data": struct{}{}})
	took = time.Since(began)
	r.emitAs(map[string]any{"type": "a.b", "endpoint": slow, "data": struct{}{}})
	r.waitFor("the first request", func() bool { return len(r.at("/slow")) > 0 })
	r.emitAs(map[string]any{"type": "a.b", "tenant": "t", "endpoint": quick, "data": struct{}{}})
	look := func() { atOnce, served = len(r.at("/slow")), len(r.at("/quick")) > 0 }
	if defect != "hol-single-worker" {
		r.waitFor("the other endpoint", func() bool { look(); return served })
	}
	end := time.Now().Add(500 * time.Millisecond) // for what must not come
	r.waitFor("what the sender does", func() bool {
		look()
		return time.Now().After(end) && (atOnce > 1 || defect != "concurrency-unlimited")
	})
	close(release)
	return atOnce, took, served
}

func TestDefectsOfTheQueue(t *testing.T) {
	for _, defect := range []string{"", "hol-single-worker", "emit-waits-for-delivery", "concurrency-unlimited"} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			atOnce, took, served := crowded(t, defect)
			if waits := took > 2*ample; waits != (defect == "emit-waits-for-delivery") {
				t.Errorf("an emit took %v", took)
			}
			if defect == "emit-waits-for-delivery" {
				return // the first request is over by now
			}
			if unlimited := atOnce > 1; unlimited != (defect == "concurrency-unlimited") && defect != "hol-single-worker" {
				t.Errorf("%d requests in flight to one endpoint", atOnce)
			}
			if served == (defect == "hol-single-worker") {
				t.Errorf("the other endpoint was served: %v", served)
			}
		})
	}
}
