package fault_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestStepsThatLast(t *testing.T) {
	p := mustParse(t, "503, 502 for 30s, reset for 10s, 429, 200")
	var c fault.Cursor
	for i, tc := range []struct {
		at   time.Duration
		want string
	}{
		{0, "503"},
		{time.Hour, "502 for 30s"}, // its time begins with the first request that meets it
		{time.Hour + 29*time.Second, "502 for 30s"},
		{time.Hour + 30*time.Second, "reset for 10s"},
		{time.Hour + 39*time.Second, "reset for 10s"},
		{time.Hour + 50*time.Second, "429"},
		{time.Hour + 51*time.Second, "200"},
		{time.Hour + 52*time.Second, "200"},
	} {
		if got := p.Next(i+1, &c, tc.at).String(); got != tc.want {
			t.Errorf("request %d at %s: got %s, want %s", i+1, tc.at, got, tc.want)
		}
	}
}

// TestNextIsStepWhereNothingLasts, whatever the time.
func TestNextIsStepWhereNothingLasts(t *testing.T) {
	all := plans()
	rapid.Check(t, func(t *rapid.T) {
		p := all.Draw(t, "plan")
		for i := range p.Steps {
			p.Steps[i].For = 0
		}
		var c fault.Cursor
		for n := 1; n < 9; n++ {
			at := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "at"))
			if got, want := p.Next(n, &c, at).String(), p.Step(n).String(); got != want {
				t.Fatalf("request %d of %s: got %s, want %s", n, p, got, want)
			}
		}
		if p.Lasts() {
			t.Fatal("says that a step lasts")
		}
	})
}
