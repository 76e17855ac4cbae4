package simulate_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/simulate"
)

func profile(t testing.TB, name string) *contract.Contract {
	t.Helper()
	c, err := contract.Profile(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t testing.TB, c *contract.Contract, cfg simulate.Config) simulate.Result {
	t.Helper()
	r, err := simulate.Run(c, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestNumbersAgreeWithTheSums compares what chance shows with what the arithmetic of the window says.
func TestNumbersAgreeWithTheSums(t *testing.T) {
	c := profile(t, "bounded-6")
	plain := profile(t, "bounded-6")
	plain.Schedule.Jitter = nil
	for _, tt := range []struct {
		name      string
		c         *contract.Contract
		attempt   time.Duration
		low, high float64
	}{
		{"timeouts of 10 s never cut attempt 6", c, 10 * time.Second, 0, 0},
		{"timeouts of 30 s always do", c, 30 * time.Second, 1, 1},
		{"jitter decides at 20 s", c, 20 * time.Second, 0.001, 0.999},
		{"at the break-even of 28.8 s without jitter it starts", plain, 28800 * time.Millisecond, 0, 0},
		{"past it it does not", plain, 28800*time.Millisecond + 1, 1, 1},
	} {
		r := run(t, tt.c, simulate.Config{Events: 500, Seed: 1, Forever: true, Attempt: tt.attempt})
		if got := r.LastCutShare(); r.LastDue != 500 || got < tt.low || got > tt.high {
			t.Errorf("%s: the deadline cut %v of %d, want %v to %v", tt.name, got, r.LastDue, tt.low, tt.high)
		}
	}
}

func TestOutages(t *testing.T) {
	c := profile(t, "bounded-6")
	up := run(t, c, simulate.Config{Events: 1000, Seed: 7})
	if up.Delivered != 1000 || up.Attempts != 1000 || up.Percentile(0.99) > 1020*time.Millisecond {
		t.Errorf("without an outage: %d delivered, %d attempts, p99 %v", up.Delivered, up.Attempts, up.Percentile(0.99))
	}
	hour := run(t, c, simulate.Config{Events: 1000, Seed: 7, Outage: time.Hour, Attempt: 10 * time.Second})
	if hour.Delivered != 1000 || hour.Percentile(1) < time.Hour {
		t.Errorf("an outage of 1 h: %d delivered, the last after %v; want all, some after an hour", hour.Delivered, hour.Percentile(1))
	}
	long := run(t, c, simulate.Config{Events: 1000, Seed: 7, Outage: 3 * time.Hour, Attempt: 10 * time.Second})
	if long.Delivered >= 500 || long.Delivered+long.Cut+long.UsedUp != 1000 {
		t.Errorf("an outage of 3 h, far over the window: %d delivered, %d cut, %d used up", long.Delivered, long.Cut, long.UsedUp)
	}
	if storm, at := hour.Storm(); storm <= 0 || at < time.Hour {
		t.Errorf("load on recovery: %v times the pace at %v", storm, at)
	}
}

func TestASlowSenderCutsMore(t *testing.T) {
	c := profile(t, "bounded-6")
	cfg := simulate.Config{Events: 500, Seed: 3, Forever: true, Outage: 10 * time.Minute, Attempt: 10 * time.Second}
	free := run(t, c, cfg)
	cfg.Service, cfg.Backlog = 1, 2000
	slow := run(t, c, cfg)
	if slow.Cut <= free.Cut {
		t.Errorf("a backlog cut %d, none cut %d", slow.Cut, free.Cut)
	}
}

func TestRangesOfAttempts(t *testing.T) {
	r := run(t, profile(t, "minutes-8"), simulate.Config{Events: 1000, Seed: 5, Forever: true, Attempt: 5 * time.Second})
	if r.UsedUp != 1000 || r.Attempts <= 6*1000 || r.Attempts >= 9*1000 {
		t.Errorf("%d used up with %d attempts, want all, with 6 to 9 each", r.UsedUp, r.Attempts)
	}
}

func TestASeedGivesOneResult(t *testing.T) {
	cfg := simulate.Config{Events: 300, Seed: 9, Outage: 20 * time.Minute, Attempt: 5 * time.Second, Fail: 0.2, Service: 2}
	c := profile(t, "bounded-6")
	if diff := cmp.Diff(run(t, c, cfg), run(t, c, cfg), cmp.AllowUnexported(simulate.Result{})); diff != "" {
		t.Error(diff)
	}
}

func TestDrawings(t *testing.T) {
	r := run(t, profile(t, "bounded-6"), simulate.Config{Events: 300, Seed: 9, Outage: 20 * time.Minute, Attempt: 5 * time.Second})
	if err := xml.Unmarshal([]byte(simulate.SVG(r, `a < "b" & c`)), new(struct{})); err != nil {
		t.Error(err)
	}
	if plot := simulate.Plot(r, 40); strings.Count(plot, "\n") != 20 || !strings.Contains(plot, "x #") {
		t.Errorf("want 20 lines, with the outage marked:\n%s", plot)
	}
}

func TestRefuses(t *testing.T) {
	c := profile(t, "bounded-6")
	for name, cfg := range map[string]simulate.Config{
		"no events": {}, "too many": {Events: simulate.MaxEvents + 1}, "share": {Events: 1, Fail: 2}, "negative": {Events: 1, Outage: -1},
	} {
		if _, err := simulate.Run(c, cfg); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
	if _, err := simulate.Run(&contract.Contract{Name: "x"}, simulate.Config{Events: 1}); err == nil {
		t.Error("a contract without a schedule was taken")
	}
}
