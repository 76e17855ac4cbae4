package fault_test

import "testing"

func TestBusinessFailure(t *testing.T) {
	acts(t, script{}, "business-failure", `business fail=true work=0s; reply 500 [] ""`)
	acts(t, script{}, "business-failure(status=503, delay=1s)", `business fail=true work=0s; hold 1s; reply 503 [] ""`)
	acts(t, script{stop: "business"}, "business-failure", `business fail=true work=0s`)
}
