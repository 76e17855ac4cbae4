// Package gotest is a small webhook sender and its test. The sender stands for yours: it knows nothing of hookassay. The test is what
// to copy.
package gotest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Sender delivers events to one endpoint.
type Sender struct {
	URL, Secret string
	Client      *http.Client
	Waits       []time.Duration  // before each attempt but the first
	Now         func() time.Time // nil: the wall clock
}

// Deliver tries until the receiver answers 2xx, refuses the event for good, or the waits are used up. The bytes of the event and its
// id stay the same; time and signature are new for each attempt.
func (s *Sender) Deliver(ctx context.Context, id string, body []byte) error {
	for n := 0; ; n++ {
		status, err := s.attempt(ctx, id, body)
		switch {
		case err == nil && status/100 == 2:
			return nil
		case err == nil && status < 500 && status != http.StatusTooManyRequests:
			return fmt.Errorf("event %s was refused with %d", id, status)
		case n == len(s.Waits):
			return fmt.Errorf("event %s was not delivered in %d attempts", id, n+1)
		}
		select {
		case <-time.After(s.Waits[n]):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *Sender) attempt(ctx context.Context, id string, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	t := strconv.FormatInt(now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(s.Secret))
	mac.Write([]byte(t + "." + string(body)))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Webhook-Id", id)
	req.Header.Set("X-Webhook-Signature", fmt.Sprintf("t=%s,v1=%x", t, mac.Sum(nil)))
	resp, err := s.Client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}
