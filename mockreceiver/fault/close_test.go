package fault_test

import "testing"

func TestClose(t *testing.T) {
	acts(t, script{}, "close", "close")
	acts(t, script{}, "close(delay=1s)", "hold 1s; close")
	acts(t, script{stop: "hold"}, "close(delay=1s)", "hold 1s")
}
