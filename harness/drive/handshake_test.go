package drive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/signature"
)

// challenged asks for Slack's handshake as a sender does at registration, signed by the endpoint's secret, and wants its challenge back.
func challenged(url, secret string) error {
	const body = `{"type":"url_verification","challenge":"3eZbrw1a"}`
	s, err := signature.Lookup("slack")
	if err != nil {
		return err
	}
	h, err := s.Sign(signature.Content{At: time.Now(), Body: []byte(body)}, secret)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = h
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "3eZbrw1a" {
		return fmt.Errorf("the endpoint answers %d %q (%w)", resp.StatusCode, text, err)
	}
	return nil
}

// TestHandshakeInARun: a sender that registers no endpoint without its handshake delivers, and the handshake is no attempt.
func TestHandshakeInARun(t *testing.T) {
	t.Parallel()
	l := &launcher{make: func() *fakeSender {
		return &fakeSender{abilities: []sender.Ability{sender.CanLaunch}, greets: challenged}
	}}
	sc := drive.Scenario{Name: "delivery/a", Checks: []string{"retry.transient"}, Watch: time.Millisecond}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		ev, err := st.Emit(ctx, drive.Emission{Endpoint: e, Type: "a.b", Data: json.RawMessage(`{}`)})
		if err != nil {
			return err
		}
		_, err = st.Await(ctx, ev, time.Minute, func(s drive.Seen) bool { return s.Delivered })
		return err
	}
	run, err := drive.Drive(t.Context(), drive.Setup{
		Header: evidence.Header{Seed: 1}, Scenarios: []drive.Scenario{sc}, Launcher: l, Evidence: io.Discard, Handshake: &drive.Handshake{Name: "slack"},
	})
	if err != nil || !run.Complete() || len(run.Attempts) != 2 {
		t.Fatalf("%v, %d requests", err, len(run.Attempts))
	}
	greeting, delivery := run.Attempts[0], run.Attempts[1]
	if greeting.Handshake != "slack" || greeting.Handled() || greeting.Outcome.Fault != "handshake" {
		t.Errorf("the handshake is recorded as attempt %d, %+v", greeting.Attempt, greeting.Outcome)
	}
	if delivery.Attempt != 1 || delivery.Handshake != "" {
		t.Errorf("the delivery is attempt %d, handshake %q", delivery.Attempt, delivery.Handshake)
	}
}
