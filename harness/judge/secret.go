package judge

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// cachesKey tells whether an attempt of a schedule at the endpoint shows that the sender goes on with an old key: it is signed
// only with keys that were not valid at the time, or lacks one that had to sign.
func (v *view) cachesKey(endpoint string) bool {
	ep := v.endpoint(endpoint)
	if ep == nil {
		return false
	}
	times := v.keyTimes(ep)
	return slices.ContainsFunc(v.events, func(e *event) bool {
		return e.endpoint == endpoint && slices.ContainsFunc(e.tries, func(r *request) bool {
			return r.expired() || len(r.keys) > 0 && r.judgeKeys(times, v.slack()).missing > 0
		})
	})
}

// keyTimes says when a key must sign, and when it may, with the slack for changes taken off or added.
type keyTimes struct{ must, may span }

// changes lists the accepted rotations and revocations of an endpoint's keys.
func (v *view) changes(endpoint string) []*evidence.Act {
	var out []*evidence.Act
	for _, a := range v.acts {
		if (a.Act == evidence.ActRotate || a.Act == evidence.ActRevoke) && a.OK() && (a.Endpoint == "" || a.Endpoint == endpoint) {
			out = append(out, a)
		}
	}
	return out
}

// times bounds the times of a key. The sender makes a change between call and return, so that the time of a key may begin, and
// end, earlier by as much as the call took.
func (v *view) times(s evidence.Secret, changes []*evidence.Act) keyTimes {
	slack := v.slack()
	out := keyTimes{must: span{s.From, never}, may: span{s.From - slack, never}}
	var took time.Duration
	for _, a := range changes {
		// A key's time is noted just before its call.
		if a.Called-v.t.allowance <= s.From && s.From <= a.Returned && out.must.from == s.From {
			out.must.from = max(s.From, a.Returned)
		}
		if s.Until > 0 && a.Returned <= s.Until {
			took = max(took, a.Returned-a.Called)
		}
	}
	if s.From > 0 {
		out.must.from += slack
	}
	if s.Until > 0 {
		out.must.to, out.may.to = s.Until-took-slack, s.Until+slack
	}
	return out
}

func (v *view) keyTimes(ep *evidence.Endpoint) []keyTimes {
	changes := v.changes(ep.Name)
	out := make([]keyTimes, len(ep.Secrets))
	for i, s := range ep.Secrets {
		out[i] = v.times(s, changes)
	}
	return out
}

// "After a rotation both keys sign for the declared overlap, then the new one alone; a revoked key signs no more at once, pending
// retries included." Which keys signed is compared with those whose time it was.
func secretRotation(v *view) Verdict {
	t := &tally{v: v}
	for _, ep := range v.endpoints {
		changes := v.changes(ep.Name)
		if len(changes) == 0 || len(ep.Secrets) < 2 {
			continue
		}
		times := v.keyTimes(ep)
		v.signed(func(r *request) {
			if r.a.Endpoint == ep.Name && r.a.FirstByte > changes[0].Called {
				v.rightKeys(t, r, times)
			}
		})
	}
	return t.sum("requests are signed with the keys whose time it was (requests after a change of keys: %d)", "no request followed a change of keys")
}

// signers counts the keys of an endpoint at the time of a request: those that had to sign, those of them that did not, those
// that signed though their time was over or had not come, and those of which either can be said. since is the latest change of keys
// before which what is wrong was right, long ago if there is none.
type signers struct {
	must, missing, over, decided int
	since                        time.Duration
}

func (r *request) judgeKeys(times []keyTimes, slack time.Duration) signers {
	at, start := r.a.FirstByte, min(r.start(), r.a.FirstByte)
	n := signers{since: -never / 2} // half, so that no difference overflows
	for i, k := range times {
		signs := slices.Contains(r.keys, i)
		due := start >= k.must.from && at <= k.must.to
		gone := at < k.may.from || at > k.may.to && start > k.may.to-slack
		if due {
			n.must++
		}
		if due && !signs {
			n.missing++
			n.since = max(n.since, k.must.from)
		}
		if gone && signs {
			n.over++
			n.since = max(n.since, k.may.to)
		}
		if due || gone {
			n.decided++
		}
	}
	return n
}

func (v *view) rightKeys(t *tally, r *request, times []keyTimes) {
	n, at := r.judgeKeys(times, v.slack()), r.a.FirstByte
	switch {
	case len(r.keys) == 0:
		t.skip(r.records(), "%s verifies with no key of its endpoint; sig.verifies judges that", which(r))
	case v.copies(r) != nil:
		t.skip([]int{v.copies(r).a.N, r.a.N}, "%s carries the signature of %s once more; time.fresh and replay.fresh judge that", which(r), which(v.copies(r)))
	case n.over > 0 && r.expired() && r.round > 0 && !v.cachesKey(r.a.Endpoint) && v.lists("replay.fresh") && v.t.applies("replay.fresh"):
		t.doubt([]int{r.a.N}, "%s is signed with an old key; replay.fresh judges that", which(r))
	case n.over > 0:
		t.failBy(span{n.since, at}, at-n.since-v.t.allowance, []int{r.a.N}, "%s, at %s, is signed with a key whose time was over%s; allowed is %s after the change", which(r), dur(at), v.asRecorded(r), dur(v.slack()))
	case n.missing > 0:
		t.failBy(span{n.since, at}, at-n.since-v.t.allowance, []int{r.a.N}, "%s, at %s, is signed with %d of the %d keys that had to sign then%s", which(r), dur(at), n.must-n.missing, n.must, v.asRecorded(r))
	case n.decided == len(times) && n.must > 0:
		t.hold(r.a.N)
	default:
		t.skip(r.records(), "%s came so near to a change of keys that either is right", which(r))
	}
}

// copies returns the earlier request of the event whose signature r carries once more though it must have one of its own: so much
// later that the signed time alone must differ.
func (v *view) copies(r *request) *request {
	if r.ev == nil || v.t.scheme == nil || v.t.c.Signature.Resign != contract.ResignEach || !v.t.scheme.Timed() {
		return nil
	}
	header := v.t.scheme.Header()
	if header == "" { // in the body, of which other checks speak
		return nil
	}
	for _, o := range r.ev.requests {
		if o.class != classCopy && r.a.FirstByte-o.a.FirstByte > 2*timeUnit && o.head.Get(header) == r.head.Get(header) {
			return o
		}
	}
	return nil
}

// Scopes of a key, for contract.Keys.PerScope.
const (
	scopeCustomer    = "customer"
	scopeEnvironment = "environment"
	scopeEndpoint    = "endpoint"
)

// apart tells whether two endpoints must have different keys.
func (t *trial) apart(a, b *evidence.Endpoint) bool {
	per := t.c.Keys.PerScope
	return slices.Contains(per, scopeEndpoint) || slices.Contains(per, scopeCustomer) && a.Tenant != b.Tenant ||
		slices.Contains(per, scopeEnvironment) && a.Environment != b.Environment
}

// hasApart tells whether the run has an endpoint whose keys must differ from those of own.
func (t *trial) hasApart(own *evidence.Endpoint) bool {
	return slices.ContainsFunc(t.views, func(v *view) bool {
		return slices.ContainsFunc(v.endpoints, func(ep *evidence.Endpoint) bool {
			return ep.Name != own.Name && t.apart(own, ep) && len(ep.Secrets) > 0
		})
	})
}

// twins tells whether two endpoints are one tenant's in two environments, whose issued keys secret.environments compares.
func (t *trial) twins(a, b *evidence.Endpoint) bool {
	return a.Tenant == b.Tenant && a.Environment != "" && b.Environment != "" && a.Environment != b.Environment
}

// "One key per customer, environment and endpoint: a key that leaks opens one of them only." No request verifies with a key of
// another one.
func secretIsolation(v *view) Verdict {
	t := &tally{v: v}
	v.signed(func(r *request) {
		own := v.endpoint(r.a.Endpoint)
		if own == nil {
			return
		}
		for _, k := range v.foreignKeys(r) {
			if !v.t.apart(own, k.ep) || v.t.twins(own, k.ep) && k.key.Value == "" && v.t.applies("secret.environments") {
				continue
			}
			t.breaks([]int{r.a.N, own.N, k.ep.N}, "%s verifies with a key of endpoint %s%s; it came to endpoint %s", which(r), k.ep.Name, v.asRecorded(r), own.Name)
			return
		}
		switch {
		case !v.t.hasApart(own):
			t.void([]int{own.N}, "the run has no other endpoint whose key must differ")
		case r.valid:
			t.hold(r.a.N)
		default:
			t.skip(r.records(), "%s does not verify", which(r))
		}
	})
	return t.sum("no request verifies with another endpoint's key (requests: %d)", "no request arrived")
}

// "Test and live have keys of their own": where the sender issues keys, none signs for both environments of a tenant. The keys
// themselves are not in the evidence, so that this rests on what the receiver noted.
func secretEnvironments(v *view) Verdict {
	t := &tally{v: v}
	for i, a := range v.endpoints {
		for _, b := range v.endpoints[i+1:] {
			if v.t.twins(a, b) && v.issuesKeys(a.Name) && v.issuesKeys(b.Name) {
				v.differentKeys(t, a, b)
			}
		}
	}
	return t.sum("endpoints in test and live have different keys, as recorded (pairs: %d)", "no tenant has endpoints in two environments with keys that the sender issued")
}

func (v *view) differentKeys(t *tally, a, b *evidence.Endpoint) {
	var ofA, ofB *request
	for _, r := range v.requests {
		crossed := r.a.Endpoint == a.Name && hasIssued(r, b) || r.a.Endpoint == b.Name && hasIssued(r, a)
		switch {
		case crossed:
			t.breaks([]int{r.a.N, a.N, b.N}, "a request to endpoint %s verifies, as recorded, with a key issued for %s: %s and %s share a key",
				r.a.Endpoint, a.Name+" and "+b.Name, a.Environment, b.Environment)
			return
		case r.valid && r.a.Endpoint == a.Name:
			ofA = r
		case r.valid && r.a.Endpoint == b.Name:
			ofB = r
		}
	}
	if ofA == nil || ofB == nil {
		t.skip([]int{a.N, b.N}, "not both of %s and %s got a request with a signature that verifies", a.Name, b.Name)
		return
	}
	t.hold(ofA.a.N, ofB.a.N)
}

// hasIssued tells whether a request verifies by a key that the sender issued for ep.
func hasIssued(r *request, ep *evidence.Endpoint) bool {
	return slices.ContainsFunc(ep.Secrets, func(s evidence.Secret) bool { return s.Name != "" && slices.Contains(r.a.VerifiedBy, s.Name) })
}
