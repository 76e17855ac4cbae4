package judge

import (
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// FuzzRetryAfter wants of any value a wait that a band can be made of, and digits read as seconds whatever their number.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{
		"2", "0", "007", "-5", "1e3", "1.5", "", " 3", "soon", strings.Repeat("9", 30), "Sun, 01 Mar 2026 12:00:03 GMT",
		"Sunday, 01-Mar-26 12:00:03 GMT", "Sun Mar  1 12:00:03 2026", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT",
	} {
		f.Add(s)
	}
	v := view{t: &trial{run: &evidence.Run{Header: evidence.Header{Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}}}
	f.Fuzz(func(t *testing.T, value string) {
		wait, form := v.parseAsked(value, time.Second)
		digits := value != "" && strings.Trim(value, "0123456789") == ""
		switch {
		case wait < 0 || wait > farAway:
			t.Errorf("waits %s", wait)
		case digits != (form == "seconds"):
			t.Errorf("form %q", form)
		case form == "" && wait != 0:
			t.Errorf("a bad value asks for %s", wait)
		}
	})
}
