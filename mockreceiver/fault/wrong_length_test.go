package fault_test

import "testing"

func TestWrongLength(t *testing.T) {
	const body = `a body of another length\n`
	acts(t, script{}, "wrong-length(+10)", `business fail=false work=0s; write "HTTP/1.1 200 OK\r\nContent-Length: 35\r\n\r\n`+body+`" end`)
	acts(t, script{}, "wrong-length(-25, status=404)", `write "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n`+body+`" end`)
	acts(t, script{stop: "hold"}, "wrong-length(-10, status=500)", ``)
}
