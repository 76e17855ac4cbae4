package judge

import (
	"strings"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// "Each request goes to the URL as it was registered, path and query byte for byte, by the declared method": on every request of
// an event, those that missed every endpoint included.
func wireTarget(v *view) Verdict {
	t := &tally{v: v}
	v.signed(func(r *request) {
		ep := v.endpoint(r.a.Endpoint)
		if ep == nil {
			t.skip([]int{r.a.N}, "the evidence does not say how the endpoint of %s was registered", which(r))
			return
		}
		if why := v.misses(ep, r.head); why != "" {
			t.breaks([]int{r.a.N}, "%s %s", which(r), why)
			return
		}
		t.hold(r.a.N)
	})
	v.astray(t)
	return t.sum("requests went to the URL as registered (requests: %d)", "no request arrived")
}

// misses says how a request differs from what its endpoint was registered with; "" if it does not.
func (v *view) misses(ep *evidence.Endpoint, h evidence.Head) string {
	promised := v.t.c.Request
	if promised.Method != "" && h.Method != promised.Method {
		return "is a " + clip(h.Method) + "; promised " + promised.Method
	}
	if promised.Target != contract.TargetExact {
		return ""
	}
	want, got := targetOf(ep.URL), h.Target
	if !strings.HasPrefix(got, "/") {
		got = targetOf(got) // a proxy is sent the whole URL (RFC 9112, 3.2.2)
	}
	// A proxy before the receiver may have taken a prefix of the path off.
	if !strings.HasSuffix(want, got) || !strings.HasPrefix(got, "/") {
		got, want = fromDifference(got, want)
		return "asks for " + clip(got) + "; registered was " + clip(want)
	}
	return ""
}

// fromDifference cuts off what two texts have in common at their beginnings, but for a little, so that the difference shows.
func fromDifference(a, b string) (string, string) {
	const kept = 20 // about a name and its value
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	if i <= kept {
		return a, b
	}
	cut := strings.ToValidUTF8 // where it falls into a letter
	return "…" + cut(a[i-kept:], ""), "…" + cut(b[i-kept:], "")
}

// targetOf is what a request for a URL asks for: path and query as written, without a fragment.
func targetOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	rest, _, _ = strings.Cut(rest, "#")
	i := strings.IndexAny(rest, "/?")
	switch {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	}
	return rest[i:]
}

// astray fails the requests that brought an event of the scenario to a place where no endpoint is.
func (v *view) astray(t *tally) {
	if v.t.c.Request.Target != contract.TargetExact {
		return
	}
	events := make(map[string]*event, len(v.events))
	for _, e := range v.events {
		events[e.marker] = e
	}
	for i := range v.t.run.Attempts {
		a := &v.t.run.Attempts[i]
		if a.Endpoint != "" || a.Origin == evidence.OriginHarness {
			continue
		}
		h, _ := evidence.ParseHead(a.Head)
		payload, _ := evidence.Payload(h, a.Body)
		e := events[evidence.MarkerIn(payload)]
		if e == nil || v.endpoint(e.endpoint) == nil {
			continue
		}
		got, want := fromDifference(h.Target, targetOf(v.endpoint(e.endpoint).URL))
		t.breaks([]int{a.N}, "a request with %s asks for %s, where no endpoint is; registered was %s", e.name(), clip(got), clip(want))
	}
}
