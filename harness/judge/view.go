package judge

import (
	"cmp"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// view is one scenario: its events with their requests, and what happened around them.
type view struct {
	t         *trial
	sc        *evidence.Scenario
	endpoints []*evidence.Endpoint
	acts      []*evidence.Act
	replayed  []*evidence.Act // replays that the sender accepted
	requests  []*request      // by first byte
	effects   []*evidence.Effect
	logs      []*evidence.LogEntry
	dead      []*evidence.DeadLetter

	effectOf map[int64]*evidence.Effect // by the request's number
	events   []*event                   // in order of their emits
	stray    []*request                 // cannot be told to belong to an event
	pauses   map[string][]pause         // by endpoint
}

// event is one event at one endpoint: a delivery that the sender owes.
type event struct {
	v        *view
	emit     *evidence.Act
	marker   string
	endpoint string
	maybe    bool     // it is not known whether the sender owes it
	known    []string // ids returned by the emit, or seen in requests that hold the marker

	requests []*request   // all of them, by first byte
	tries    []*request   // attempts of the schedule
	again    [][]*request // attempts of each replay
	unsure   []*request   // attempts whose place is not certain, see unsureOf; nothing is counted or timed by them
	hidden   []int        // how many attempts may have come and gone unseen before each attempt, found when it is asked for
	replays  []*evidence.Act
	logs     []*evidence.LogEntry   // by time of reading
	dead     []*evidence.DeadLetter // by time of reading
}

// name is what verdicts call the event.
func (e *event) name() string { return "event " + e.id() }

// watched is the offset up to which the scenario was watched.
func (v *view) watched() time.Duration { return min(v.sc.WatchUntil, v.t.ended) }

func (v *view) attributeAll() {
	slices.SortStableFunc(v.requests, func(a, b *request) int {
		return cmp.Or(cmp.Compare(a.a.FirstByte, b.a.FirstByte), cmp.Compare(a.a.Seq, b.a.Seq))
	})
	for _, a := range v.acts {
		switch {
		case a.Act == evidence.ActEmit:
			v.addEvents(a)
		case (a.Act == evidence.ActReplay || a.Act == evidence.ActReplayRange) && a.OK():
			v.replayed = append(v.replayed, a)
		}
	}
	if v.observed() {
		v.addObserved()
	} else {
		v.attribute()
	}
	for _, r := range v.requests {
		if r.ev != nil {
			r.ev.requests = append(r.ev.requests, r)
		}
	}
	for _, e := range v.events {
		e.classify()
	}
	v.pauses = make(map[string][]pause, len(v.endpoints))
	for _, ep := range v.endpoints {
		v.pauses[ep.Name] = v.findPauses(ep.Name)
	}
	v.attachRecords()
	for _, ep := range v.endpoints {
		v.pauses[ep.Name] = append(v.pauses[ep.Name], v.findAutoPauses(ep.Name)...)
	}
	v.effectOf = make(map[int64]*evidence.Effect, len(v.effects))
	for _, f := range v.effects {
		v.effectOf[f.Of] = f
	}
}

// addEvents adds the deliveries that an emit calls for. An emit that names no endpoint is for all whose filter has the type.
func (v *view) addEvents(a *evidence.Act) {
	marker := a.Marker
	if marker == "" {
		marker = evidence.MarkerIn(a.Data)
	}
	add := func(endpoint string, maybe bool) {
		e := &event{v: v, emit: a, marker: marker, endpoint: endpoint, maybe: maybe}
		if a.Event != "" {
			e.known = append(e.known, a.Event)
		}
		v.events = append(v.events, e)
	}
	if a.Endpoint != "" {
		add(a.Endpoint, false)
		return
	}
	for _, ep := range v.endpoints {
		if in := v.t.scope(ep, a); in != outside && !v.registeredAfter(ep.Name, a.Called) {
			add(ep.Name, in == across)
		}
	}
}

// registeredAfter tells whether the endpoint's registration had not returned at t.
func (v *view) registeredAfter(endpoint string, t time.Duration) bool {
	return slices.ContainsFunc(v.acts, func(a *evidence.Act) bool {
		return a.Act == evidence.ActRegister && a.Endpoint == endpoint && a.Returned > t
	})
}

// attribute gives each request to its event: by marker, else by id, else because the endpoint has only one event.
func (v *view) attribute() {
	type place struct{ endpoint, key string }
	byMarker, byID := map[place]*event{}, map[place]*event{}
	only := map[string][]*event{}
	for _, e := range v.events {
		byMarker[place{e.endpoint, e.marker}] = e
		only[e.endpoint] = append(only[e.endpoint], e)
		for _, id := range e.known {
			byID[place{e.endpoint, id}] = e
		}
	}
	var unmarked []*request
	for _, r := range v.requests {
		m := evidence.MarkerIn(r.payload)
		e := byMarker[place{r.a.Endpoint, m}]
		switch {
		case m == "":
			unmarked = append(unmarked, r)
			continue
		case e == nil:
			// A marker of another endpoint's event is no doubt about this endpoint's.
			continue
		}
		r.ev = e
		for _, id := range []string{r.ids.header, r.ids.body} {
			if id != "" && byID[place{r.a.Endpoint, id}] == nil {
				byID[place{r.a.Endpoint, id}] = e
				e.known = append(e.known, id)
			}
		}
	}
	for _, r := range unmarked {
		byHeader, byBody := byID[place{r.a.Endpoint, r.ids.header}], byID[place{r.a.Endpoint, r.ids.body}]
		switch {
		case byHeader != nil:
			r.ev = byHeader
		case byBody != nil:
			r.ev = byBody
		case v.foreign(r, only[r.a.Endpoint]):
			// A greeting on registration, for one.
		case len(only[r.a.Endpoint]) == 1:
			r.ev = only[r.a.Endpoint][0]
		default:
			v.stray = append(v.stray, r)
		}
	}
}

// foreign tells whether a request without marker and known id cannot belong to any event of its endpoint: it came before
// the first emit, or its type is another one.
func (v *view) foreign(r *request, events []*event) bool {
	kind := ""
	if env := v.t.c.Envelope; env != nil && env.Type != "" {
		if doc, err := r.json(); err == nil {
			if t, ok := lookup(doc, env.Type); ok {
				kind = scalarText(t)
			}
		}
	}
	for _, e := range events {
		if r.a.FirstByte >= e.emit.Called && (kind == "" || e.emit.Type == "" || kind == e.emit.Type) {
			return false
		}
	}
	return true
}

// finder finds the event that a record of the sender's speaks of: by our marker, else by the event's id.
func (v *view) finder() func(endpoint, marker, id string) *event {
	type place struct{ endpoint, key string }
	index := map[place]*event{}
	add := func(p place, e *event) {
		if p.key != "" && index[p] == nil {
			index[p] = e
		}
	}
	for _, e := range v.events {
		for _, key := range append([]string{e.marker}, e.known...) {
			add(place{e.endpoint, key}, e)
			add(place{"", key}, e)
		}
	}
	return func(endpoint, marker, id string) *event {
		if e := index[place{endpoint, marker}]; marker != "" && e != nil {
			return e
		}
		if id == "" {
			return nil
		}
		return index[place{endpoint, id}]
	}
}

// attachRecords hands log entries and dead letters to their events.
func (v *view) attachRecords() {
	find := v.finder()
	for _, l := range v.logs {
		if e := find(l.Endpoint, l.Marker, l.Event); e != nil {
			e.logs = append(e.logs, l)
		}
	}
	for _, d := range v.dead {
		if e := find(d.Endpoint, d.Marker, d.Event); e != nil {
			e.dead = append(e.dead, d)
		}
	}
	for _, e := range v.events {
		slices.SortStableFunc(e.logs, func(a, b *evidence.LogEntry) int { return cmp.Compare(a.Read, b.Read) })
		slices.SortStableFunc(e.dead, func(a, b *evidence.DeadLetter) int { return cmp.Compare(a.Read, b.Read) })
	}
}

// strayAt returns a request at the endpoint that may be any event's, or nil. Where there is one, an absence proves nothing.
func (v *view) strayAt(endpoint string) *request {
	for _, r := range v.stray {
		if r.a.Endpoint == endpoint {
			return r
		}
	}
	return nil
}
