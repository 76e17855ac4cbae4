package fault_test

import "testing"

func TestRSTStream(t *testing.T) {
	acts(t, script{}, "rst-stream", "reset-stream 7")
	acts(t, script{}, "rst-stream(cancel, delay=1s)", "hold 1s; reset-stream 8")
	acts(t, script{stop: "reset-stream"}, "rst-stream", "reset-stream 7; instead reset; reset")
	acts(t, script{stop: "hold"}, "rst-stream(delay=1s)", "hold 1s")
}
