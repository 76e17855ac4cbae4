package judge_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/judge"
)

// The bounds are those that statistics packages print for the same counts (method "wilson", 95 %).
func TestWilsonIntervals(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{995, 1000, 0.98835, 0.99786},
		{990, 1000, 0.98169, 0.99456},
		{1000, 1000, 0.99617, 1},
		{0, 10, 0, 0.27753},
		{10, 10, 0.72247, 1},
		{5, 10, 0.23659, 0.76341},
		{0, 0, 0, 1},
		{12, 10, 0.72247, 1},
	} {
		got := judge.Wilson(c.k, c.n)
		if math.Abs(got.Low-c.low) > 1e-5 || math.Abs(got.High-c.high) > 1e-5 {
			t.Errorf("%d of %d: %.5f to %.5f, want %.5f to %.5f", c.k, c.n, got.Low, got.High, c.low, c.high)
		}
	}
}

func TestWilsonHoldsTheRateAndNarrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1_000_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		i, rate := judge.Wilson(k, n), float64(k)/float64(n)
		if i.Low < 0 || i.High > 1 || i.Low > rate || i.High < rate {
			t.Fatalf("%d of %d: %v does not hold %v", k, n, i, rate)
		}
		if more := judge.Wilson(4*k, 4*n); more.High-more.Low >= i.High-i.Low {
			t.Fatalf("%d of %d: %v is no wider than with four times as many events: %v", k, n, i, more)
		}
	})
}
