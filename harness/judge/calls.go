package judge

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// leastCalls is how many emits show what is usual for a sender.
const leastCalls = 10

// slowCalls lists the stretches in which a sender took longer than usual to accept an event. Where its disk stalls, its clock for a
// request runs on although nothing is sent, and a probe that only asks whether the process lives sees nothing of it.
func (t *trial) slowCalls() []noisy {
	usual := t.usualCalls()
	var out []noisy
	for i := range t.run.Acts {
		a := &t.run.Acts[i]
		median, known := usual[a.Instance]
		late := a.Returned - a.Called - median
		if known && a.Act == evidence.ActEmit && a.OK() && late*noiseFactor > leastAllowance {
			out = append(out, noisy{span: span{a.Called, a.Returned}, late: late, instance: a.Instance, whole: true, n: a.N})
		}
	}
	return out
}

// usualCalls returns the median time that an emit takes, by instance.
func (t *trial) usualCalls() map[string]time.Duration {
	took := map[string][]time.Duration{}
	for i := range t.run.Acts {
		if a := &t.run.Acts[i]; a.Act == evidence.ActEmit && a.OK() {
			took[a.Instance] = append(took[a.Instance], a.Returned-a.Called)
		}
	}
	usual := map[string]time.Duration{}
	for instance, ds := range took {
		if len(ds) >= leastCalls {
			slices.Sort(ds)
			usual[instance] = ds[len(ds)/2]
		}
	}
	return usual
}
