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

// verify fills in what the signature of a request says. Keys count as valid a little longer than declared, since a change
// may take that long to show (rules of judging, section 8).
func (v *view) verify(r *request, secrets []evidence.Secret) {
	if v.t.scheme == nil {
		return
	}
	var valid, all []string
	slack := v.t.allowance + v.t.c.TakesEffectWithin
	for _, s := range secrets {
		all = append(all, s.Value)
		if s.From-slack <= r.a.FirstByte && (s.Until == 0 || min(r.start(), r.a.FirstByte)-slack <= s.Until) {
			valid = append(valid, s.Value)
		}
	}
	r.sig = v.t.scheme.Verify(r.header, r.a.Body, valid...)
	if len(r.sig.Keys) == 0 && len(all) > len(valid) {
		r.other = len(v.t.scheme.Verify(r.header, r.a.Body, all...).Keys) > 0
	}
}

// "Every attempt, retry and replay carries a signature by a key that is valid at that time": HMAC over the raw bytes.
func sigVerifies(v *view) Verdict {
	t := &tally{v: v}
	for _, r := range v.requests {
		if r.class == classCopy || r.a.Origin == evidence.OriginHarness || r.ev == nil && !slices.Contains(v.stray, r) {
			continue
		}
		switch owner := v.sigOwner(r); {
		case len(r.sig.Keys) > 0:
			t.hold(r.a.N)
		case !r.whole():
			t.skip(r.records(), "the body of %s was not received whole", which(r))
		case owner != "":
			t.doubt([]int{r.a.N}, "the signature of %s does not verify, but %s judges why: %s", which(r), owner, r.sig.Detail)
		default:
			t.breaks([]int{r.a.N}, "the signature of %s does not verify: %s (%s)",
				which(r), r.sig.Detail, r.sig.Reason)
		}
	}
	return t.sum("all signatures verify with a key that was valid at the time (requests: %d)", "no request arrived")
}

// sigOwner names the check that owns a failed verification, so that one defect fails one check.
func (v *view) sigOwner(r *request) string {
	switch {
	case r.other && r.round > 0:
		return "replay.fresh"
	case r.other:
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
	default:
	}
	return ""
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

// "Every attempt is signed anew with its own time, within the tolerance": rules of judging, section 2, (a) to (c).
func timeFresh(v *view) Verdict {
	t := &tally{v: v}
	if v.t.drifted != 0 {
		t.doubt([]int{v.t.drifted}, "wall clock and monotonic clock drifted by more than %s, so signed times cannot be compared", dur(mostDrift))
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
			behind, room := v.behind(newest, r)
			apart := r.a.FirstByte - newest.a.FirstByte
			switch {
			case behind > room:
				t.fail(span{newest.a.FirstByte, r.a.FirstByte}, []int{newest.a.N, r.a.N},
					"%s arrived %s after attempt %d, but its signed time advanced only by %s; unit %s, allowance %s",
					which(r), dur(apart), newest.number, dur(apart-behind), dur(timeUnit), dur(v.t.allowance))
			case apart > room:
				t.hold(newest.a.N, r.a.N)
			}
		}
		if newest == nil || v.age(r) < v.age(newest) {
			newest = r
		}
	}
}

// signing is the time in which a request was made: the noise of it may have made a fresh signature look old.
func (v *view) signing(before, r *request) span {
	if before == nil {
		return span{max(r.a.FirstByte-time.Second, 0), r.a.FirstByte}
	}
	return span{before.a.FirstByte, r.a.FirstByte}
}
