package judge

import (
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

// owned is a key with the endpoint whose it is.
type owned struct {
	ep  *evidence.Endpoint
	key evidence.Secret
}

// foreignKeys returns the keys of other endpoints of the run by which a request verifies. A key with the same value as one of
// its own is no other key. Two checks ask for them.
func (v *view) foreignKeys(r *request) []owned {
	if !r.foreignRead {
		r.foreign, r.foreignRead = v.findForeign(r), true
	}
	return r.foreign
}

func (v *view) findForeign(r *request) (out []owned) {
	own := v.endpoint(r.a.Endpoint)
	if v.t.scheme == nil || own == nil {
		return nil
	}
	s := v.t.strangersOf(own)
	for _, k := range s.issued {
		if slices.Contains(r.a.VerifiedBy, k.key.Name) {
			out = append(out, k)
		}
	}
	if s.verifier != nil {
		for _, i := range s.verifier.Beside(v.signedRequest(r), s.own) {
			out = append(out, s.known[i])
		}
	}
	return out
}

// strangers are the keys of all endpoints but one.
type strangers struct {
	issued   []owned             // those whose value the sender alone has
	known    []owned             // the others, as far as the scheme can use them
	verifier *signature.Verifier // by the keys in known; nil if there are none
	own      *signature.Verifier // by the keys of that one; nil if it has none
}

// strangersOf collects the keys of all endpoints but own. Every request is held against each of them, so that they are made
// ready once.
func (t *trial) strangersOf(own *evidence.Endpoint) *strangers {
	if s, ok := t.strangers[own.Name]; ok {
		return s
	}
	s := &strangers{own: t.verifierOf(own)}
	var values []string
	for _, k := range t.keysBut(own) {
		if k.key.Value == "" {
			same := func(o evidence.Secret) bool { return o.Name == k.key.Name }
			if !slices.ContainsFunc(own.Secrets, same) { // a name is given once, so one that both have is one key
				s.issued = append(s.issued, k)
			}
			continue
		}
		mine := func(o evidence.Secret) bool { return o.Value == k.key.Value }
		if _, err := t.scheme.Verifier(k.key.Value); err == nil && !slices.ContainsFunc(own.Secrets, mine) {
			s.known, values = append(s.known, k), append(values, k.key.Value)
		}
	}
	s.verifier, _ = t.scheme.Verifier(values...) // it refuses only that there is none: each was tried
	if t.strangers == nil {
		t.strangers = map[string]*strangers{}
	}
	t.strangers[own.Name] = s
	return s
}

// verifierOf has the keys of an endpoint, as far as the scheme can use them; it is nil if there are none.
func (t *trial) verifierOf(ep *evidence.Endpoint) *signature.Verifier {
	var values []string
	for _, k := range ep.Secrets {
		if _, err := t.scheme.Verifier(k.Value); err == nil {
			values = append(values, k.Value)
		}
	}
	v, _ := t.scheme.Verifier(values...) // it refuses only that there is none
	return v
}

// keysBut lists the keys of all endpoints of the run but one, those without value or name left out.
func (t *trial) keysBut(own *evidence.Endpoint) []owned {
	var all []owned
	for _, v := range t.views {
		for _, ep := range v.endpoints {
			if ep.Name == own.Name {
				continue
			}
			for _, s := range ep.Secrets {
				if s.Value != "" || s.Name != "" {
					all = append(all, owned{ep, s})
				}
			}
		}
	}
	return all
}
