package alarm_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/alarm"
)

// at is counts at a minute.
type at struct {
	minute int
	counts alarm.Counts
}

func series(list ...at) *alarm.Series {
	s := &alarm.Series{}
	for _, c := range list {
		s.Add(time.Duration(c.minute)*time.Minute, c.counts)
	}
	return s
}

func ok(n int64) alarm.Counts  { return alarm.Counts{Successes: n} }
func bad(n int64) alarm.Counts { return alarm.Counts{Failures: n} }
func sig(n int64) alarm.Counts { return alarm.Counts{BadSignatures: n} }

// steadily is the same counts in each minute.
func steadily(from, to int, c alarm.Counts) []at {
	var list []at
	for m := from; m <= to; m++ {
		list = append(list, at{m, c})
	}
	return list
}

func TestEvaluate(t *testing.T) {
	for name, tc := range map[string]struct {
		alarm   string
		status  alarm.Status
		want    alarm.State
		because string
	}{
		"nothing counted yet": {
			alarm.SuccessRate,
			alarm.Status{Now: time.Minute},
			alarm.Unknown, "counting for 1m0s, an hour is needed",
		},
		"an hour without an attempt": {
			alarm.SuccessRate,
			alarm.Status{Now: 2 * time.Hour},
			alarm.Unknown, "no attempt within the last hour",
		},
		"98.9 % is too little": {
			alarm.SuccessRate,
			alarm.Status{Now: time.Hour, Counts: series(at{30, ok(989)}, at{40, bad(11)})},
			alarm.Firing, "989 of 1000 attempts succeeded within the last hour",
		},
		"99 % is not healthy": {
			alarm.SuccessRate,
			alarm.Status{Now: time.Hour, Counts: series(at{30, ok(990)}, at{40, bad(10)})},
			alarm.Warn, "990 of 1000 attempts succeeded within the last hour",
		},
		"99.9 % is healthy": {
			alarm.SuccessRate,
			alarm.Status{Now: time.Hour, Counts: series(at{30, ok(999)}, at{40, bad(1)})},
			alarm.OK, "999 of 1000 attempts succeeded within the last hour",
		},
		"failures before the hour do not count": {
			alarm.SuccessRate,
			alarm.Status{Now: 3 * time.Hour, Counts: series(at{100, bad(1000)}, at{150, ok(1)})},
			alarm.OK, "1 of 1 attempts succeeded within the last hour",
		},
		"a restart begins anew": {
			alarm.SuccessRate,
			alarm.Status{Now: 3 * time.Hour, Since: 150 * time.Minute, Counts: series(at{160, bad(5)})},
			alarm.Unknown, "counting for 30m0s, an hour is needed",
		},
		"a gap of a day": {
			alarm.SuccessRate,
			alarm.Status{Now: 30 * time.Hour, Counts: series(at{1, bad(1000)}, at{30*60 - 1, ok(3)})},
			alarm.OK, "3 of 3 attempts succeeded within the last hour",
		},
		"a hundred events wait":             {alarm.RetryBacklog, alarm.Status{Backlog: 100}, alarm.OK, "the last attempt of 100 events failed"},
		"a hundred and one events wait":     {alarm.RetryBacklog, alarm.Status{Backlog: 101}, alarm.Firing, "the last attempt of 101 events failed"},
		"no dead letter":                    {alarm.DeadLetters, alarm.Status{}, alarm.OK, "there are 0 dead letters"},
		"dead letters that cannot be read":  {alarm.DeadLetters, alarm.Status{DeadLetters: -1}, alarm.Unknown, "the dead letters could not be counted"},
		"one dead letter":                   {alarm.DeadLetters, alarm.Status{DeadLetters: 1}, alarm.Firing, "there is 1 dead letter"},
		"one that was given up":             {alarm.DeadLetters, alarm.Status{DeadLetters: 1, GivenUp: 2}, alarm.Firing, "there are 3 dead letters: 1 in the inbox, 2 without a 2xx within the sender's window"},
		"a success 29 min ago":              {alarm.NoSuccess, alarm.Status{Now: time.Hour, LastSuccess: 31 * time.Minute}, alarm.OK, "29m0s since the last success"},
		"a success 30 min ago":              {alarm.NoSuccess, alarm.Status{Now: time.Hour, LastSuccess: 30 * time.Minute}, alarm.Firing, "30m0s since the last success"},
		"no success since a start just now": {alarm.NoSuccess, alarm.Status{Now: time.Hour, Since: 59 * time.Minute}, alarm.OK, "1m0s since the start, without a success"},
		"no success since a start long ago": {alarm.NoSuccess, alarm.Status{Now: time.Hour, Since: 1, LastSuccess: 0}, alarm.Firing, "1h0m0s since the start, without a success"},
		"forged requests in the first hour": {
			alarm.SignatureFailures,
			alarm.Status{Now: 59 * time.Minute, Counts: series(at{58, sig(1000)})},
			alarm.Unknown, "counting for 59m0s, an hour is needed",
		},
		"ten after an hour of none": {
			alarm.SignatureFailures,
			alarm.Status{Now: time.Hour, Counts: series(at{58, sig(10)})},
			alarm.Firing, "10 within 5 min; 0.0 is the mean of the time before",
		},
		"nine after an hour of none": {
			alarm.SignatureFailures,
			alarm.Status{Now: time.Hour, Counts: series(at{58, sig(9)})},
			alarm.OK, "9 within 5 min; 0.0 is the mean of the time before",
		},
		"ten times the mean of a day": {
			alarm.SignatureFailures,
			alarm.Status{Now: 26 * time.Hour, Counts: series(append(steadily(60, 26*60-5, sig(1)), at{26 * 60, sig(50)})...)},
			alarm.Firing, "50 within 5 min; 5.0 is the mean of the time before",
		},
		"nine times the mean of a day": {
			alarm.SignatureFailures,
			alarm.Status{Now: 26 * time.Hour, Counts: series(append(steadily(60, 26*60-5, sig(1)), at{26 * 60, sig(45)})...)},
			alarm.OK, "45 within 5 min; 5.0 is the mean of the time before",
		},
		"what was before the day is forgotten": {
			alarm.SignatureFailures,
			alarm.Status{Now: 48 * time.Hour, Counts: series(at{60, sig(1_000_000)}, at{48*60 - 1, sig(10)})},
			alarm.Firing, "10 within 5 min; 0.0 is the mean of the time before",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := find(t, tc.alarm, alarm.Evaluate(tc.status))
			if a.State != tc.want || a.Because != tc.because {
				t.Errorf("got %s, %q; want %s, %q", a.State, a.Because, tc.want, tc.because)
			}
		})
	}
}

func find(t testing.TB, name string, list []alarm.Alarm) alarm.Alarm {
	t.Helper()
	for _, a := range list {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("no alarm %s in %+v", name, list)
	return alarm.Alarm{}
}

func TestThereAreFiveAlarmsInTheOrderOfTheRules(t *testing.T) {
	list := alarm.Evaluate(alarm.Status{})
	if len(list) != 5 {
		t.Fatalf("%d alarms, want 5", len(list))
	}
	for i, r := range alarm.Rules() {
		if list[i].Name != r.Name || list[i].Fires != r.Fires || r.Means == "" {
			t.Errorf("alarm %d is %q (%q), its rule %q (%q)", i, list[i].Name, list[i].Fires, r.Name, r.Fires)
		}
	}
}

func TestWorst(t *testing.T) {
	for _, tc := range []struct {
		states []alarm.State
		want   alarm.State
	}{
		{nil, alarm.OK},
		{[]alarm.State{alarm.Unknown, alarm.OK}, alarm.OK},
		{[]alarm.State{alarm.OK, alarm.Warn, alarm.Unknown}, alarm.Warn},
		{[]alarm.State{alarm.Warn, alarm.Firing, alarm.OK}, alarm.Firing},
	} {
		var list []alarm.Alarm
		for _, s := range tc.states {
			list = append(list, alarm.Alarm{State: s})
		}
		if got := alarm.Worst(list); got != tc.want {
			t.Errorf("%v: got %s, want %s", tc.states, got, tc.want)
		}
	}
}

// TestSeriesIsWhatWasAdded compares the ring with a plain list, over gaps of days and counts that come late.
func TestSeriesIsWhatWasAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s alarm.Series
		added := map[int64]int64{}
		var newest, now int64
		for i := range rapid.IntRange(1, 60).Draw(t, "additions") {
			ahead := rapid.SampledFrom([]int64{0, 0, 1, 2, 7, 59, 600, 1443, 1446, 1447, 5000}).Draw(t, fmt.Sprint("ahead", i))
			now += ahead
			late := rapid.Int64Range(0, 3).Draw(t, fmt.Sprint("late", i))
			m, n := max(now-late, 0), rapid.Int64Range(0, 9).Draw(t, fmt.Sprint("n", i))
			inMinute := rapid.Int64Range(0, int64(time.Minute)-1).Draw(t, "within")
			s.Add(time.Duration(m)*time.Minute+time.Duration(inMinute), alarm.Counts{Failures: n, BadSignatures: 2 * n})
			newest = max(newest, m)
			added[m] += n
		}
		back := rapid.Int64Range(1, 24*60+5).Draw(t, "back")
		var want int64
		for m, n := range added {
			if m > newest-back {
				want += n
			}
		}
		got := s.Sum(time.Duration(newest-back)*time.Minute, time.Duration(newest)*time.Minute)
		if got.Failures != want || got.BadSignatures != 2*want || got.Successes != 0 {
			t.Fatalf("the last %d minutes hold %+v, want %d failures", back, got, want)
		}
	})
}

// TestEvaluateBears holds for any numbers, those of a receiver whose clock was set included.
func TestEvaluateBears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s alarm.Series
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			s.Add(time.Duration(rapid.Int64().Draw(t, "at")), alarm.Counts{
				Successes: rapid.Int64Range(0, 1000).Draw(t, "ok"), Failures: rapid.Int64Range(0, 1000).Draw(t, "bad"),
			})
		}
		st := alarm.Status{
			Now: time.Duration(rapid.Int64Range(-1e15, 1e17).Draw(t, "now")), Since: time.Duration(rapid.Int64Range(-1e15, 1e17).Draw(t, "since")),
			LastSuccess: time.Duration(rapid.Int64Range(-1e15, 1e17).Draw(t, "last")), Counts: &s,
		}
		for _, a := range alarm.Evaluate(st) {
			if a.Name == "" || a.Because == "" || a.Value < 0 {
				t.Fatalf("%+v", a)
			}
			if a.Name == alarm.SuccessRate && a.Value > 1 {
				t.Fatalf("a share over 1: %+v", a)
			}
		}
	})
}
