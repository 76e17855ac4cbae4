package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

const noReplay = "no replay that the sender accepted arrived"

// replays calls judge for each request of a replay, with the first attempt of the schedule, or nil if none arrived.
func (v *view) replays(judge func(e *event, original, r *request)) {
	for _, e := range v.events {
		var original *request
		if len(e.tries) > 0 {
			original = e.tries[0]
		}
		for _, round := range e.again {
			for _, r := range round {
				judge(e, original, r)
			}
		}
	}
}

// "A manual replay keeps the event's id" (or has a new one, where the contract says so).
func replayIdentity(v *view) Verdict {
	t := &tally{v: v}
	v.replays(func(e *event, original, r *request) {
		header, body := "", ""
		records := []int{r.a.N}
		switch {
		case original != nil:
			header, body = original.ids.header, original.ids.body
			records = []int{original.a.N, r.a.N}
		case e.emit.Event != "":
			header, body = e.emit.Event, e.emit.Event
		}
		id := v.t.c.Identity
		compared := false
		for _, place := range []struct{ name, want, got string }{
			{id.Header, header, r.ids.header}, {id.Body, body, r.ids.body},
		} {
			if place.name == "" || place.want == "" {
				continue
			}
			if place.got == "" && place.name == id.Body {
				// A body that is no longer the original one is replay.body's.
				continue
			}
			compared = true
			if (place.got == place.want) != replaysKeepID(v.t.c) || place.got == "" {
				t.breaks(records, "%s has id %q at %s, the original %q; promised the %s id",
					which(r), clip(place.got), place.name, clip(place.want), v.t.c.Replay.ID)
				return
			}
		}
		if !compared {
			t.doubt(records, "neither id nor body of %s can be compared with the original", which(r))
			return
		}
		t.hold(records...)
	})
	return t.sum("replays carry the declared id (replays: %d)", noReplay)
}

// "A manual replay sends the same bytes."
func replayBody(v *view) Verdict {
	t := &tally{v: v}
	v.replays(func(_ *event, original, r *request) {
		if original == nil || !original.whole() || !r.whole() {
			t.skip([]int{r.a.N}, "there is no whole original to compare %s with", which(r))
			return
		}
		stable := contract.StableBytes
		if v.t.c.Body != nil {
			stable = v.t.c.Body.Stable
		}
		d := v.sameBody(original, r, stable)
		if d != "" && !replaysKeepID(v.t.c) {
			d = v.sameButID(original, r)
		}
		if d != "" {
			t.breaks([]int{original.a.N, r.a.N}, "%s: %s; promised the same %s", which(r), d, stable)
			return
		}
		t.hold(original.a.N, r.a.N)
	})
	return t.sum("replays carry the original body (replays: %d)", noReplay)
}

// sameButID compares meanings without the id, for contracts whose replays carry a new one.
func (v *view) sameButID(original, r *request) string {
	want, err := parseJSON(original.payload)
	if err != nil {
		return "its bytes differ"
	}
	got, err := parseJSON(r.payload)
	if err != nil {
		return "its body is no JSON"
	}
	if own := v.t.ownValues(); own != nil {
		own.Strip(want)
		own.Strip(got)
	}
	// Only a top-level id can be left out simply, and every known contract has it there.
	for _, doc := range []any{want, got} {
		if m, ok := doc.(map[string]any); ok && v.t.c.Identity != nil && len(v.t.c.Identity.Body) > 1 {
			delete(m, v.t.c.Identity.Body[1:])
		}
	}
	return differ(want, got, "", false)
}

// "A manual replay has a fresh time and a fresh signature by the current key": the rule of time.fresh between delivery and
// replay, and no key whose time was over.
func replayFresh(v *view) Verdict {
	t := &tally{v: v}
	if v.t.drifted != 0 {
		t.doubtClocks("signed times")
		return t.sum("", "")
	}
	v.replays(func(e *event, original, r *request) { v.freshReplay(t, e, original, r) })
	return t.sum("replays were signed anew (replays: %d)", noReplay)
}

func (v *view) freshReplay(t *tally, e *event, original, r *request) {
	switch {
	case r.expired() && v.cachesKey(r.a.Endpoint) && v.t.applies("secret.rotation"):
		t.doubt([]int{r.a.N}, "%s is signed with a key whose time was over, as other attempts are; secret.rotation judges that", which(r))
		return
	case r.expired(): // one that noise kept may be an attempt of the schedule that was sent before the replay
		t.fail(span{e.replays[r.round-1].Called, r.a.FirstByte}, []int{r.a.N}, "%s is signed with a key whose time was over%s", which(r), v.asRecorded(r))
		return
	case r.sig.SignedAt.IsZero() || !r.valid:
		t.doubt([]int{r.a.N}, "%s has no signature that verifies; sig.verifies judges that", which(r))
		return
	}
	if why := v.stale(r); why != "" {
		t.fail(span{r.a.FirstByte - time.Second, r.a.FirstByte}, []int{r.a.N}, "%s: %s", which(r), why)
		return
	}
	best := original
	for _, o := range e.tries {
		if !o.sig.SignedAt.IsZero() && (best.sig.SignedAt.IsZero() || v.age(o) < v.age(best)) {
			best = o
		}
	}
	if best == nil || best.sig.SignedAt.IsZero() {
		t.skip([]int{r.a.N}, "there is no signed original to compare %s with", which(r))
		return
	}
	if !v.signedAnew(t, best, r) {
		t.skip([]int{best.a.N, r.a.N}, "%s came only %s after the original", which(r), dur(r.a.FirstByte-best.a.FirstByte))
	}
}
