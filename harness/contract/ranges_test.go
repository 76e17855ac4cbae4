package contract_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
)

func minutes8(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.Profile("minutes-8")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMinutes8HasTheRangesThatArePublished(t *testing.T) {
	s := minutes8(t).Schedule
	s.Jitter = nil
	if s.Fewest() != 6 || s.Count() != 9 {
		t.Errorf("%d to %d attempts, want 5 to 8 retries", s.Fewest(), s.Count())
	}
	if got, want := s.Total(), (contract.Band{Min: 75 * time.Minute, Max: 135 * time.Minute}); got != want {
		t.Errorf("eight retries wait %v, want %v", got, want)
	}
	s.Attempts = 8
	if got, want := s.Total(), (contract.Band{Min: 60 * time.Minute, Max: 105 * time.Minute}); got != want {
		t.Errorf("where the eight count all sends they wait %v, want %v", got, want)
	}
}

func TestLintFindsThatADayContradictsTheScheduleOfMinutes8(t *testing.T) {
	want := []string{"schedule.claimed_window: says 24h0m0s, but the waits add up to 1h15m0s to 2h28m30s: " +
		"0 + 60 + 120 + 240 + 480 + 4 × (900 to 1800) s; with 6 attempts to 30m0s to 49m30s; the claim is 9.7 times the longest"}
	if diff := cmp.Diff(want, contract.Lint(minutes8(t))); diff != "" {
		t.Error(diff)
	}
}

func TestReckon(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    *contract.Contract
		want string
	}{
		{"bounded-6", bounded6(t), `
waits: 1 + 5 + 30 + 120 + 600 + 3600 s = 4356 s = 72.6 min, before 6 attempts
jitter: -0 to +2 % of each wait, at most 87.12 s on top: 4356 to 4443.12 s = 72.6 to 74.1 min
deadline: 4500 s - 4356 s = 144 s left for requests, jitter and backlog (jitter alone uses that up from 3.3 %)
5 timeouts of 10 s: 50 s, with all jitter 137.12 s, of 144 s: attempt 6 always starts in time
break-even: 28.8 s for each attempt, for attempt 6 to start in time (144 s / 5); 24 s, for it to end in time as well
5 timeouts of 30 s: 150 s of 144 s: attempt 6 would start 6 s past the deadline and is cut`},
		{"minutes-8", minutes8(t), `
waits: 0 + 60 + 120 + 240 + 480 + 4 × (900 to 1800) s = 4500 to 8100 s = 75.0 to 135.0 min, before 6 to 9 attempts
jitter: -0 to +10 % of each wait, at most 810 s on top: 4500 to 8910 s = 75.0 to 148.5 min`},
		{"no schedule", &contract.Contract{}, ""},
	} {
		if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), strings.Join(contract.Reckon(tt.c), "\n")); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestRangesThatCannotBe(t *testing.T) {
	const head = "schema: hookassay.contract/1\nname: x\ntitle: x\nanswers: {success: [2xx], otherwise: permanent}\nschedule: {measured_from: end, timeout: 10s, "
	for rest, want := range map[string]string{
		"waits: [1s, 2s], waits_max: [1s]}":     "schedule.waits_max: has 1 entries, and waits has 2; write the longest of each wait, the same where it is no range",
		"waits: [1s, 2s], waits_max: [1s, 1s]}": "schedule.waits_max[1]: 1s is shorter than the wait itself, 2s",
		"waits: [1s, 2s], attempts_min: 3}":     "schedule.attempts_min: is 3, and at most 2 attempts are made; write a number from 1 to that, or leave it out",
		"waits: [1ms], waits_max: [1500us]}":    "schedule.waits_max[0]: 1.5ms is no multiple of time_unit, 1ms; the sender cannot wait so long exactly",
	} {
		_, err := contract.Parse("x.yaml", []byte(head+rest+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", rest, err, want)
		}
	}
}

func TestCompressedRangesStayRanges(t *testing.T) {
	c, err := minutes8(t).Compress(300)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Schedule.Range(6), (contract.Band{Min: 3 * time.Second, Max: 6 * time.Second}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
