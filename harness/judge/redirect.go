package judge

import (
	"net/url"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// redirected is a request that was answered by a redirect to somewhere else.
type redirected struct {
	r        *request
	location string // as answered
	to       *url.URL
	from     *url.URL // the endpoint's
}

// redirects are the requests of the scenario's events that were sent elsewhere. A redirect to the endpoint itself is not among
// them: what follows it is one more attempt, and retry.permanent's.
func (v *view) redirects() []redirected {
	var out []redirected
	for _, r := range v.requests {
		ep, location := v.endpoint(r.a.Endpoint), r.location()
		if r.ev == nil || r.class == classCopy || ep == nil || location == "" {
			continue
		}
		from, err := url.Parse(ep.URL)
		if err != nil {
			continue
		}
		to, err := from.Parse(location)
		if err != nil || to.Host == from.Host && to.Path == from.Path {
			continue
		}
		out = append(out, redirected{r, location, to, from})
	}
	return out
}

// location is the place that the answer to a request leads to; empty if it is no redirect.
func (r *request) location() string {
	o := r.outcome()
	if o == nil || o.Status < 300 || o.Status > 399 {
		return ""
	}
	for _, h := range o.Header {
		if strings.EqualFold(h[0], "Location") {
			return h[1]
		}
	}
	return ""
}

// "Redirects are never followed": no request reaches the place that an answer leads to.
func secNoRedirect(v *view) Verdict {
	t := &tally{v: v}
	for _, d := range v.redirects() {
		if a := v.arrivedAt(d); a != nil {
			h, _ := evidence.ParseHead(a.Head)
			t.breaks(append(d.r.records(), a.N), "%s was answered by %s to %s, and a %s arrived there %s later; promised none",
				which(d.r), statusText(d.r.outcome().Status), clip(d.location), clip(h.Method), dur(a.FirstByte-d.r.outcome().ReplyStart))
			continue
		}
		v.followed(t, d)
	}
	return t.sum("no redirect was followed (redirects: %d)", "no attempt was answered by a redirect to somewhere else")
}

// arrivedAt returns a request that came to the place of a redirect after it was given, at an endpoint that nothing else leads to.
func (v *view) arrivedAt(d redirected) *evidence.Attempt {
	for i := range v.t.run.Attempts {
		a := &v.t.run.Attempts[i]
		if a.FirstByte < d.r.outcome().ReplyStart || a.Origin == evidence.OriginHarness || v.t.registered(a.Endpoint) {
			continue
		}
		h, _ := evidence.ParseHead(a.Head)
		if h.Target == d.to.RequestURI() && (d.to.Host == d.from.Host || d.to.Host == a.Conn.Local) {
			return a
		}
	}
	return nil
}

// registered tells whether the sender was told of an endpoint.
func (t *trial) registered(name string) bool {
	for i := range t.run.Endpoints {
		if t.run.Endpoints[i].Name == name {
			return true
		}
	}
	return false
}

// followed notes that nothing came after a redirect, if the watch was long enough: a redirect is followed within the request.
func (v *view) followed(t *tally, d redirected) {
	due := d.r.latestEnd() + v.t.allowance
	if s := v.t.c.Schedule; s != nil {
		due += s.Timeout
	}
	if due > v.watched() {
		t.doubt(d.r.records(), "nothing came after the redirect of %s until the watch ended at %s, but it could have come as late as %s",
			which(d.r), dur(v.watched()), dur(due))
		return
	}
	if o := v.listenerDown("", span{d.r.a.FirstByte, due}); o != nil {
		t.doubt(append(d.r.records(), o.n), "nothing came after the redirect of %s, but the listener was down when it could have come", which(d.r))
		return
	}
	t.hold(d.r.records()...)
}

// "No connection is made to an address that no endpoint was registered with": not even where an answer leads there.
func secNoInternal(v *view) Verdict {
	t := &tally{v: v}
	for _, d := range v.redirects() {
		if d.to.Host == d.from.Host {
			continue
		}
		if n, opened := v.connectedTo(d); n != 0 {
			t.breaks(append(d.r.records(), n), "%s was answered by %s to %s, and a connection was made there %s later; no endpoint was registered with that address",
				which(d.r), statusText(d.r.outcome().Status), clip(d.location), dur(opened-d.r.outcome().ReplyStart))
			continue
		}
		v.followed(t, d)
	}
	return t.sum("no redirect led to a connection elsewhere (redirects: %d)", "no attempt was answered by a redirect to another address")
}

// connectedTo returns the record of a connection to the address of a redirect, made after it was given; 0 if there is none.
func (v *view) connectedTo(d redirected) (record int, opened time.Duration) {
	since := d.r.outcome().ReplyStart
	for i := range v.t.run.Attempts {
		if a := &v.t.run.Attempts[i]; a.Conn.Local == d.to.Host && a.Conn.Opened >= since {
			return a.N, a.Conn.Opened
		}
	}
	for i := range v.t.run.Connections {
		if c := &v.t.run.Connections[i]; c.Local == d.to.Host && c.Opened >= since && c.ID != 0 {
			return c.N, c.Opened
		}
	}
	return 0, 0
}
