package judge

import (
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// scope says whether an event that names no endpoint is for this one: its tenant's and environment's, and its type passes the
// filter. Where the endpoint has an environment and the emit names none, that is not known.
func (t *trial) scope(ep *evidence.Endpoint, emit *evidence.Act) fit {
	switch {
	case ep.Tenant != t.tenantOf(emit), len(ep.Types) > 0 && !slices.Contains(ep.Types, emit.Type):
		return outside
	case ep.Environment == emit.Environment:
		return inside
	case emit.Environment == "" || ep.Environment == "":
		return across
	}
	return outside
}

// tenantOf is whose event an emit is: that of the endpoint that it names, if it names no tenant.
func (t *trial) tenantOf(emit *evidence.Act) string {
	if emit.Tenant != "" || emit.Endpoint == "" {
		return emit.Tenant
	}
	for _, v := range t.views {
		if ep := v.endpoint(emit.Endpoint); ep != nil {
			return ep.Tenant
		}
	}
	return ""
}

// "An event goes to all endpoints of its tenant whose filter lets it pass, and to no others." An event that arrived at none is
// durable.no-loss's.
func scopeMatch(v *view) Verdict {
	t := &tally{v: v}
	v.misdelivered(t)
	for _, a := range v.acts {
		if a.Act == evidence.ActEmit && a.Endpoint == "" && a.OK() {
			v.reachesAll(t, a)
		}
	}
	return t.sum("events reached the endpoints that they match, and no others (events: %d)",
		"no event that names no endpoint arrived while there was an endpoint that it does not match")
}

// misdelivered fails each request that brought an event to an endpoint of another tenant or with a filter against it.
func (v *view) misdelivered(t *tally) {
	emits := map[string]*evidence.Act{}
	for _, o := range v.t.views {
		for _, e := range o.events {
			emits[e.marker] = e.emit
		}
		for _, a := range o.acts {
			if a.Act == evidence.ActEmit && a.Marker != "" {
				emits[a.Marker] = a
			}
		}
	}
	for _, r := range v.requests {
		ep := v.endpoint(r.a.Endpoint)
		a := emits[evidence.MarkerIn(r.payload)]
		if a == nil || ep == nil || r.a.Origin == evidence.OriginHarness || v.t.scope(ep, a) != outside || a.Endpoint == ep.Name {
			continue
		}
		t.breaks([]int{a.N, r.a.N}, "an event of type %s of tenant %q arrived at endpoint %s, which is tenant %q's and gets %s",
			clip(a.Type), clip(a.Tenant), ep.Name, clip(ep.Tenant), filterText(ep))
	}
}

func filterText(ep *evidence.Endpoint) string {
	if len(ep.Types) == 0 {
		return "all types"
	}
	return clip(strings.Join(ep.Types, ", "))
}

func (v *view) endpoint(name string) *evidence.Endpoint {
	for _, ep := range v.endpoints {
		if ep.Name == name {
			return ep
		}
	}
	return nil
}

// reachesAll judges one event that names no endpoint.
func (v *view) reachesAll(t *tally, a *evidence.Act) {
	var of, arrived []*event
	for _, e := range v.events {
		if e.emit == a {
			of = append(of, e)
			if len(e.requests) > 0 {
				arrived = append(arrived, e)
			}
		}
	}
	due := a.Returned
	if s := v.t.c.Schedule; s != nil {
		due += s.Wait(1).Max
	}
	// Elsewhere an absence shows something where it would have been seen.
	others := len(of) < len(v.endpoints) && v.listenerDown("", span{a.Called, due + v.t.allowance}) == nil
	switch {
	case len(of) > 0 && len(arrived) == 0:
		t.skip([]int{a.N}, "the event with marker %s arrived nowhere; durable.no-loss judges that", a.Marker)
		return
	case len(of) == 0 && v.watched() < due+v.t.allowance:
		t.doubt([]int{a.N}, "the watch ended at %s, before the event with marker %s could have come anywhere", dur(v.watched()), a.Marker)
		return
	}
	records := []int{a.N}
	for _, e := range of {
		if len(e.requests) > 0 {
			records = append(records, e.requests[0].a.N)
			continue
		}
		if why := v.neednt(e, due); why != "" {
			t.skip([]int{a.N}, "%s did not arrive at endpoint %s: %s", e.name(), e.endpoint, why)
			continue
		}
		t.failUnsent(e, due, []int{a.N, arrived[0].requests[0].a.N},
			"%s arrived at endpoint %s and until %s not at endpoint %s, which it matches as well", e.name(), arrived[0].endpoint, dur(v.watched()), e.endpoint)
	}
	if others && (len(arrived) > 0 || v.alive()) && v.watched() >= due+v.t.allowance {
		t.hold(records...)
	}
}

// neednt says why an event need not have reached an endpoint that it matches; "" if it must.
func (v *view) neednt(e *event, due time.Duration) string {
	switch {
	case v.interrupted(e.endpoint, span{e.emit.Called, due + v.t.allowance}) != nil:
		return "sender or listener was down"
	case e.mayBeHeld(due):
		return "the endpoint was to get nothing for a time, or for good"
	case e.maybe:
		return "the endpoint has an environment, and the emit names none"
	case e.terminal() != 0 || e.lastRead() != nil:
		return "the sender has a record of its delivery there; durable.no-loss judges that"
	}
	return ""
}

// leftOut tells whether scope.match owns that the event did not arrive.
func (v *view) leftOut(e *event) bool {
	if e.emit.Endpoint != "" || len(e.requests) > 0 || !v.lists("scope.match") || !v.t.applies("scope.match") || v.neednt(e, e.emit.Returned) != "" {
		return false
	}
	return slices.ContainsFunc(v.events, func(o *event) bool { return o.emit == e.emit && len(o.requests) > 0 })
}
