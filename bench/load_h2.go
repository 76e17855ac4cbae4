package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// loadH2 sends requests over HTTP/2 as load does over HTTP/1: so many at once, but as streams of one connection. The client is
// the standard library's, which costs several times what load costs, so that only figures over HTTP/2 compare with each other.
func loadH2(ctx context.Context, addr string, r *requests, l span) (shot, error) {
	t := &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // the server is our own, on loopback
	}
	defer t.CloseIdleConnections()
	url := "https://" + addr + "/hooks/e"
	// One request comes first: 64 at once would make as many connections.
	if _, err := streamH2(ctx, t, url, r, time.Now(), time.Now()); err != nil {
		return shot{}, err
	}
	from := time.Now().Add(l.warm)
	until := from.Add(l.measure)
	var all sync.WaitGroup
	times := make([][]time.Duration, connections)
	errs := make([]error, connections)
	for c := range connections {
		all.Go(func() { times[c], errs[c] = streamH2(ctx, t, url, r, from, until) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return shot{}, err
	}
	return summary(times, l.measure), nil
}

// streamH2 sends one request after the other. It returns how long each answer took that came in the time measured.
func streamH2(ctx context.Context, t *http.Transport, url string, r *requests, from, until time.Time) ([]time.Duration, error) {
	buf := bytes.Clone(r.template)
	var times []time.Duration
	for r.take(buf) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(buf[r.head:]))
		if err != nil {
			return nil, err
		}
		req.Header = r.header(buf)
		sent := time.Now()
		answer, err := t.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			return nil, err
		}
		if answer.StatusCode/100 != 2 || answer.ProtoMajor != 2 {
			return nil, fmt.Errorf("answer %s over %s: want a 2xx over HTTP/2", answer.Status, answer.Proto)
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

// header is that of the request in buf.
func (r *requests) header(buf []byte) http.Header {
	return http.Header{
		"Content-Type":      {"application/json"},
		"Webhook-Id":        {"evt_" + string(buf[r.ids[0]:r.ids[0]+r.digits])},
		"Webhook-Timestamp": {r.signedAt},
		"Webhook-Signature": {"v1," + string(buf[r.sum:r.sum+r.width])},
	}
}
