package fault_test

import (
	"math"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestLatency(t *testing.T) {
	acts(t, script{draw: 0.25}, "latency(from=100ms, to=300ms)", `business fail=false work=0s; hold 150ms; reply 200 [] ""`)
	acts(t, script{draw: 0.5}, "latency(to=1s, status=503, delay=2s)", `hold 2.5s; reply 503 [] ""`)
	acts(t, script{draw: 0.5}, "latency(median=200ms, sigma=0.5, status=204)", `business fail=false work=0s; hold 200ms; reply 204 [] ""`)
	acts(t, script{draw: 0}, "latency(median=200ms, sigma=0.5, status=404)", `reply 404 [] ""`)
	acts(t, script{draw: math.Nextafter(1, 0)}, "latency(median=24h, sigma=3, status=404)", `hold 24h0m0s; reply 404 [] ""`)
	acts(t, script{stop: "hold"}, "latency(to=1s, status=503)", ``)
}

// holdOnly is an exchange that takes only the delay.
type holdOnly struct {
	script
	held time.Duration
}

func (h *holdOnly) Hold(d time.Duration) bool {
	h.held = d
	return false
}

// TestLatencyIsLogNormal walks over the unit interval and compares with what is known of the distribution: its median, and
// the share beyond one and two sigma.
func TestLatencyIsLogNormal(t *testing.T) {
	const n = 10_000
	var above0, above1, above2 int
	for i := range n {
		x := &holdOnly{script: script{draw: (float64(i) + 0.5) / n}}
		fault.Latency{Spread: fault.Spread{Median: time.Second, Sigma: 0.5}}.Act(x)
		switch log := math.Log(x.held.Seconds()) / 0.5; {
		case log > 2:
			above2++
			fallthrough
		case log > 1:
			above1++
			fallthrough
		case log > 0:
			above0++
		}
	}
	if above0 != n/2 || above1 != 1587 || above2 != 228 { // 15.87 % and 2.28 % of a normal distribution
		t.Errorf("above the median, one and two sigma: %d, %d, %d of %d", above0, above1, above2, n)
	}
}
