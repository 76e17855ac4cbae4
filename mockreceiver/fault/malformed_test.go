package fault_test

import "testing"

func TestMalformed(t *testing.T) {
	acts(t, script{}, `malformed(status-line, header="X-A: 1")`,
		`business fail=false work=0s; write "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\nX-A: 1\r\n\r\n" end`)
	acts(t, script{}, "malformed(header, status=500)",
		`write "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\na line without a colon\r\n\r\n" end`)
	acts(t, script{}, "malformed(chunk, status=500)",
		`write "HTTP/1.1 500 Internal Server Error\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxxx\r\nzz\r\nxxx\r\n0\r\n\r\n" end`)
	acts(t, script{stop: "hold"}, "malformed(header, status=500)", ``)
}
