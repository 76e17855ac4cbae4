package fault_test

import "testing"

func TestCut(t *testing.T) {
	acts(t, script{}, "cut", `business fail=false work=0s; write "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" close`)
	acts(t, script{}, `cut(after=3, with=reset, status=503, header="X-A: 1", delay=1s)`,
		`hold 1s; write "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 103\r\nX-A: 1\r\n\r\nxxx" reset`)
	acts(t, script{stop: "business"}, "cut", `business fail=false work=0s`)
}
