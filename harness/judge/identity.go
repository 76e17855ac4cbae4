package judge

import "github.com/hookassay/hookassay/harness/evidence"

// "The envelope names the event by an id, and a header repeats it": present, and equal where the contract says so.
func idPresent(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for _, r := range e.tries {
			v.idPlaces(t, e.tries[0], r)
		}
	}
	return t.sum("the declared id is there (attempts: %d)", "no attempt arrived")
}

// idPlaces judges one attempt. What a changed body or a changed id does to the places of the id is owned by body.stable and
// id.stable.
func (v *view) idPlaces(t *tally, first, r *request) {
	id := v.t.c.Identity
	if id.Header != "" && r.ids.header == "" {
		t.breaks([]int{r.a.N}, "%s has no header %s", which(r), id.Header)
		return
	}
	if id.Body == "" {
		t.hold(r.a.N)
		return
	}
	if !r.ids.bodyRead || r != first && !r.sameBytes(first) && r.ids.body == "" {
		t.skip([]int{r.a.N}, "the body of %s cannot be read for its id", which(r))
		return
	}
	switch {
	case id.Header != "" && v.imposed(r, id.Header):
		t.skip([]int{r.a.N}, "the id in the header of %s is what its endpoint was configured with; wire.headers judges that", which(r))
	case r.ids.body == "":
		t.breaks([]int{r.a.N}, "%s has no id at %s of its body", which(r), id.Body)
	case id.Equal && id.Header != "" && r.ids.header != r.ids.body && (r == first || r.ids == first.ids):
		t.breaks([]int{r.a.N}, "%s has id %s in header %s and %s at %s of its body; promised equal",
			which(r), clip(r.ids.header), id.Header, clip(r.ids.body), id.Body)
	default:
		t.hold(r.a.N)
	}
}

// "The event's id is frozen at creation": one id over all attempts of one event at one endpoint.
func idStable(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		v.oneID(t, e)
	}
	return t.sum("retries carry the id of the first attempt (retries: %d)", "no event had a second attempt with an id")
}

func (v *view) oneID(t *tally, e *event) {
	var header, body *request // the first attempts that carry an id there
	for _, r := range e.tries {
		var same bool
		if header, same = sameID(header, r, r.ids.header, func(o *request) string { return o.ids.header }); !same {
			t.breaks([]int{header.a.N, r.a.N}, "%s has id %s, attempt %d had %s",
				which(r), clip(r.ids.header), header.number, clip(header.ids.header))
			continue
		}
		compared := header != nil && header != r && r.ids.header != ""
		if body, same = sameID(body, r, r.ids.body, func(o *request) string { return o.ids.body }); !same {
			t.breaks([]int{body.a.N, r.a.N}, "%s has id %s in its body, attempt %d had %s",
				which(r), clip(r.ids.body), body.number, clip(body.ids.body))
			continue
		}
		if compared || body != nil && body != r && r.ids.body != "" {
			t.hold(e.tries[0].a.N, r.a.N)
		}
	}
}

// sameID compares the id of r with the first one seen in the same place, and returns the request that showed it first. An
// absent id is id.present's.
func sameID(first, r *request, id string, of func(*request) string) (*request, bool) {
	switch {
	case id == "":
		return first, true
	case first == nil:
		return r, true
	default:
		return first, of(first) == id
	}
}

// changedID returns two of the sender's requests for the event that carry different ids, or nil.
func (e *event) changedID() (a, b *request) {
	for _, r := range e.requests {
		if r.class == classCopy || r.ids.first() == "" {
			continue
		}
		if a == nil {
			a = r
			continue
		}
		if r.ids.header != a.ids.header && r.ids.header != "" && a.ids.header != "" ||
			r.ids.body != a.ids.body && r.ids.body != "" && a.ids.body != "" {
			return a, r
		}
	}
	return nil, nil
}

// idPlace is an event id where it must be unique: within one tenant of one sender.
type idPlace struct{ instance, tenant, id string }

// eventsByID lists the events that were seen under each id on their first attempts: what later ones change is id.stable's.
func (t *trial) eventsByID() map[idPlace][]*event {
	out := map[idPlace][]*event{}
	for _, v := range t.views {
		for _, e := range v.events {
			if p := e.idPlace(); p.id != "" {
				out[p] = append(out[p], e)
			}
		}
	}
	return out
}

// idPlace is the place of the id of the event's first attempt; without an id if it has none.
func (e *event) idPlace() idPlace {
	p := idPlace{instance: e.v.sc.Instance, tenant: e.tenant()}
	if len(e.tries) > 0 {
		p.id = e.tries[0].ids.first()
	}
	return p
}

func (e *event) tenant() string {
	if ep := e.v.endpoint(e.endpoint); ep != nil && ep.Tenant != "" {
		return ep.Tenant
	}
	return e.emit.Tenant
}

// namesake returns another event under the same id, or nil. The deliveries of one emit to several endpoints are one event.
func (e *event) namesake() *event {
	for _, o := range e.v.t.sameID[e.idPlace()] {
		if o.emit != e.emit {
			return o
		}
	}
	return nil
}

// "Different events have different ids": within one tenant, over all events that were seen in the run.
func idUnique(v *view) Verdict {
	t := &tally{v: v}
	seen := map[idPlace]map[*evidence.Act]bool{} // how many events there are to be told apart
	for p, es := range v.t.sameID {
		tenant := idPlace{instance: p.instance, tenant: p.tenant}
		if seen[tenant] == nil {
			seen[tenant] = map[*evidence.Act]bool{}
		}
		for _, e := range es {
			seen[tenant][e.emit] = true
		}
	}
	for _, e := range v.events {
		p := e.idPlace()
		if p.id == "" {
			continue
		}
		first := e.tries[0]
		if o := e.namesake(); o != nil {
			t.breaks([]int{first.a.N, o.tries[0].a.N}, "%s and the event with marker %s have one id, %s", which(first), o.marker, clip(p.id))
			continue
		}
		if len(seen[idPlace{instance: p.instance, tenant: p.tenant}]) < 2 {
			t.skip([]int{first.a.N}, "no other event of the tenant was seen with an id")
			continue
		}
		t.hold(first.a.N)
	}
	return t.sum("no other event has the id of one of these (events: %d)", "no event was seen with an id")
}
