package fault

import (
	"net/http"
	"strconv"
	"strings"
)

// rawHead is the head of an answer that a kind writes itself, with its final empty line. fields come before those of r.
func rawHead(r Reply, fields ...string) string {
	var b strings.Builder
	b.WriteString("HTTP/1.1 " + strconv.Itoa(r.Status) + " " + http.StatusText(r.Status) + "\r\n")
	for _, f := range fields {
		b.WriteString(f + "\r\n")
	}
	for _, h := range r.Header {
		b.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	b.WriteString("\r\n")
	return b.String()
}

func contentLength(n int) string { return "Content-Length: " + strconv.Itoa(n) }

// filler is a body that means nothing.
func filler(n int) string { return strings.Repeat("x", n) }
