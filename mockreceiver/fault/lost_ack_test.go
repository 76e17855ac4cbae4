package fault_test

import "testing"

func TestLostAck(t *testing.T) {
	acts(t, script{}, "lost-ack", "business fail=false work=0s; reset")
	acts(t, script{}, "lost-ack(delay=1s)", "business fail=false work=0s; hold 1s; reset")
	acts(t, script{stop: "business"}, "lost-ack", "business fail=false work=0s")
}
