package fault_test

import "testing"

func TestStall(t *testing.T) {
	acts(t, script{}, "stall", `business fail=false work=0s; reply 200 [] "" fill 100 pause -1ns at 0`)
	acts(t, script{}, "stall(after=3, for=2s, status=503, delay=1s)", `hold 1s; reply 503 [] "" fill 103 pause 2s at 3`)
	acts(t, script{stop: "business"}, "stall", `business fail=false work=0s`)
}

func TestLatencyInTheBody(t *testing.T) {
	acts(t, script{draw: 0.5}, "latency(to=1s, in=body, delay=2s)", `business fail=false work=0s; hold 2s; reply 200 [] "" fill 100 pause 500ms at 0`)
}
