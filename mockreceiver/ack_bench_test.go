package mockreceiver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// BenchmarkAcknowledge measures how long signed 1 KiB events of 64 connections wait for their 2xx, with the signature
// verified, in each mode of business handling; in the inbox mode the worker is at its work all the while, with an effect
// that takes 20 ms. A receiver is to stay below 300 ms at p99; senders give up after 3 to 5 s.
func BenchmarkAcknowledge(b *testing.B) {
	for _, mode := range business.Modes() {
		b.Run(string(mode), func(b *testing.B) {
			slow := func(ctx context.Context, _ business.Task) error {
				select {
				case <-time.After(20 * time.Millisecond):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			r, err := mockreceiver.Listen(b.Context(), mockreceiver.Config{Effect: slow}, "", "")
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			if _, err := r.AddEndpoint(mockreceiver.Endpoint{
				Name: "e", Business: mode, Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}, Reject: true},
			}); err != nil {
				b.Fatal(err)
			}
			acknowledge(b, strings.TrimPrefix(r.DataURL(), "http://"))
		})
	}
}

func acknowledge(b *testing.B, addr string) {
	const connections = 64
	var mu sync.Mutex
	var waits []time.Duration
	var all sync.WaitGroup
	scheme, err := signature.Lookup("timestamp-v1")
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	from := time.Now()
	for c := range connections {
		all.Go(func() {
			own, err := acknowledged(scheme, addr, c, b.N/connections+1)
			if err != nil {
				b.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			waits = append(waits, own...)
		})
	}
	all.Wait()
	took := time.Since(from)
	b.StopTimer()
	slices.Sort(waits)
	if len(waits) == 0 {
		b.Fatal("nothing was acknowledged")
	}
	at := func(part float64) float64 {
		return float64(waits[int(part*float64(len(waits)-1))]) / float64(time.Millisecond)
	}
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
	b.ReportMetric(float64(len(waits))/took.Seconds(), "req/s")
}

// acknowledged sends n events over one connection and returns how long each waited for its 2xx.
func acknowledged(scheme *signature.Scheme, addr string, c, n int) ([]time.Duration, error) {
	conn, err := (&net.Dialer{}).Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	filler := strings.Repeat("x", 900)
	waits := make([]time.Duration, 0, n)
	for i := range n {
		body := fmt.Sprintf(`{"id":"evt_%04d_%08d","type":"order.made","data":{"id":"o_%d_%d","version":1},"x":"%s"}`, c, i, c, i, filler)
		h, err := scheme.Sign(signature.Content{At: time.Now(), Body: []byte(body)}, keyOne)
		if err != nil {
			return waits, err
		}
		text := fmt.Sprintf("POST /hooks/e HTTP/1.1\r\nHost: h\r\nX-Webhook-Signature: %s\r\nContent-Length: %d\r\n\r\n%s",
			h.Get("X-Webhook-Signature"), len(body), body)
		sent := time.Now()
		if _, err := io.WriteString(conn, text); err != nil {
			return waits, err
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			return waits, err
		}
		waits = append(waits, time.Since(sent))
		if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
			return waits, fmt.Errorf("answered %s", resp.Status)
		}
	}
	return waits, nil
}
