package virtual_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/virtual"
)

// promise is what the tiny sender promises: six attempts in 73 minutes, each signed anew.
const promise = `
schema: hookassay.contract/1
name: tiny
title: Six attempts, each signed anew
signature:
  scheme: timestamp-v1
  tolerance: 300s
  resign: each
identity:
  header: X-Webhook-Id
body:
  stable: bytes
answers:
  success: [2xx]
  retry: [429, 5xx]
  permanent: [1xx, 3xx, 400-428, 430-499]
  otherwise: permanent
  errors: [timeout, connection]
  redirects: fail
schedule:
  waits: [1s, 5s, 30s, 2m, 10m, 1h]
  attempts: 6
  measured_from: end
  timeout: 10s
`

// tiny is a sender in the memory of its process: it stands for yours.
type tiny struct {
	client *http.Client
	waits  []time.Duration
	ctx    context.Context //nolint:containedctx // the sender's own life, ended by Close
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu        sync.Mutex
	endpoints map[string]sender.Endpoint
}

// newTiny makes one for a bubble: all that it needs of it is how to connect.
func newTiny(_ context.Context, env virtual.Env) (sender.Sender, error) {
	s := &tiny{waits: env.Contract.Schedule.Waits, endpoints: map[string]sender.Endpoint{}}
	s.client = &http.Client{
		Timeout:       env.Contract.Schedule.Timeout,
		Transport:     &http.Transport{DialContext: env.Dial, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

func (s *tiny) RegisterEndpoint(_ context.Context, e sender.Endpoint) (sender.Registered, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoints[e.Name] = e
	return sender.Registered{ID: e.Name}, nil
}

func (s *tiny) Emit(_ context.Context, e sender.Event) (sender.Emitted, error) {
	s.mu.Lock()
	to := s.endpoints[e.Endpoint]
	s.mu.Unlock()
	id := "evt_" + rand.Text()
	body, err := json.Marshal(map[string]any{"id": id, "type": e.Type, "data": e.Data})
	if err != nil {
		return sender.Emitted{}, err
	}
	s.work.Go(func() { s.deliver(to, id, body) })
	return sender.Emitted{ID: id}, nil
}

// deliver tries until the answer is a success, is final, or the schedule is used up.
func (s *tiny) deliver(to sender.Endpoint, id string, body []byte) {
	for _, wait := range s.waits {
		select {
		case <-time.After(wait):
		case <-s.ctx.Done():
			return
		}
		status, err := s.attempt(to, id, body)
		if err == nil && status != http.StatusTooManyRequests && status/100 != 5 {
			return
		}
	}
}

func (s *tiny) attempt(to sender.Endpoint, id string, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodPost, to.URL, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	at := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(to.Secret))
	fmt.Fprintf(mac, "%s.%s", at, body)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Webhook-Id", id)
	req.Header.Set("X-Webhook-Signature", "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

// Close ends the sender. When it returns, no goroutine of it is left.
func (s *tiny) Close() error {
	s.cancel()
	s.work.Wait()
	return nil
}

// A sender of yours needs two methods, and a way to be told how to connect. What else it can do, such as a replay, it shows by
// the interfaces of package sender that it implements.
func ExampleAssay() { //nolint:testableexamples // compiled only: it needs a *testing.T. TestTinySender runs it
	var t *testing.T // your test's

	c, err := contract.Parse("contract.yaml", []byte(promise))
	if err != nil {
		t.Fatal(err)
	}
	virtual.Assay(t, virtual.Config{Contract: c, NewSender: newTiny})
}

func TestTinySender(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse("contract.yaml", []byte(promise))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r := virtual.Assay(t, virtual.Config{Contract: c, NewSender: newTiny, Name: "tiny"})
	t.Logf("%v of schedule in %v: %s", r.Run.Footer.Ended.Round(time.Second), time.Since(began).Round(time.Millisecond), r.Why)
}
