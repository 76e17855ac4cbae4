package fault_test

import "testing"

func TestSlowRead(t *testing.T) {
	acts(t, script{}, "slow-read(1)", `business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{}, "slow-read(1, every=1ms, status=503, delay=1s)", `hold 1s; reply 503 [] ""`)
	acts(t, script{stop: "business"}, "slow-read(1)", `business fail=false work=0s`)
}
