package contract_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
)

func bounded6(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPublishedFiguresOfBounded6(t *testing.T) {
	c := bounded6(t)
	w := c.Window(0)
	for _, f := range []struct {
		what      string
		got, want time.Duration
	}{
		{"waiting in all", w.Waits.Max, 4356 * time.Second},
		{"shortest waiting in all", c.Schedule.Total().Min, 4356 * time.Second},
		{"longest waiting in all", c.Schedule.Total().Max, 4443120 * time.Millisecond},
		{"left over by the deadline", w.Slack, 144 * time.Second},
		{"break-even to start", w.BreakEven, 28800 * time.Millisecond},
		{"break-even to end as well", w.BreakEvenEnd, 24 * time.Second},
		{"most that jitter adds", w.Jitter, 87120 * time.Millisecond},
		{"terminal record due", c.Schedule.TerminalDue(), 11 * time.Second},
	} {
		if f.got != f.want {
			t.Errorf("%s: got %v, want %v", f.what, f.got, f.want)
		}
	}
	if got := c.Schedule.Count(); got != 6 {
		t.Errorf("got %d attempts, want 6", got)
	}
	if math.Abs(w.BreakEvenJitter-0.033) > 0.0005 {
		t.Errorf("got break-even jitter %v, want about 0.033", w.BreakEvenJitter)
	}
}

func TestLastAttemptOfBounded6(t *testing.T) {
	const deadline = 75 * time.Minute
	for _, tt := range []struct {
		name       string
		perAttempt time.Duration
		want       contract.Certainty
		// late is how far the earliest and the latest start lie past the deadline.
		late contract.Band
	}{
		{"instant attempts", 0, contract.Always, contract.Band{Min: -144 * time.Second, Max: -56880 * time.Millisecond}},
		{
			"five timeouts and all jitter take 137 s of 144 s", 10 * time.Second, contract.Always,
			contract.Band{Min: -94 * time.Second, Max: -6880 * time.Millisecond},
		},
		{
			"jitter decides", 20 * time.Second, contract.Sometimes,
			contract.Band{Min: -44 * time.Second, Max: 43120 * time.Millisecond},
		},
		{
			"exactly at break-even", 28800 * time.Millisecond, contract.Sometimes,
			contract.Band{Min: 0, Max: 87120 * time.Millisecond},
		},
		{
			"one step past break-even", 28800*time.Millisecond + 1, contract.Never,
			contract.Band{Min: 5, Max: 87120*time.Millisecond + 5},
		},
		{
			"five attempts of 30 s", 30 * time.Second, contract.Never,
			contract.Band{Min: 6 * time.Second, Max: 93120 * time.Millisecond},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			starts := bounded6(t).Window(tt.perAttempt).Starts
			want := contract.Start{
				Attempt: 6, InTime: tt.want,
				At: contract.Band{Min: deadline + tt.late.Min, Max: deadline + tt.late.Max},
			}
			if diff := cmp.Diff(want, starts[len(starts)-1]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWindowWithWaitsFromTheStart(t *testing.T) {
	c := &contract.Contract{Schedule: &contract.Schedule{
		Waits:        []time.Duration{time.Second, 2 * time.Second, 10 * time.Second},
		MeasuredFrom: contract.FromStart,
		Deadline:     20 * time.Second,
	}}
	w := c.Window(5 * time.Second)
	want := []contract.Start{
		{Attempt: 1, At: contract.Band{Min: 1 * time.Second, Max: 1 * time.Second}, InTime: contract.Always},
		// The first attempt takes longer than the wait of 2 s.
		{Attempt: 2, At: contract.Band{Min: 6 * time.Second, Max: 6 * time.Second}, InTime: contract.Always},
		{Attempt: 3, At: contract.Band{Min: 16 * time.Second, Max: 16 * time.Second}, InTime: contract.Always},
	}
	if diff := cmp.Diff(want, w.Starts); diff != "" {
		t.Error(diff)
	}
	// 1 s + 9 s + 10 s reach the deadline: up to 10 s the last gap is its wait.
	if got := w.BreakEven; got != 9*time.Second {
		t.Errorf("got break-even %v, want 9s", got)
	}
	// 1 s + 6.333 s + 10 s and the last attempt itself: 2 d = 9 s up to d = 10 s.
	if got := w.BreakEvenEnd; got != 4500*time.Millisecond {
		t.Errorf("got break-even to end %v, want 4.5s", got)
	}
}

func TestWindowWithoutScheduleOrDeadline(t *testing.T) {
	if got := (&contract.Contract{}).Window(time.Second).Starts; got != nil {
		t.Errorf("no schedule: got starts %v, want none", got)
	}
	c := bounded6(t)
	c.Schedule.Deadline = 0
	w := c.Window(time.Hour)
	if got := w.Starts[5].InTime; got != contract.Always {
		t.Errorf("no deadline: attempt 6 is in time %s, want always", got)
	}
	if w.BreakEven != 0 || w.Slack != 0 {
		t.Errorf("no deadline: got break-even %v and slack %v, want 0", w.BreakEven, w.Slack)
	}
}

func TestWait(t *testing.T) {
	s := &contract.Schedule{
		Waits:    []time.Duration{0, 10 * time.Second},
		Attempts: 4,
		Jitter:   &contract.Jitter{Plus: 0.5, Minus: 0.2},
	}
	second := contract.Band{Min: 8 * time.Second, Max: 15 * time.Second}
	for k, want := range map[int]contract.Band{-1: {}, 0: {}, 1: {}, 2: second, 3: second, 9: second} {
		if diff := cmp.Diff(want, s.Wait(k)); diff != "" {
			t.Errorf("attempt %d: %s", k, diff)
		}
	}
	if diff := cmp.Diff(contract.Band{Min: 24 * time.Second, Max: 45 * time.Second}, s.Total()); diff != "" {
		t.Errorf("total with the last wait repeated: %s", diff)
	}
	if diff := cmp.Diff(contract.Band{}, (&contract.Schedule{Attempts: 3}).Total()); diff != "" {
		t.Errorf("total without waits: %s", diff)
	}
}

func TestWindowSaysWhetherTheLastAttemptIsMade(t *testing.T) {
	endless := bounded6(t)
	endless.Schedule.Deadline = 0
	for _, tt := range []struct {
		c          *contract.Contract
		perAttempt time.Duration
		want       string
	}{
		{bounded6(t), 10 * time.Second, "\nattempt 6, the last, always starts in time\n"},
		{bounded6(t), 20 * time.Second, "\njitter decides whether attempt 6, the last, is made\n"},
		{bounded6(t), 30 * time.Second, "\nattempt 6, the last, is never made\n"},
		{endless, 30 * time.Second, "\nno deadline cuts attempt 6, the last\n"},
		{&contract.Contract{}, 30 * time.Second, "\nwith 30s per attempt:\n"},
	} {
		if got := tt.c.Window(tt.perAttempt).String(); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%v per attempt: got\n%s\nwant it to end in %q", tt.perAttempt, got, tt.want)
		}
	}
}

func ExampleContract_Window() {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(c.Window(30 * time.Second))
	// Output:
	// waits 1h12m36s in all, deadline 1h15m0s: 2m24s over
	// jitter adds at most 1m27.12s; 3.3 % of each wait would use up the slack
	// the last attempt starts in time up to 28.8s per attempt, and also ends in time up to 24s
	// with 30s per attempt:
	//   attempt 1 starts 1s to 1.02s after acceptance
	//   attempt 2 starts 36s to 36.12s after acceptance
	//   attempt 3 starts 1m36s to 1m36.72s after acceptance
	//   attempt 4 starts 4m6s to 4m9.12s after acceptance
	//   attempt 5 starts 14m36s to 14m51.12s after acceptance
	//   attempt 6 starts 1h15m6s to 1h16m33.12s after acceptance: cut, it would start 6s late
	// attempt 6, the last, is never made
}
