package fault_test

import "testing"

func TestReset(t *testing.T) {
	acts(t, script{}, "reset", "reset")
	acts(t, script{}, "reset(delay=1s)", "hold 1s; reset")
	acts(t, script{stop: "hold"}, "reset(delay=1s)", "hold 1s")
}
