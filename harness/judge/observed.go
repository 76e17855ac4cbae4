package judge

import (
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
)

// observed tells whether the scenario's traffic was only watched: nobody knows what was emitted, when, or what came before the watch.
func (v *view) observed() bool { return v.sc.Family == evidence.FamilyObserve }

// observable tells whether a check needs nothing but single requests. Everything else needs to know what was emitted and when: a
// second request may be a replay that somebody asked for, and the first that is seen the third of its schedule.
func observable(id string) bool {
	switch id {
	case "sig.verifies", "sig.covers-metadata", "time.fresh", "time.format", "id.present", "envelope.fields", "wire.headers", "wire.framing":
		return true
	}
	return false
}

// addObserved makes an event of the requests that carry the same id, as if it had been emitted when the first of them came. A request
// without an id is an event by itself.
func (v *view) addObserved() {
	type place struct{ endpoint, id string }
	by := map[place]*event{}
	for _, r := range v.requests {
		at := place{r.a.Endpoint, r.ids.first()}
		e := by[at]
		if e == nil || at.id == "" {
			first := &evidence.Act{
				Meta: evidence.Meta{N: r.a.N}, Act: evidence.ActEmit, Scenario: v.sc.Name, Endpoint: at.endpoint, Event: at.id,
				Called: r.a.FirstByte, Returned: r.a.FirstByte,
			}
			e = &event{v: v, emit: first, endpoint: at.endpoint}
			by[at] = e
			v.events = append(v.events, e)
		}
		r.ev = e
	}
}

// lists tells whether the scenario feeds another check, which then owns its part.
func (v *view) lists(id string) bool {
	return slices.Contains(v.sc.Checks, id) && (!v.observed() || observable(id))
}

// unwatched turns a verdict that needs two requests of one event into not applicable, where traffic that was only watched held none:
// nobody could bring about a second one.
func (v *view) unwatched(got Verdict) Verdict {
	twice := slices.ContainsFunc(v.events, func(e *event) bool { return len(e.tries) > 1 })
	if !v.observed() || got.Check != "time.fresh" || got.Outcome != Inconclusive || twice || len(v.events) == 0 {
		return got
	}
	return v.plain(got.Check, NotApplicable, "the traffic was only observed, and no event came twice")
}
