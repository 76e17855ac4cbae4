package fault_test

import "testing"

func TestEndless(t *testing.T) {
	acts(t, script{}, "endless", `business fail=false work=0s; reply 200 [] "" fill -1`)
	acts(t, script{}, "endless(status=503, retry-after=2)", `reply 503 [[Retry-After 2]] "" fill -1`)
	acts(t, script{stop: "hold"}, "endless(status=503)", ``)
}
