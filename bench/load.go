package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// connections is how many keep-alive connections send at once, each its next request after the answer to the last.
const connections = 64

// bodySize is the size of a request's body: a usual webhook.
const bodySize = 1 << 10

// requests makes signed requests with ids of their own. The signatures are made beforehand, so that the load costs as little
// as it can: it shares the cores with what it measures.
type requests struct {
	template      []byte
	head          int   // where the body begins
	ids           []int // where the id's digits stand
	sum           int   // where the signature stands
	sums          []byte
	next          atomic.Int64
	until         int64 // number of the first that is not sent
	width, digits int
	signedAt      string // unix seconds
}

// scheme and secret sign the requests; the secret protects nothing.
const (
	scheme = "standard-webhooks-v1"
	secret = "whsec_aG9va2Fzc2F5LWJlbmNoLXNlY3JldC0zMmJ5dGVzISE="
)

// idDigits is the width of a request's number in its id, which is the same for all, so that the length never changes.
const idDigits = 9

func newRequests(scheme *signature.Scheme, n int) (*requests, error) {
	at := time.Now()
	r := &requests{width: base64.StdEncoding.EncodedLen(32), digits: idDigits, signedAt: strconv.FormatInt(at.Unix(), 10)}
	body := make([]byte, 0, bodySize)
	r.sums = make([]byte, 0, n*r.width)
	r.until = int64(n)
	for i := range n {
		id := fmt.Sprintf("evt_%0*d", idDigits, i)
		body = append(body[:0], `{"id":"`+id+`","type":"order.paid","created":`...)
		body = strconv.AppendInt(body, at.Unix(), 10)
		body = append(body, `,"data":{"filler":"`...)
		body = append(body, bytes.Repeat([]byte{'x'}, bodySize-len(body)-3)...)
		body = append(body, `"}}`...)
		h, err := scheme.Sign(signature.Content{ID: id, At: at, Body: body}, secret)
		if err != nil {
			return nil, err
		}
		sum, _ := strings.CutPrefix(h.Get(scheme.Header()), "v1,")
		if len(sum) != r.width {
			return nil, fmt.Errorf("signature %q: want %d characters", sum, r.width)
		}
		r.sums = append(r.sums, sum...)
		if i > 0 {
			continue
		}
		head := "POST /hooks/e HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench/1\r\nContent-Type: application/json\r\n" +
			"webhook-id: " + id + "\r\nwebhook-timestamp: " + r.signedAt + "\r\nwebhook-signature: v1," + sum +
			"\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
		r.template, r.head = append([]byte(head), body...), len(head)
		first := bytes.Index(r.template, []byte("evt_")) + len("evt_")
		r.ids = []int{first, len(head) + bytes.Index(body, []byte("evt_")) + len("evt_")}
		r.sum = strings.Index(head, "v1,") + len("v1,")
	}
	return r, nil
}

// take writes the next request over buf, which began as a copy of the template. It returns false if none is left.
func (r *requests) take(buf []byte) bool {
	n := r.next.Add(1) - 1
	if n >= r.until {
		return false
	}
	i := int(n)
	copy(buf[r.sum:], r.sums[i*r.width:(i+1)*r.width])
	for _, at := range r.ids {
		n := i
		for d := r.digits - 1; d >= 0; d-- {
			buf[at+d] = byte('0' + n%10)
			n /= 10
		}
	}
	return true
}

// shot is what a load saw.
type shot struct {
	rate     float64 // answers per second
	p50, p99 time.Duration
	answers  int
	cpu      time.Duration // of the server for one answer
}

// span is how long a load is warmed up and measured. With nothing to measure it ends with the requests.
type span struct {
	warm, measure time.Duration
}

// errExhausted says that there were too few requests for the time.
var errExhausted = errors.New("the prepared requests ran out before the time did: prepare more")

// load sends requests over all connections for the time given and measures the answers after the warm-up.
func load(ctx context.Context, addr string, r *requests, l span) (shot, error) {
	began := time.Now()
	from, until := began.Add(l.warm), began.Add(l.warm+l.measure)
	if l.measure == 0 {
		until = began.Add(time.Hour) // far beyond any load
	}
	var all sync.WaitGroup
	times := make([][]time.Duration, connections)
	errs := make([]error, connections)
	for c := range connections {
		all.Go(func() {
			times[c], errs[c] = stream(ctx, addr, r, from, until)
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return shot{}, err
	}
	if l.measure == 0 {
		return summary(times, time.Since(began)), nil
	}
	if r.next.Load() > r.until {
		return shot{}, errExhausted
	}
	return summary(times, l.measure), nil
}

func summary(times [][]time.Duration, took time.Duration) shot {
	list := slices.Concat(times...)
	if len(list) == 0 {
		return shot{}
	}
	slices.Sort(list)
	return shot{
		rate: float64(len(list)) / took.Seconds(), p50: list[len(list)/2], p99: list[len(list)*99/100], answers: len(list),
	}
}

// stream sends over one connection. It returns how long each answer took that came in the time measured.
func stream(ctx context.Context, addr string, r *requests, from, until time.Time) ([]time.Duration, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	buf := bytes.Clone(r.template)
	answer := make([]byte, 4096)
	var times []time.Duration
	for r.take(buf) {
		sent := time.Now()
		if _, err := conn.Write(buf); err != nil {
			return nil, err
		}
		if err := read(conn, answer); err != nil {
			return nil, err
		}
		end := time.Now()
		if end.After(until) {
			break
		}
		if end.After(from) {
			times = append(times, end.Sub(sent))
		}
	}
	return times, nil
}

// read reads one answer, which must be a 2xx without a body.
func read(conn net.Conn, buf []byte) error {
	n := 0
	for {
		m, err := conn.Read(buf[n:])
		if err != nil {
			return fmt.Errorf("answer %q: %w", buf[:n], err)
		}
		n += m
		if bytes.HasSuffix(buf[:n], []byte("\r\n\r\n")) {
			break
		}
	}
	if !bytes.HasPrefix(buf[:n], []byte("HTTP/1.1 2")) {
		return fmt.Errorf("answer %q: want a 2xx", buf[:n])
	}
	return nil
}
