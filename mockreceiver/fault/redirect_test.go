package fault_test

import "testing"

func TestRedirect(t *testing.T) {
	acts(t, script{}, `redirect(to="/elsewhere?a=1,2")`, `reply 302 [[Location /elsewhere?a=1,2]] ""`)
	acts(t, script{}, `redirect(to="http://127.0.0.1:1/x", status=308, header="X-A: 1", delay=1s)`,
		`hold 1s; reply 308 [[Location http://127.0.0.1:1/x] [X-A 1]] ""`)
	acts(t, script{}, `redirect(to="//other.example/", status=307)`, `reply 307 [[Location //other.example/]] ""`)
	acts(t, script{stop: "hold"}, `redirect(to="/x")`, ``)
}
