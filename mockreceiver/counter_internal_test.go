package mockreceiver

import (
	"fmt"
	"testing"
)

// TestCounterIsBoundedAndForgetsNothing counts far more events than are kept, some of them again, with a journal that knows
// what was counted.
func TestCounterIsBoundedAndForgetsNothing(t *testing.T) {
	stored, asked := map[string]int{}, 0
	c := newCounter(func(key string) int {
		asked++
		return stored[key]
	})
	const events = 5 * maxYoung
	count := func(key string) {
		n := c.next(key)
		if stored[key]++; n != stored[key] {
			t.Fatalf("%s: attempt %d, want %d", key, n, stored[key])
		}
	}
	for i := range events {
		count(fmt.Sprint("evt_", i))
		if i%100 == 0 {
			count(fmt.Sprint("evt_", i/2))
		}
	}
	if n := len(c.counts.young) + len(c.counts.old); n > 2*maxYoung {
		t.Errorf("%d keys are held, want %d at most", n, 2*maxYoung)
	}
	// Those that came back, and a few that were taken for others.
	if asked > events/100+events/50 {
		t.Errorf("the journal was asked %d times for %d events", asked, events)
	}
}
