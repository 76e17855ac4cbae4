package fault_test

import (
	"math"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestMix(t *testing.T) {
	const plan = "mix(502=0.25, reset=0, timeout=0.25, 503(delay=1s)=0.5)"
	acts(t, script{draw: 0}, plan, `reply 502 [] ""`)
	acts(t, script{draw: 0.25}, plan, `hang 0s`)
	acts(t, script{draw: 0.5}, plan, `hold 1s; reply 503 [] ""`)
	acts(t, script{draw: math.Nextafter(1, 0)}, plan, `hold 1s; reply 503 [] ""`)
	acts(t, script{draw: 0.5}, "mix(502=0.25)", `business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{draw: 0}, "mix(502=0, 404)", `reply 404 [] ""`)
}

// TestMixLeavesAnEvenNumber to a step that draws itself: half of the mix is a delay, and its own draws cover all of its range.
func TestMixLeavesAnEvenNumber(t *testing.T) {
	acts(t, script{draw: 0.25}, "mix(latency(to=1s, status=404)=0.5)", `hold 500ms; reply 404 [] ""`)
	acts(t, script{draw: 0.75}, "mix(502=0.5, latency(to=1s, status=404))", `hold 500ms; reply 404 [] ""`)
}

func TestMixOfTenthsIsWhole(t *testing.T) {
	p := mustParse(t, "mix(501=0.1, 502=0.1, 503=0.1, 504=0.1, 505=0.1, 506=0.1, 507=0.1, 508=0.1, 509=0.1, 510=0.1, 404)")
	c, ok := p.Then.Fault.(fault.Choice)
	if !ok {
		t.Fatal("no choice")
	}
	counts := map[string]int{}
	const n = 1000
	for i := range n {
		s, rest := c.Choose((float64(i) + 0.5) / n)
		if rest < 0 || rest >= 1 {
			t.Fatalf("left over: %v", rest)
		}
		counts[s.String()]++
	}
	if len(counts) != 10 || counts["501"] != n/10 || counts["510"] != n/10 {
		t.Errorf("got %v", counts)
	}
}

func TestRandomPlans(t *testing.T) {
	for text, want := range map[string]bool{
		"502, 200": false, "chance(0.1)": true, "latency(to=1s), 200": true, "502, mix(502=0.1)": true, "outage": false,
	} {
		if got := mustParse(t, text).Random(); got != want {
			t.Errorf("%s: random %v, want %v", text, got, want)
		}
	}
}

func TestMixWithEagerSteps(t *testing.T) {
	if p := mustParse(t, "mix(early=0.1, 200)"); !p.Eager() {
		t.Error("a mix with an early answer is not eager")
	}
}
