package contract_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
)

func TestCompressBounded6By200(t *testing.T) {
	c := bounded6(t)
	got, err := c.Compress(200)
	if err != nil {
		t.Fatal(err)
	}
	ms := time.Millisecond
	want := bounded6(t)
	want.CompressedBy = 200
	want.Schedule.Waits = []time.Duration{5 * ms, 25 * ms, 150 * ms, 600 * ms, 3 * time.Second, 18 * time.Second}
	want.Schedule.Deadline = 22500 * ms
	want.Schedule.Timeout = 500 * ms
	want.RetryAfter.Cap = 18 * time.Second
	want.Keys.Overlap = 27 * time.Second
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(bounded6(t), c); diff != "" {
		t.Errorf("the receiver changed: %s", diff)
	}
	if due := got.Schedule.TerminalDue(); due != 1500*ms {
		t.Errorf("terminal record due after %v, want the effective timeout and 1s", due)
	}
	if err := got.Validate(); err != nil {
		t.Errorf("compressed: %v", err)
	}
}

func TestCompressDividesOrKeeps(t *testing.T) {
	c := bounded6(t)
	c.TimeUnit = time.Second
	c.TakesEffectWithin = 7 * time.Second
	c.Schedule.ClaimedWindow = 80 * time.Minute
	c.Schedule.Lease = 5 * time.Minute
	c.AutoDisable = &contract.AutoDisable{FailingFor: time.Hour}
	c.Schedule.Timeout = 300 * time.Millisecond
	got, err := c.Compress(7)
	if err != nil {
		t.Fatal(err)
	}
	s := time.Second
	want := []time.Duration{1 * s, 1 * s, 5 * s, 18 * s, 86 * s, 515 * s}
	if diff := cmp.Diff(want, got.Schedule.Waits); diff != "" {
		t.Errorf("waits rounded up to whole seconds: %s", diff)
	}
	for _, f := range []struct {
		what      string
		got, want time.Duration
	}{
		{"claimed window", got.Schedule.ClaimedWindow, 80 * time.Minute / 7},
		{"lease", got.Schedule.Lease, 5 * time.Minute / 7},
		{"time of failures, rounded up", got.AutoDisable.FailingFor, time.Hour/7 + 1},
		{"a timeout below the floor", got.Schedule.Timeout, 300 * time.Millisecond},
		{"time in which a change takes effect", got.TakesEffectWithin, 7 * time.Second},
		{"tolerance", got.Signature.Tolerance, 300 * time.Second},
		{"log lag", got.Log.Lag, time.Second},
		{"log unit", got.Log.Unit, time.Millisecond},
	} {
		if f.got != f.want {
			t.Errorf("%s: got %v, want %v", f.what, f.got, f.want)
		}
	}
}

func TestCompressTimeoutAboveTheFloor(t *testing.T) {
	got, err := bounded6(t).Compress(4)
	if err != nil {
		t.Fatal(err)
	}
	if got.Schedule.Timeout != 2500*time.Millisecond {
		t.Errorf("got timeout %v, want 2.5s", got.Schedule.Timeout)
	}
}

func TestCompressRefuses(t *testing.T) {
	compressed, err := bounded6(t).Compress(200)
	if err != nil {
		t.Fatal(err)
	}
	coarse := bounded6(t)
	coarse.TimeUnit = time.Second
	endless := bounded6(t)
	endless.Schedule.Deadline = 0
	single := bounded6(t)
	single.Schedule.Deadline, single.Schedule.Attempts, single.Schedule.Waits = 0, 1, []time.Duration{time.Second}
	for _, tt := range []struct {
		name string
		c    *contract.Contract
		n    int
		want string
	}{
		{"n of 0", bounded6(t), 0, "compress bounded-6 by 0: n must be at least 1"},
		{"negative n", bounded6(t), -200, "compress bounded-6 by -200: n must be at least 1"},
		{
			"deadline below 8 s", bounded6(t), 563,
			"compress bounded-6 by 563: the deadline would be 7.992895204s, below 8s; the most is n = 562",
		},
		{
			"waits rounded up past the deadline", coarse, 400,
			"compress bounded-6 by 400: the waits, rounded up to 1s, would take 15s and the deadline is 11.25s; use a smaller n",
		},
		{
			"waits below 8 s without a deadline", endless, 1000,
			"compress bounded-6 by 1000: the waits would take 4.356s in all, less than 8s; use n = 544 or less",
		},
		{
			"waits below 8 s as published", single, 2,
			"compress bounded-6 by 2: the waits would take 500ms in all, less than 8s; use n = 1 or less",
		},
		{
			"a second time", compressed, 2,
			"compress bounded-6 by 2: it is compressed by 200 already; compress the published contract instead",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.c.Compress(tt.n)
			if err == nil {
				t.Fatalf("got %+v, want an error", got.Schedule)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCompressToTheLimit(t *testing.T) {
	if _, err := bounded6(t).Compress(562); err != nil {
		t.Error(err)
	}
}

func TestCompressBy1IsAnEqualCopy(t *testing.T) {
	compressed, err := bounded6(t).Compress(200)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*contract.Contract{bounded6(t), compressed} {
		got, err := c.Compress(1)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, got); diff != "" {
			t.Error(diff)
		}
		if got == c || got.Schedule == c.Schedule {
			t.Error("the copy shares memory with its source")
		}
	}
}

func TestCompressWithoutDeadline(t *testing.T) {
	c := bounded6(t)
	c.Schedule.Deadline = 0
	// 4356 s ÷ 544 is 8.007 s.
	got, err := c.Compress(544)
	if err != nil {
		t.Fatal(err)
	}
	if got.Schedule.Waits[0] != 2*time.Millisecond {
		t.Errorf("got first wait %v, want it rounded up to 2ms", got.Schedule.Waits[0])
	}
	if got.Schedule.Deadline != 0 {
		t.Errorf("got deadline %v, want none", got.Schedule.Deadline)
	}
}
