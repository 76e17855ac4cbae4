package fault_test

import "testing"

func TestGoaway(t *testing.T) {
	acts(t, script{}, "goaway(before)", "goaway")
	acts(t, script{stop: "goaway"}, "goaway(before, delay=1s)", "hold 1s; goaway; instead close; close")
	acts(t, script{stop: "hold"}, "goaway(before, delay=1s)", "hold 1s")
	acts(t, script{}, "goaway(after)", `business fail=false work=0s; reply 200 [] "" then announced`)
	acts(t, script{}, "goaway(after, status=503)", `reply 503 [] "" then announced`)
}
