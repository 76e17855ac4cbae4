package fault_test

import "testing"

func TestCutRequest(t *testing.T) {
	acts(t, script{}, "cut-request", `reset`)
	acts(t, script{}, "cut-request(after=3, with=close)", `close`)
	acts(t, script{stop: "hold"}, "cut-request", ``)
}
