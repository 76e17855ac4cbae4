package refsender

import (
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// FuzzRetryAfter wants no wait above the cap, whatever a receiver asks for.
func FuzzRetryAfter(f *testing.F) {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"2", "-5", "1e3", "", strings.Repeat("9", 30), "Sun, 01 Mar 2026 12:00:03 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(s, 503)
	}
	f.Fuzz(func(t *testing.T, value string, status int) {
		wait, ok := askedWait(c, facts{retryAfter: value, status: status, end: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)})
		if ok && c.RetryAfter.Cap > 0 && wait > c.RetryAfter.Cap || !ok && wait != 0 {
			t.Errorf("waits %s, %v", wait, ok)
		}
	})
}
