package fault_test

import "testing"

func TestLarge(t *testing.T) {
	acts(t, script{}, "large(1000)", `business fail=false work=0s; reply 200 [] "" fill 1000`)
	acts(t, script{}, `large(1, status=500, delay=1s, header="X-A: 1")`, `hold 1s; reply 500 [[X-A 1]] "" fill 1`)
	acts(t, script{stop: "business"}, "large(1)", `business fail=false work=0s`)
}
