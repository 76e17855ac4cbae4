package judge

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mostRecords bounds the records that one verdict cites: enough to see the case, and a report stays readable.
const mostRecords = 50

// tally gathers what a check finds at the events of one scenario, and sums it up: one failure fails, one doubt about
// needed evidence leaves the check open, and only then what held counts.
type tally struct {
	v                                                *view
	fails, broken, doubts, holds, seen, absent, idle []finding
}

type finding struct {
	because string
	records []int
}

// fail notes a broken promise. What decides it happened within s; noise there makes it a doubt.
func (t *tally) fail(s span, records []int, format string, args ...any) {
	because := fmt.Sprintf(format, args...)
	if n := t.v.noiseIn(s); n != nil {
		t.doubt(append(records, n.n), "%s; but %s was late by %s within that time, more than the allowance of %s",
			because, n.who(), dur(n.to-n.from), dur(t.v.t.allowance))
		return
	}
	t.fails = append(t.fails, finding{because, records})
}

// failBy notes a limit that was missed by excess, its allowance already taken off. Noise within s can explain no more than the time
// that it lasted.
func (t *tally) failBy(s span, excess time.Duration, records []int, format string, args ...any) {
	if excess > t.v.noisyTime(s) {
		t.breaks(records, format, args...)
		return
	}
	t.fail(s, records, format, args...)
}

// breaks notes a broken promise that the bytes alone decide, so that noise has no part in it.
func (t *tally) breaks(records []int, format string, args ...any) {
	t.fails = append(t.fails, finding{fmt.Sprintf(format, args...), records})
}

// failAbsent notes that something due by then did not come within s, which ends with the watch. Noise only postpones what
// is due, so that it is in doubt only where the watch does not outlast due, allowance and all noise.
func (t *tally) failAbsent(s span, due time.Duration, records []int, format string, args ...any) {
	v := t.v
	if late := v.spent(s); due+late > s.to {
		t.doubt(records, "%s, but the watch ended at %s and could show it only after %s (allowance %s, noise %s)",
			fmt.Sprintf(format, args...), dur(s.to), dur(due+late), dur(v.t.allowance), dur(late-v.t.allowance))
		return
	}
	t.fails = append(t.fails, finding{fmt.Sprintf(format, args...), records})
}

// failUnsent notes that the first attempt of an event, due by then, did not come. One that noise may have kept back until the deadline
// need not come any more.
func (t *tally) failUnsent(e *event, due time.Duration, records []int, format string, args ...any) {
	if e.mayBeOver(0, e.emit.Returned) {
		t.doubt(records, "%s, but noise may have kept it from being sent before its deadline", fmt.Sprintf(format, args...))
		return
	}
	t.failAbsent(span{e.emit.Called, t.v.watched()}, due, records, format, args...)
}

// broke notes trouble of our own receiver.
func (t *tally) broke(records []int, format string, args ...any) {
	t.broken = append(t.broken, finding{fmt.Sprintf(format, args...), records})
}

// doubt notes that evidence which the check needs is missing or cannot be trusted.
func (t *tally) doubt(records []int, format string, args ...any) {
	t.doubts = append(t.doubts, finding{fmt.Sprintf(format, args...), records})
}

// doubtClocks notes that wall clock and monotonic clock drifted apart; what names the readings that cannot be compared then.
func (t *tally) doubtClocks(what string) {
	t.doubt([]int{t.v.t.drifted}, "wall clock and monotonic clock drifted by more than %s, so %s cannot be compared", dur(mostDrift), what)
}

// hold notes that the promise was put to the test and held.
func (t *tally) hold(records ...int) { t.holds = append(t.holds, finding{records: records}) }

// note notes what the sender does where the contract is silent.
func (t *tally) note(records []int, format string, args ...any) {
	t.seen = append(t.seen, finding{fmt.Sprintf(format, args...), records})
}

// void notes that the promise does not apply to what happened.
func (t *tally) void(records []int, format string, args ...any) {
	t.absent = append(t.absent, finding{fmt.Sprintf(format, args...), records})
}

// skip notes why an event gave nothing to judge.
func (t *tally) skip(records []int, format string, args ...any) {
	t.idle = append(t.idle, finding{fmt.Sprintf(format, args...), records})
}

// sum returns the verdict. held describes what held, with %d for how often; stimulus says what would have had to
// happen.
func (t *tally) sum(held, stimulus string) Verdict {
	for _, c := range []struct {
		o  Outcome
		fs []finding
	}{{Fail, t.fails}, {Error, t.broken}, {Inconclusive, t.doubts}} {
		if len(c.fs) > 0 {
			return verdict(c.o, c.fs)
		}
	}
	switch {
	case len(t.holds) > 0:
		return cite(Verdict{Outcome: Pass, Because: strings.ReplaceAll(held, "%d", strconv.Itoa(len(t.holds))) + t.strays()}, t.holds)
	case len(t.seen) > 0:
		return verdict(Observed, t.seen)
	case len(t.absent) > 0:
		return verdict(NotApplicable, t.absent)
	case len(t.idle) > 0:
		v := verdict(Inconclusive, t.idle)
		v.Because = "nothing to judge: " + v.Because
		return v
	}
	return Verdict{Outcome: Inconclusive, Because: "nothing to judge: " + stimulus + t.strays(), Records: []int{}}
}

func (t *tally) strays() string {
	if n := len(t.v.stray); n > 0 {
		return fmt.Sprintf("; %d %s could not be told to belong to an event", n, plural(n, "request"))
	}
	return ""
}

// verdict sums up findings of one kind: the first one's sentence, and everyone's records.
func verdict(o Outcome, fs []finding) Verdict {
	v := Verdict{Outcome: o, Because: fs[0].because}
	if n := len(fs) - 1; n > 0 {
		v.Because += fmt.Sprintf(" (and %d more like it)", n)
	}
	return cite(v, fs)
}

// cite adds everyone's records to a verdict, ascending and bounded.
func cite(v Verdict, fs []finding) Verdict {
	v.Records = []int{}
	for _, f := range fs {
		v.Records = append(v.Records, f.records...)
	}
	slices.Sort(v.Records)
	v.Records = slices.Compact(v.Records)
	if n := len(v.Records); n > mostRecords {
		v.Records = slices.Clone(v.Records[:mostRecords])
		v.Because += fmt.Sprintf(" (the first %d of %d records are named)", mostRecords, n)
	}
	return v
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// dur writes a duration for people: whole milliseconds below a second, else seconds.
func dur(d time.Duration) string {
	if d > -time.Second && d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(float64(d.Round(time.Millisecond).Milliseconds())/1000, 'f', -1, 64) + " s"
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return strconv.Itoa(status) + " " + text
	}
	return "status " + strconv.Itoa(status)
}

// recordsOf returns the records of requests.
func recordsOf(rs ...*request) []int {
	var out []int
	for _, r := range rs {
		if r != nil {
			out = append(out, r.records()...)
		}
	}
	return out
}

func num(n int) string { return strconv.Itoa(n) }

// percent writes a share without rounding it up to a promise that it missed: 99.5 %, and 98.9996 % for one that is nearly 99 %.
func percent(share float64) string {
	const digits = 1e4 // of the percentage; a sample of a million events shows in them
	// The nudge is far below the last digit: 0.995 × 100 must not come out as 99.4999 %.
	return strconv.FormatFloat(math.Floor(share*100*digits+1e-6)/digits, 'f', -1, 64) + " %"
}
