package judge

import (
	"cmp"
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
)

// effectsOf returns the effects of each event's requests, in order of their transactions.
func (v *view) effectsOf() map[*event][]*evidence.Effect {
	bySeq := make(map[int64]*event, len(v.requests))
	for _, r := range v.requests {
		if r.ev != nil {
			bySeq[r.a.Seq] = r.ev
		}
	}
	out := map[*event][]*evidence.Effect{}
	for _, f := range v.effects {
		if e := bySeq[f.Of]; e != nil {
			out[e] = append(out[e], f)
		}
	}
	for _, fs := range out {
		slices.SortStableFunc(fs, func(a, b *evidence.Effect) int { return cmp.Compare(a.At, b.At) })
	}
	return out
}

func effectRecords(fs []*evidence.Effect) []int {
	out := make([]int, len(fs))
	for i, f := range fs {
		out[i] = f.N
	}
	return out
}

func count(fs []*evidence.Effect, result string) int {
	n := 0
	for _, f := range fs {
		if f.Result == result {
			n++
		}
	}
	return n
}

// "Duplicates carry one id, so that the receiver absorbs them": one committed effect per event, whatever came again. With
// stable ids a second effect is our receiver's fault, and an error.
func effectOnce(v *view) Verdict {
	t := &tally{v: v}
	effects := v.effectsOf()
	for _, e := range v.events {
		fs := effects[e]
		if t.voidByID(e) {
			continue
		}
		committed, absorbed := count(fs, evidence.EffectCommitted), count(fs, evidence.EffectAbsorbed)
		switch rows := mostRows(fs); {
		case committed > 1 || rows > 1 || committed == 0 && absorbed > 0:
			t.broke(effectRecords(fs), "%s has one id, and the receiver committed %d effects, absorbed %d and holds %d business rows; wanted one effect",
				e.name(), committed, absorbed, rows)
		case absorbed > 0:
			t.hold(effectRecords(fs)...)
		}
	}
	if len(t.absent) > 0 {
		t.holds = nil
	}
	return t.sum("events that came again had one effect each (events: %d)", "no event came again after its effect was committed")
}

// voidByID voids an event whose requests are not one event to a receiver, which goes by the id.
func (t *tally) voidByID(e *event) bool {
	if a, b := e.changedID(); b != nil {
		t.void([]int{a.a.N, b.a.N}, "the ids of %s changed, so its requests are different events to a receiver; id.stable or replay.identity judges that", e.name())
		return true
	}
	if o := e.namesake(); o != nil {
		t.void([]int{e.emit.N, o.emit.N}, idShared, e.name())
		return true
	}
	return false
}

const idShared = "%s shares its id with another event, so that a receiver takes them for one; id.unique judges that"

func mostRows(fs []*evidence.Effect) int {
	most := 0
	for _, f := range fs {
		most = max(most, f.Rows)
	}
	return most
}

// "Local effects and their mark commit together or not at all": nothing stays after a rollback, and the redelivery has the
// effect.
func effectRollback(v *view) Verdict {
	t := &tally{v: v}
	effects := v.effectsOf()
	for _, e := range v.events {
		fs := effects[e]
		i := slices.IndexFunc(fs, func(f *evidence.Effect) bool { return f.Result == evidence.EffectRolledBack })
		if i < 0 {
			continue
		}
		if t.voidByID(e) {
			continue
		}
		before, after := fs[:i], fs[i+1:]
		switch f := fs[i]; {
		case count(before, evidence.EffectCommitted) == 0 && (f.Dedupe || f.Rows != 0):
			t.broke([]int{f.N}, "the business write of %s was rolled back, and yet the receiver holds a mark of it (dedupe row %t, %d business rows)",
				e.name(), f.Dedupe, f.Rows)
		case count(fs, evidence.EffectCommitted) > 1 || count(fs, evidence.EffectCommitted) == 0 && count(fs, evidence.EffectAbsorbed) > 0:
			t.broke(effectRecords(fs), "after a rollback %s had %d effects; wanted one", e.name(), count(fs, evidence.EffectCommitted))
		case count(after, evidence.EffectCommitted) == 1:
			t.hold(effectRecords(fs)...)
		default:
			t.skip([]int{f.N}, "no redelivery of %s was committed after the rollback", e.name())
		}
	}
	if len(t.absent) > 0 {
		t.holds = nil
	}
	return t.sum("rolled-back writes left nothing behind and took effect on redelivery (events: %d)", "no business write was rolled back")
}
