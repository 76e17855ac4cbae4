package judge

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

const (
	// leastAllowance covers what a busy sender overshoots even where the ticker looks calm.
	leastAllowance = 250 * time.Millisecond
	// noiseFactor: a ticker understates a busy sender's lateness; three times its p99.9 leaves room.
	noiseFactor = 3
	// mostFactor is the same for the most that anything was late in a stretch, which is more than a percentile.
	mostFactor = 2
	// sameWake is how far apart two samples can be that were taken one after the other when a pause was over.
	sameWake = 2 * time.Millisecond
	// backlog is how long after a pause what had waited is still being dealt with: requests that came during it are read only then.
	backlog = 250 * time.Millisecond
	// backlogShare of a pause is how long that takes after a long one: after eight minutes, a second and more.
	backlogShare = 100
	// mostLate keeps a hostile sample from overflowing durations; an hour of lateness already spoils any interval.
	mostLate = time.Hour
)

// probePrefix opens the source of noise that was measured at one instance of the sender.
const probePrefix = "probe:"

// Allowance is the margin for scheduling noise in a run: three times the 99.9th percentile of the lateness measured in it,
// and at least 250 ms.
func Allowance(run *evidence.Run) time.Duration {
	return max(leastAllowance, noiseFactor*usualLate(run))
}

// usualLate is the 99.9th percentile of the lateness of a run's worst source of noise. One pause is no measure of a run: the
// longest of each source is left out, however few its samples are. What our receiver took is measured in full where it happened, so
// that it counts there alone.
func usualLate(run *evidence.Run) time.Duration {
	bySource := map[string][]*evidence.Noise{}
	for i := range run.Noise {
		if n := &run.Noise[i]; n.Source != evidence.NoiseReceiver {
			bySource[n.Source] = append(bySource[n.Source], n)
		}
	}
	var worst time.Duration
	for _, ns := range bySource {
		late := wakes(ns)
		slices.Sort(late)
		// Nearest rank, rounded up.
		rank := min((len(late)*999+999)/1000, len(late)-1)
		if rank > 0 {
			worst = max(worst, late[rank-1])
		}
	}
	return worst
}

// wakes returns the lateness of each time that a source ran. What was due while it did not run is late by one and the same
// pause; only the first sample says how long that was.
func wakes(ns []*evidence.Noise) []time.Duration {
	slices.SortStableFunc(ns, func(a, b *evidence.Noise) int { return cmp.Compare(a.From, b.From) })
	var out []time.Duration
	awake := time.Duration(-math.MaxInt64 / 2) // before any run; half, so that no difference overflows
	for _, n := range ns {
		for k, us := range n.LateUS {
			woke := n.From + time.Duration(k)*n.Step + lateness(us)
			if woke-awake > sameWake {
				out = append(out, lateness(us))
				awake = woke
			}
		}
	}
	return out
}

func lateness(us int64) time.Duration {
	if us > int64(mostLate/time.Microsecond) {
		return mostLate
	}
	return time.Duration(max(us, 0)) * time.Microsecond
}

// span is a stretch of the run, both ends included.
type span struct{ from, to time.Duration }

func (s span) overlaps(o span) bool { return s.from <= o.to && o.from <= s.to }

// middle is the best guess at an instant that lies in s.
func (s span) middle() time.Duration { return s.from + (s.to-s.from)/2 }

// noisy is a stretch in which a sample came late.
type noisy struct {
	span
	late     time.Duration
	instance string        // whose probe it was; empty: the harness itself
	receiver bool          // measured at our receiver
	whole    bool          // late is a duration measured in full, and no sample that understates one
	short    time.Duration // by which late may fall short of the stretch: what is measured now and then begins after it
	deaf     bool          // nothing listened: a request was refused, and took no time
	n        int
}

// most is by how much something may have been late in the stretch.
func (n *noisy) most() time.Duration {
	if n.whole {
		return n.late + n.short
	}
	return mostFactor * n.late
}

// who was late, for people.
func (n *noisy) who() string {
	if n.deaf {
		return "our receiver, between two parts of the run,"
	}
	if n.receiver {
		return "our receiver"
	}
	return "the machine"
}

// touches tells whether what happened within s may have suffered from it.
func (n *noisy) touches(s span) bool {
	return span{n.from, n.to + max(backlog, (n.to-n.from)/backlogShare)}.overlaps(s)
}

// lateSpans lists the stretches whose noise, by the rule for the whole run, would ask for more than the least allowance, by
// start. What a probe of a sender shows while that sender was down by our own act is no noise: nothing was there to answer.
func (t *trial) lateSpans() []noisy {
	out := append(t.slowCalls(), t.deafSpans()...)
	for i := range t.run.Noise {
		s := &t.run.Noise[i]
		if s.Source == evidence.NoiseReceiver {
			out = append(out, slowProbes(s)...)
			continue
		}
		instance, _ := strings.CutPrefix(s.Source, probePrefix)
		if !strings.HasPrefix(s.Source, probePrefix) {
			instance = ""
		}
		for k, us := range s.LateUS {
			if lateness(us)*noiseFactor <= leastAllowance {
				continue
			}
			due := s.From + time.Duration(k)*s.Step
			sp := span{due - s.Step, due + lateness(us)}
			if instance != "" && t.senderDown(instance, sp) {
				continue
			}
			out = append(out, noisy{span: sp, late: lateness(us), instance: instance, n: s.N})
		}
	}
	slices.SortStableFunc(out, func(a, b noisy) int { return cmp.Compare(a.from, b.from) })
	return out
}

// deafSpans lists the stretches in which nothing of ours listened. What came then is as unknown as what came while we stood still.
func (t *trial) deafSpans() []noisy {
	var out []noisy
	for i := range t.outages {
		if o := &t.outages[i]; o.deaf() {
			out = append(out, noisy{span: t.blind(o), late: o.to - o.from, receiver: true, whole: true, deaf: true, n: o.n})
		}
	}
	return out
}

// slowProbes lists the stretches in which our receiver took longer than usual to answer. What it answers late it may have read late,
// in whatever part of it the time went.
func slowProbes(s *evidence.Noise) []noisy {
	var out []noisy
	for k, us := range s.LateUS {
		if late := lateness(us); late*noiseFactor > leastAllowance {
			due := s.From + time.Duration(k)*s.Step
			out = append(out, noisy{span: span{due, due + late}, late: late, receiver: true, whole: true, short: s.Step, n: s.N})
		}
	}
	return out
}

// allowanceIn is the allowance by what was measured within s alone: at least 250 ms, and twice the most that anything was late. It
// is for what must have happened just then, whatever the rest of the run was like.
func (v *view) allowanceIn(s span) time.Duration {
	return max(leastAllowance, mostFactor*v.worstIn(s))
}

// worstIn is the most that anything was late within s, and 0 if that is too little to be listed.
func (v *view) worstIn(s span) time.Duration {
	worst := time.Duration(0)
	for i := range v.t.late {
		n := &v.t.late[i]
		if (n.instance == "" || n.instance == v.sc.Instance) && n.overlaps(s) {
			worst = max(worst, n.most()/mostFactor)
		}
	}
	return worst
}

// lateAt is by how much what was read at a time may have been late.
func (v *view) lateAt(at time.Duration) time.Duration {
	late := time.Duration(0)
	for i := range v.t.late {
		n := &v.t.late[i]
		if (n.instance == "" || n.instance == v.sc.Instance) && n.touches(span{at, at}) {
			late = max(late, n.most())
		}
	}
	return late
}

// noiseIn returns the first noisy stretch that touches s and concerns the scenario.
func (v *view) noiseIn(s span) *noisy {
	for i := range v.t.noise {
		n := &v.t.noise[i]
		if (n.instance == "" || n.instance == v.sc.Instance) && n.touches(s) {
			return n
		}
	}
	return nil
}

// noisyTime is how long the noisy stretches within s last in all: how much later than due something may come for noise
// alone.
func (v *view) noisyTime(s span) time.Duration { return v.lasted(v.t.noise, s) }

// spent is how much later than due something may come within s: by the allowance and the noise beyond it; or, where several pauses made
// the allowance so wide that none of them is beyond it, by all of them.
func (v *view) spent(s span) time.Duration {
	return max(v.t.allowance+v.noisyTime(s), v.lasted(v.t.pauses, s))
}

// lasted is how long the stretches within s last in all, where they overlap once.
func (v *view) lasted(stretches []noisy, s span) time.Duration {
	var sum, reached time.Duration
	reached = s.from
	for i := range stretches { // by start
		n := &stretches[i]
		if (n.instance != "" && n.instance != v.sc.Instance) || !n.overlaps(s) {
			continue
		}
		from, to := max(n.from, reached), min(n.to, s.to)
		if to > from {
			sum += to - from
			reached = to
		}
	}
	return sum
}

// delayed is when something comes at the latest that was to come by a time, if all noise since another one delays it.
func (v *view) delayed(since, by time.Duration) time.Duration {
	reached := since
	for i := range v.t.noise { // by start
		n := &v.t.noise[i]
		if n.instance != "" && n.instance != v.sc.Instance || n.from > by {
			continue
		}
		if late := n.to - max(n.from, reached); late > 0 {
			by += late
			reached = n.to
		}
	}
	return by
}
