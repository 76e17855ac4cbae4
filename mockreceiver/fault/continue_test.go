package fault_test

import "testing"

func TestContinue(t *testing.T) {
	acts(t, script{}, "continue(never)", `business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{}, "continue(2s, status=503)", `reply 503 [] ""`)
	acts(t, script{stop: "business"}, "continue(2s)", `business fail=false work=0s`)
}
