package fault_test

import "testing"

func TestCloseNext(t *testing.T) {
	acts(t, script{}, "close-next", `business fail=false work=0s; reply 200 [] "" then reset on next`)
	acts(t, script{}, "close-next(with=close, status=503, delay=1s)", `hold 1s; reply 503 [] "" then close on next`)
	acts(t, script{stop: "hold"}, "close-next(status=503)", ``)
}
