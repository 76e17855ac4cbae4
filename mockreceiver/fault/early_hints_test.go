package fault_test

import "testing"

func TestEarlyHints(t *testing.T) {
	acts(t, script{}, "early-hints", `interim 103 [[Link </hint>; rel=preload]]; business fail=false work=0s; reply 200 [] ""`)
	acts(t, script{}, "early-hints(count=2, status=503, delay=1s)",
		`interim 103 [[Link </hint>; rel=preload]]; interim 103 [[Link </hint>; rel=preload]]; hold 1s; reply 503 [] ""`)
	acts(t, script{stop: "interim"}, "early-hints(count=2)", `interim 103 [[Link </hint>; rel=preload]]`)
}
