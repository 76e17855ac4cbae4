package mockreceiver

import (
	"fmt"
	"testing"
)

func TestRecentKeepsTheLatestAndIsBounded(t *testing.T) {
	const most = 100
	r := newRecent[int](most)
	forgotten := 0
	for i := range 10 * most {
		forgotten += len(r.set(r.hash(fmt.Sprint(i)), i))
		// Of those that came before, at least as many as a generation has are still known.
		for back := range min(i, most) {
			if v, ok := r.get(r.hash(fmt.Sprint(i - back))); !ok || v != i-back {
				t.Fatalf("after %d keys: the value of key %d is %d, %t", i+1, i-back, v, ok)
			}
		}
		if n := len(r.young) + len(r.old); n > 2*most || n+forgotten != i+1 {
			t.Fatalf("after %d keys %d are held and %d forgotten", i+1, n, forgotten)
		}
	}
	r.forget()
	if _, ok := r.get(r.hash("999")); ok {
		t.Error("a key is known although all were forgotten")
	}
}
