package mockreceiver_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// BenchmarkAgainstBare sends the same requests to a bare net/http handler and to a receiver, which keeps evidence and a
// business row on disk before it answers, and reports the ratio of their rates: the only figure that holds on another
// machine. A trial version without outcome and effect records kept 0.27.
func BenchmarkAgainstBare(b *testing.B) {
	const connections = 64
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		w.WriteHeader(http.StatusOK)
	}))
	defer bare.Close()
	r, err := mockreceiver.Listen(b.Context(), mockreceiver.Config{}, "", "")
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Plan: fault.OK()}); err != nil {
		b.Fatal(err)
	}
	load(b, bare.URL, connections, b.N) // both take turns at being warm
	bareTime := load(b, bare.URL, connections, b.N)
	b.ResetTimer()
	ours := load(b, r.DataURL(), connections, b.N)
	b.StopTimer()
	b.ReportMetric(float64(bareTime)/float64(ours), "of-bare")
	b.ReportMetric(float64(b.N)/ours.Seconds(), "req/s")
}

// load sends n requests of 1 KiB with ids of their own and returns how long that took.
func load(b *testing.B, url string, connections, n int) time.Duration {
	b.Helper()
	var all sync.WaitGroup
	from := time.Now()
	for c := range connections {
		all.Go(func() {
			if err := stream(strings.TrimPrefix(url, "http://"), c, n/connections+1); err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
	return time.Since(from)
}

// stream sends n requests over one connection, each after the answer to the one before.
func stream(addr string, c, n int) error {
	conn, err := (&net.Dialer{}).Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	filler := strings.Repeat("x", 1000)
	for i := range n {
		body := fmt.Sprintf(`{"id":"evt_%04d_%08d","x":"%s"}`, c, i, filler)
		if _, err := io.WriteString(conn, request("/hooks/e", body)); err != nil {
			return err
		}
		for {
			line, err := answers.ReadSlice('\n')
			if err != nil {
				return err
			}
			if len(line) <= 2 { // the head ends, and there is no body
				break
			}
		}
	}
	return nil
}
