package contract_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
)

func standardWebhooks(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.Profile("standard-webhooks")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The specification's table gives each delay and the time since the start.
func TestStandardWebhooksExampleSchedule(t *testing.T) {
	since := []time.Duration{
		0, 5 * time.Second, 5*time.Minute + 5*time.Second, 35*time.Minute + 5*time.Second, 2*time.Hour + 35*time.Minute + 5*time.Second,
		7*time.Hour + 35*time.Minute + 5*time.Second, 17*time.Hour + 35*time.Minute + 5*time.Second,
		31*time.Hour + 35*time.Minute + 5*time.Second, 51*time.Hour + 35*time.Minute + 5*time.Second,
		75*time.Hour + 35*time.Minute + 5*time.Second,
	}
	c := standardWebhooks(t)
	c.Schedule.Jitter = nil
	w := c.Window(0)
	var got []time.Duration
	for _, s := range w.Starts {
		got = append(got, s.At.Min)
	}
	if diff := cmp.Diff(since, got); diff != "" {
		t.Error(diff)
	}
	if w.Waits.Max != c.Schedule.ClaimedWindow {
		t.Errorf("waits of %v, but the table claims %v", w.Waits, c.Schedule.ClaimedWindow)
	}
}

func TestStandardWebhooksClasses(t *testing.T) {
	c := standardWebhooks(t)
	for status := 100; status <= 599; status++ {
		want := contract.Transient
		switch {
		case status >= 200 && status <= 299:
			want = contract.Success
		case status == 410:
			want = contract.Disable
		}
		if got := c.Class(status); got != want {
			t.Errorf("status %d: got %s, want %s", status, got, want)
		}
	}
}

func TestStandardWebhooksDemandsAndRecommends(t *testing.T) {
	c := standardWebhooks(t)
	for check, advised := range map[string]bool{
		"sig.verifies": false, "sig.covers-metadata": false, "time.fresh": false, "time.format": false,
		"id.present": false, "id.stable": false, "id.unique": false,
		"outcome.2xx": false, "outcome.failure": false, "retry.transient": false,
		"replay.identity": false, "replay.fresh": false,

		"backoff.bounds": true, "backoff.jitter": true, "backoff.retry-after": true, "budget.attempts": true,
		"timeout.request": true, "retry.permanent": true, "life.stop": true, "sec.no-redirect": true,
		"envelope.type": true, "body.matches": true, "secret.rotation": true, "secret.isolation": true, "replay.range": true,
	} {
		if got := c.Advises(check); got != advised {
			t.Errorf("%s: got advice %t, want %t", check, got, advised)
		}
	}
	if c.DeadLetter != nil || c.Log != nil || c.Acceptance != nil || c.Durability != nil || c.Schedule.Deadline != 0 {
		t.Error("promises what the specification does not speak of")
	}
}

// TestStandardWebhooksBy16000 holds the figures that the profile's comment gives.
func TestStandardWebhooksBy16000(t *testing.T) {
	fast, err := standardWebhooks(t).Compress(16_000)
	if err != nil {
		t.Fatal(err)
	}
	ms := time.Millisecond
	want := []time.Duration{0, ms, 19 * ms, 113 * ms, 450 * ms, 1125 * ms, 2250 * ms, 3150 * ms, 4500 * ms, 5400 * ms}
	if diff := cmp.Diff(want, fast.Schedule.Waits); diff != "" {
		t.Error(diff)
	}
	if got := fast.Schedule.Timeout; got != 500*ms {
		t.Errorf("got timeout %v, want the floor of 500ms", got)
	}
	if got := fast.Schedule.Total().Max + time.Duration(fast.Schedule.Count())*fast.Schedule.Timeout; got > 26*time.Second {
		t.Errorf("an event takes up to %v, more than 26s", got)
	}
	if _, err := standardWebhooks(t).Compress(35_000); err == nil {
		t.Error("by 35000 the waits take less than 8s, want it refused")
	}
}

func TestStandardWebhooksSignsAndVerifies(t *testing.T) {
	c := standardWebhooks(t)
	s, err := signature.Lookup(c.Signature.Scheme)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := c.NewSecret([]byte("0123456789abcdef0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000, 0)
	h, err := s.Sign(signature.Content{ID: "msg_1", At: at, Body: []byte("{}")}, secret)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.Get(c.Identity.Header); got != "msg_1" {
		t.Errorf("the declared id header holds %q, want the signed id", got)
	}
	f := s.Verify(h, []byte("{}"), secret)
	if !f.Fresh(at.Add(5*time.Minute), c.Signature.Tolerance) || f.Fresh(at.Add(5*time.Minute+time.Second), c.Signature.Tolerance) {
		t.Errorf("got %s; want it fresh for five minutes", f.Reason)
	}
}
