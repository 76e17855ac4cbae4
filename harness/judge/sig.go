package judge

import (
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

func (v *view) keysByEndpoint() map[string][]evidence.Secret {
	out := make(map[string][]evidence.Secret, len(v.endpoints))
	for _, e := range v.endpoints {
		out[e.Name] = e.Secrets
	}
	return out
}

// verify fills in what the signature of a request says. For keys that the sender issued that is what the receiver noted. Keys
// count as valid a little longer than declared, since a change may take that long to show.
func (v *view) verify(r *request, secrets []evidence.Secret) {
	if v.t.scheme == nil {
		return
	}
	var valid, values []string
	var at []int // the place of each value among the secrets
	for i, s := range secrets {
		if s.Value == "" {
			if s.Name != "" && slices.Contains(r.a.VerifiedBy, s.Name) {
				r.keys, r.stored = append(r.keys, i), true
			}
			continue
		}
		values, at = append(values, s.Value), append(at, i)
		if v.maySign(s, r) {
			valid = append(valid, s.Value)
		}
	}
	r.sig = v.t.scheme.VerifyRequest(v.signedRequest(r), valid...)
	verifying := r.sig.Keys
	if len(values) > len(valid) {
		verifying = v.t.scheme.Verifies(v.signedRequest(r), values...)
	}
	for _, k := range verifying {
		r.keys = append(r.keys, at[k])
	}
	slices.Sort(r.keys)
	r.valid = slices.ContainsFunc(r.keys, func(i int) bool { return v.maySign(secrets[i], r) })
}

// signedRequest is what a signature may cover of a request. Its URL is at the host that the sender was told.
func (v *view) signedRequest(r *request) signature.Request {
	req := signature.Request{Method: r.head.Method, Header: r.header, Body: r.a.Body}
	if ep := v.endpoint(r.a.Endpoint); ep != nil && v.t.scheme.Targeted() {
		req.URL = r.head.URL(ep.URL)
	}
	return req
}

// maySign tells whether a key can have been right for a request.
func (v *view) maySign(s evidence.Secret, r *request) bool {
	slack := v.slack()
	return s.From-slack <= r.a.FirstByte && (s.Until == 0 || min(r.start(), r.a.FirstByte)-slack <= s.Until)
}

// slack is how long a change of keys or endpoints may take to show.
func (v *view) slack() time.Duration { return v.t.allowance + v.t.c.TakesEffectWithin }

// expired tells whether a request verifies, but with no key that was valid at the time.
func (r *request) expired() bool { return len(r.keys) > 0 && !r.valid }

// asRecorded says that a verdict on r rests on what the receiver noted, and not on a key in the evidence.
func (v *view) asRecorded(r *request) string {
	if v.issuesKeys(r.a.Endpoint) {
		return ", as recorded"
	}
	return ""
}

// issuesKeys tells whether an endpoint has a key that the sender issued.
func (v *view) issuesKeys(endpoint string) bool {
	ep := v.endpoint(endpoint)
	return ep != nil && slices.ContainsFunc(ep.Secrets, func(s evidence.Secret) bool { return s.Value == "" && s.Name != "" })
}

// signed calls judge for each request that must carry a signature.
func (v *view) signed(judge func(r *request)) {
	for _, r := range v.requests {
		if r.class == classCopy || r.a.Origin == evidence.OriginHarness || r.ev == nil && !slices.Contains(v.stray, r) {
			continue
		}
		judge(r)
	}
}

// "Every attempt, retry and replay carries a signature by a key that is valid at that time": HMAC over the raw bytes.
func sigVerifies(v *view) Verdict {
	t := &tally{v: v}
	stored := 0
	v.signed(func(r *request) {
		owner := v.sigOwner(r)
		switch {
		case r.valid:
			t.hold(r.a.N)
			if r.stored {
				stored++
			}
		case !r.whole():
			t.skip(r.records(), "the body of %s was not received whole", which(r))
		case owner != "":
			t.doubt([]int{r.a.N}, "the signature of %s does not verify, but %s judges why: %s", which(r), owner, v.whyNot(r))
		default:
			t.breaks([]int{r.a.N}, "the signature of %s does not verify%s: %s (%s)", which(r), v.asRecorded(r), v.whyNot(r), r.sig.Reason)
		}
	})
	held := "all signatures verify with a key that was valid at the time (requests: %d)"
	if stored > 0 {
		held += ", " + num(stored) + " of them as recorded"
	}
	return t.sum(held, "no request arrived")
}

// whyNot says why no key that was valid verifies.
func (v *view) whyNot(r *request) string {
	switch {
	case r.expired():
		return "it verifies only with a key whose time was over, or had not come"
	case r.sig.Reason == signature.NoKey && v.issuesKeys(r.a.Endpoint):
		return "no key that the sender issued for the endpoint verifies"
	case r.sig.Detail == "":
		return "no key verifies"
	}
	return r.sig.Detail
}

// sigOwner names the check that owns a failed verification, so that one defect fails one check. A check of which the contract
// promises nothing owns nothing.
func (v *view) sigOwner(r *request) string {
	if r.valid {
		return ""
	}
	if id := v.mayOwn(r); id != "" && v.t.applies(id) {
		return id
	}
	return ""
}

func (v *view) mayOwn(r *request) string {
	switch {
	case r.expired() && r.round > 0 && !v.cachesKey(r.a.Endpoint):
		return "replay.fresh"
	case r.expired():
		return "secret.rotation"
	}
	switch r.sig.Reason {
	case signature.SignedBodyOnly, signature.SignedWithoutTime, signature.SignedWithoutID:
		return "sig.covers-metadata"
	case signature.SignedOtherTime:
		return "time.format"
	case signature.MissingHeader:
		id := v.t.c.Identity
		if id != nil && r.head.Get(id.Header) == "" && r.head.Get(v.t.scheme.Header()) != "" &&
			slices.ContainsFunc(v.t.scheme.Headers(), func(h string) bool { return strings.EqualFold(h, id.Header) }) {
			return "id.present"
		}
	case signature.Mismatch, signature.NoKey:
		// Where isolation is only advised, a signature that the endpoint's own key does not verify is still a broken MUST.
		advised := v.t.c.Advises("secret.isolation") && !v.t.c.Advises("sig.verifies")
		if !advised && len(v.foreignKeys(r)) > 0 {
			return "secret.isolation"
		}
	default:
	}
	return ""
}

// "The signed content is id, time and body as declared, and not less."
func sigCoversMetadata(v *view) Verdict {
	t := &tally{v: v}
	v.signed(func(r *request) {
		switch {
		case r.sig.Reason == signature.Undercovered:
			t.breaks([]int{r.a.N}, "%s: %s; promised %s", which(r), r.sig.Detail, strings.Join(v.t.scheme.Covers(), ", "))
		case len(r.keys) > 0:
			t.hold(r.a.N)
		case slices.Contains([]signature.Reason{signature.SignedBodyOnly, signature.SignedWithoutTime, signature.SignedWithoutID}, r.sig.Reason):
			t.breaks([]int{r.a.N}, "the signature of %s covers less than promised: %s; promised %s",
				which(r), r.sig.Detail, strings.Join(v.t.scheme.Covers(), ", "))
		default:
			t.skip(r.records(), "the signature of %s does not verify, so that it is not known what it covers", which(r))
		}
	})
	return t.sum("signatures cover all declared content (requests: %d)", "no request arrived")
}

// which names a request for people.
func which(r *request) string {
	switch r.class {
	case classAttempt:
		return "attempt " + num(r.number) + " of " + r.ev.name()
	case classReplay:
		return "replay " + num(r.round) + " of " + r.ev.name()
	case classTransport:
		return "a resend of " + r.ev.name()
	default:
		return "request " + num(int(r.a.Seq))
	}
}

// "Every attempt is signed anew with its own time, within the tolerance": see stale for one time, and signedAnew for two.
func timeFresh(v *view) Verdict {
	t := &tally{v: v}
	if v.t.drifted != 0 {
		t.doubtClocks("signed times")
		return t.sum("", "")
	}
	for _, e := range v.events {
		v.freshAttempts(t, e)
	}
	return t.sum("retries were signed anew, at their own time (pairs of attempts: %d)",
		"no two attempts of one event with a signed time lie further apart than its unit of "+dur(timeUnit)+" and the allowance of "+dur(v.t.allowance))
}

func (v *view) freshAttempts(t *tally, e *event) {
	var newest *request // the earlier attempt whose signed time was closest to its arrival
	for _, r := range e.tries {
		if r.sig.SignedAt.IsZero() {
			continue
		}
		if why := v.stale(r); why != "" {
			t.fail(v.signing(newest, r), []int{r.a.N}, "%s: %s", which(r), why)
			continue
		}
		if newest != nil {
			v.signedAnew(t, newest, r)
		}
		if newest == nil || v.age(r) < v.age(newest) {
			newest = r
		}
	}
}

// signedAnew judges the signed time of r by that of an earlier attempt. It returns false where the two came too close together to
// tell.
func (v *view) signedAnew(t *tally, earlier, r *request) bool {
	behind, room := v.behind(earlier, r)
	apart := r.a.FirstByte - earlier.a.FirstByte
	switch {
	case behind > room:
		t.fail(span{earlier.a.FirstByte, r.a.FirstByte}, []int{earlier.a.N, r.a.N},
			"%s arrived %s after attempt %d, but its signed time advanced only by %s; unit %s, allowance %s",
			which(r), dur(apart), earlier.number, dur(apart-behind), dur(timeUnit), dur(v.t.allowance))
	case apart > room:
		t.hold(earlier.a.N, r.a.N)
	default:
		return false
	}
	return true
}

// signing is the time in which a request was made: the noise of it may have made a fresh signature look old.
func (v *view) signing(before, r *request) span {
	if before == nil {
		return span{max(r.a.FirstByte-time.Second, 0), r.a.FirstByte}
	}
	return span{before.a.FirstByte, r.a.FirstByte}
}
