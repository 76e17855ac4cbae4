package reports

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
)

// Delivery is how long events took from their emit to the end of the first whole 2xx, before any replay. Times are nanoseconds;
// all are 0 if no event was delivered.
type Delivery struct {
	Events    int           `json:"events"`    // emitted, delivered or not
	Delivered int           `json:"delivered"` // of these, by the sender's own attempts
	Attempts  int           `json:"attempts"`  // all of their own attempts, as far as they are known
	P50       time.Duration `json:"p50_ns"`
	P95       time.Duration `json:"p95_ns"`
	P99       time.Duration `json:"p99_ns"`
	Max       time.Duration `json:"max_ns"`
}

// deliveredAfter returns how long after its emit an event was delivered, by which attempt, and whether it was.
func deliveredAfter(t judge.Timeline) (after time.Duration, attempt int, ok bool) {
	for _, a := range t.Attempts {
		if a.Round == 0 && a.Number > 0 && a.Class != classCopy && clean(a) {
			return max(0, a.End-t.Emitted), a.Number, true
		}
	}
	return 0, 0, false
}

// deliveryOf sums up timelines; nil for none.
func deliveryOf(ts []judge.Timeline) *Delivery {
	if len(ts) == 0 {
		return nil
	}
	d := Delivery{Events: len(ts)}
	var after []time.Duration
	for _, t := range ts {
		for _, a := range t.Attempts {
			if a.Round == 0 && a.Number > 0 && a.Class != classCopy {
				d.Attempts++
			}
		}
		if x, _, ok := deliveredAfter(t); ok {
			after = append(after, x)
		}
	}
	d.Delivered = len(after)
	slices.Sort(after)
	d.P50, d.P95, d.P99, d.Max = quantile(after, 50), quantile(after, 95), quantile(after, 99), quantile(after, 100)
	return &d
}

// quantile returns the least value that at least so many per cent of the sorted values do not exceed; 0 for none. It is a value
// that was seen, never one between two.
func quantile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}
