package signature

import (
	"crypto/hmac"
	"slices"
	"strings"
	"time"
)

// Bounds of one diagnosis. All mistakes, one by one and in pairs, are some 700 signatures by one key; the bytes are some 150 ms of
// hashing, and only large bodies come near them.
const (
	maxDiagnosed      = 1024     // signatures that are recomputed
	maxDiagnosedBytes = 64 << 20 // that are hashed for it
	// maxDiagnosedBody is the largest body that is serialised anew: larger ones come only from tests of size.
	maxDiagnosedBody = 1 << 20
)

// Hints are what whoever asks for a diagnosis knows beside the request. All of it may be left out.
type Hints struct {
	Old      []string   // keys that the endpoint had once
	Foreign  []NamedKey // keys of other endpoints
	Received time.Time  // when the request came; zero: nothing is stale
	// Tolerance is how far the signed time may be from Received, both ways.
	Tolerance time.Duration
}

// NamedKey is a key of an endpoint that a diagnosis may name.
type NamedKey struct {
	Name   string // shown
	Secret string // never shown
}

// Diagnose verifies as VerifyRequest does, and looks for the cause among what the hints name as well: a key of old, the key of
// another endpoint, a signature that verifies and is stale. It recomputes 1024 signatures at most, single mistakes before pairs of
// them. What a finding names was proven by an exact match; Finding.Causes is empty where no known mistake explains the signature.
func (s *Scheme) Diagnose(req Request, hints Hints, keys ...string) Finding {
	f := s.verify(req, hints, keys)
	if f.OK() && !hints.Received.IsZero() && !f.Fresh(hints.Received, hints.Tolerance) {
		name := staleCause(&f, hints)
		f.Causes, f.Detail = []string{name.cause}, name.detail
	}
	return f
}

// mistake is a cause with what is to be told of this request.
type mistake struct {
	cause  string
	detail string
}

// guess is one way in which the content may have been made.
type guess struct {
	mistake

	parts    []part
	material material
}

// diagnosis is the search for the cause of one mismatch.
type diagnosis struct {
	s       *Scheme
	w       *work
	r       *reading
	claim   *claim
	secrets []string
	usable  []usableKey
	hints   Hints
	tried   int
	hashed  int
	over    bool // a bound was reached
}

// explain looks for the cause of a mismatch by recomputing what common mistakes would have signed, single ones first.
func (d *diagnosis) explain() (all []mistake) {
	if d.s.rec.Algorithm == algorithmToken || len(d.r.body) > maxDiagnosedBody {
		return nil
	}
	declared, altered := d.values()
	if len(declared.sums) > 0 {
		if all = d.single(declared); all != nil {
			return all
		}
		for _, v := range altered {
			if d.provesAny(v, d.s.parts, &d.r.material) {
				return v.mistakes
			}
		}
		if all = d.contentAndKey(declared); all != nil {
			return all
		}
	}
	return d.singles(altered)
}

// single tries each mistake of the content, and each of the key, with that form of the value.
func (d *diagnosis) single(v value) []mistake {
	if d.s.rec.hmac() && d.proves(v, &usableKey{}, d.s.parts, &d.r.material) {
		return []mistake{{causeKeyEmpty, "the signature was made with an empty key"}}
	}
	if all := d.noHMAC(v); all != nil {
		return all
	}
	for g := range d.guesses() {
		if d.provesAny(v, g.parts, &g.material) {
			return []mistake{g.mistake}
		}
		if d.over {
			return nil // to serialise the body anew would be of no use
		}
	}
	for _, k := range d.otherKeys() {
		if d.proves(v, &k.usableKey, d.s.parts, &d.r.material) {
			return []mistake{k.mistake}
		}
	}
	return nil
}

// contentAndKey tries the pairs that occur together: only the body is signed, or another serialisation of it, with a key of another
// form; and another serialisation where only the body is signed.
func (d *diagnosis) contentAndKey(v value) []mistake {
	alone := []part{{word: partBody}}
	for g := range d.bodies() {
		if len(d.s.parts) > 1 && d.provesAny(v, alone, &g.material) {
			return []mistake{{causeBodyOnly, saysBodyOnly}, g.mistake}
		}
		if d.over {
			return nil
		}
		for _, k := range d.otherKeys() {
			if d.proves(v, &k.usableKey, g.parts, &g.material) {
				return []mistake{g.mistake, k.mistake}
			}
		}
	}
	for _, k := range d.otherKeys() {
		if len(d.s.parts) > 1 && d.proves(v, &k.usableKey, alone, &d.r.material) {
			return []mistake{{causeBodyOnly, saysBodyOnly}, k.mistake}
		}
	}
	return nil
}

// provesAny tries each key that the scheme can use.
func (d *diagnosis) provesAny(v value, parts []part, m *material) bool {
	for i := range d.usable {
		if d.proves(v, &d.usable[i], parts, m) {
			return true
		}
	}
	return false
}

// proves recomputes one signature, unless a bound is reached.
func (d *diagnosis) proves(v value, k *usableKey, parts []part, m *material) bool {
	pieces := d.s.content(d.w, parts, m)
	size := 0
	for _, p := range pieces {
		size += len(p)
	}
	if d.tried >= maxDiagnosed || d.hashed+size > maxDiagnosedBytes {
		d.over = true
		return false
	}
	d.tried++
	d.hashed += size
	if !v.cut {
		return d.s.proves(d.w, k, &v.claim, pieces)
	}
	mac := k.digest(nil, v.digest, pieces)
	found := false
	for _, got := range v.sums {
		if hmac.Equal(got, mac[:len(got)]) {
			found = true
		}
	}
	return found
}

// explainMismatch looks for the cause where the request could be read.
func (s *Scheme) explainMismatch(w *work, f *Finding, hints Hints, secrets []string, usable []usableKey, badKey string) {
	r := &w.reading
	d := &diagnosis{s: s, w: w, r: r, claim: s.unproven(w, r, usable), secrets: secrets, usable: usable, hints: hints}
	r.item, r.url = d.claim.item, r.req.URL
	all := d.explain()
	switch {
	case len(all) > 0:
	case f.Reason == BadEncoding:
	case f.Reason != Mismatch:
		f.Detail += "; no key verifies either"
	case len(usable) == 0:
		f.Reason, f.Detail = BadKey, badKey
	case len(r.body) > maxDiagnosedBody:
		f.Detail = noKeyVerifies + "; the body is too large to look for the cause"
	}
	d.tell(f, all)
}

// explainMalformed looks for the cause where the signature's header has not the declared form: what it holds is put into that form.
func (s *Scheme) explainMalformed(req Request, hints Hints, secrets []string, usable []usableKey, f *Finding) {
	if f.Reason != MalformedHeader && f.Reason != NoSignature || len(usable) == 0 || len(req.Body) > maxDiagnosedBody {
		return
	}
	requests, wrong := s.repaired(req)
	for i, again := range requests {
		var w work
		g := s.read(&w, &again)
		r := &w.reading
		if g.Reason != "" {
			continue
		}
		d := &diagnosis{s: s, w: &w, r: r, claim: &r.claims[0], secrets: secrets, usable: usable, hints: hints, tried: f.Tried}
		declared, altered := d.values()
		all := []mistake{wrong[i]}
		if !d.provesAny(declared, s.parts, &r.material) {
			if all = d.singles(append([]value{declared}, altered...)); all != nil {
				all = append([]mistake{wrong[i]}, all...)
			}
		}
		d.tell(f, all)
		if all != nil {
			return
		}
	}
}

// singles tries each reading as it is, and then with one mistake.
func (d *diagnosis) singles(values []value) []mistake {
	for _, v := range values {
		if len(v.sums) > 0 && len(v.mistakes) > 0 && d.provesAny(v, d.s.parts, &d.r.material) {
			return v.mistakes
		}
	}
	for _, v := range values {
		if len(v.sums) == 0 {
			continue
		}
		if all := d.single(v); all != nil {
			return slices.Concat(v.mistakes, all)
		}
	}
	return nil
}

// unproven is the claim that no key proves: with mirrors and items there may be others that hold.
func (s *Scheme) unproven(w *work, r *reading, usable []usableKey) *claim {
	for i := range r.claims {
		holds := func(k usableKey) bool { return s.holds(w, &r.claims[i], &k) }
		if !slices.ContainsFunc(usable, holds) {
			return &r.claims[i]
		}
	}
	return &r.claims[0]
}

const noKeyVerifies = "no key verifies over the received bytes"

// tell puts what was found into the finding. Reasons that say how the value is malformed stay: it is, whatever was signed.
func (d *diagnosis) tell(f *Finding, all []mistake) {
	f.Tried = d.tried
	if len(all) == 0 {
		if d.over {
			f.Detail += "; the search for the cause ended at its bound"
		}
		return
	}
	var details []string
	for _, m := range all {
		f.Causes = append(f.Causes, m.cause)
		details = append(details, m.detail)
	}
	told := strings.Join(details, ", and ")
	reason := Mismatch
	if len(all) == 1 {
		reason = reasonOf(all[0].cause)
	}
	malformed := f.Reason == BadEncoding || f.Reason == MalformedHeader || f.Reason == NoSignature
	switch {
	case !malformed && reason != Mismatch:
		f.Reason, f.Detail = reason, told
	case f.Reason == Mismatch:
		f.Detail = told
	default:
		f.Detail += "; " + told
	}
}
