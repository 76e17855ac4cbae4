package fault_test

import "testing"

func TestCloseIdle(t *testing.T) {
	acts(t, script{}, "close-idle", `business fail=false work=0s; reply 200 [] "" then close after 0s`)
	acts(t, script{}, "close-idle(after=1s, with=reset, status=503)", `reply 503 [] "" then reset after 1s`)
	acts(t, script{stop: "business"}, "close-idle", `business fail=false work=0s`)
}
