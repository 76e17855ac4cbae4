package sender_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
)

// TestOneStandstillIsOneLateness: an answer that is missing for longer than a probe waits is as late as it is, what is usual is no
// lateness, and what is refused at once is no sample.
func TestOneStandstillIsOneLateness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const step, usual, still = 100 * time.Millisecond, 20 * time.Millisecond, 34 * time.Second
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		awake := began.Add(time.Second + still)
		ask := func(ctx context.Context) bool {
			switch now := time.Since(began); {
			case now < 500*time.Millisecond:
				<-time.After(usual)
				return true
			case now < time.Second:
				return false
			}
			select {
			case <-time.After(time.Until(awake)):
				cancel()
				return true
			case <-ctx.Done():
				return false
			}
		}
		late := map[time.Duration]time.Duration{}
		sender.Probe(ctx, step, ask, func(due time.Time, l time.Duration) { late[due.Sub(began)] = l })
		for at := time.Duration(0); at < 500*time.Millisecond; at += step {
			if l, told := late[at]; l != 0 || !told {
				t.Errorf("at %s, as usual: late by %s (told: %t)", at, l, told)
			}
		}
		if _, told := late[700*time.Millisecond]; told {
			t.Error("a refusal is no sample")
		}
		if got, want := late[time.Second], still-usual; got != want {
			t.Errorf("a standstill of %s is told as %s", still, got)
		}
		if got, want := late[11*time.Second], still-10*time.Second-usual; got != want {
			t.Errorf("ten seconds into it: late by %s, want %s", got, want)
		}
	})
}
