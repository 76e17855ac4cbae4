package fault_test

import "testing"

func TestDrip(t *testing.T) {
	acts(t, script{}, "drip(2)", `business fail=false work=0s; reply 200 [] "" fill -1 pace 2/1s`)
	acts(t, script{}, "drip(1, every=10ms, size=3, status=404)", `reply 404 [] "" fill 3 pace 1/10ms`)
	acts(t, script{stop: "hold"}, "drip(2, status=404, delay=1s)", `hold 1s`)
}
