package signature

import (
	"crypto/ecdsa"
	"crypto/hmac"
	"encoding/asn1"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
)

// labelDiagnosis is the search for the cause of one label's mismatch at HTTP Message Signatures. Bases are recomputed as a sender may
// have made them, and tried by each key, whatever the algorithm that the signature names.
type labelDiagnosis struct {
	*diagnosis

	label labelled
	lines []string // of the components, without the last
}

// explainCode looks for the cause at the schemes that are code.
func (s *Scheme) explainCode(req Request, hints Hints, secrets []string, usable []usableKey, f *Finding) {
	if f.Reason != Mismatch && f.Reason != NoSignature || len(req.Body) > maxDiagnosedBody {
		return
	}
	var w work
	w.req, w.body = req, req.Body
	d := &diagnosis{s: s, w: &w, r: &w.reading, secrets: secrets, usable: usable, hints: hints}
	if s.rec.Algorithm == algorithmRFC9530 {
		d.tell(f, d.digestForms(d.otherBody()))
		return
	}
	all := d.otherLabel()
	if all == nil && f.Reason == Mismatch {
		all = d.messages()
	}
	d.tell(f, all)
}

// otherLabel explains a signature whose label stands in one header alone.
func (d *diagnosis) otherLabel() []mistake {
	inputs, f := dictionary(d.r.req.headers(), headerSignatureInput)
	if f.Reason != "" {
		return nil
	}
	signatures, f := dictionary(d.r.req.headers(), headerSignature)
	if f.Reason != "" {
		return nil
	}
	for _, input := range inputs {
		for _, sig := range signatures {
			if !input.isList || sig.isList || input.key == sig.key {
				continue
			}
			content, bad := base(&d.r.req, input)
			if bad.Reason == "" && d.made(content, sig.bytes) {
				return []mistake{{causeLabel, "the signature of one label is made over the input of another: " + headerSignature + " and " + headerSignatureInput + " name it differently"}}
			}
		}
	}
	return nil
}

// messages looks at each label whose base can be made.
func (d *diagnosis) messages() []mistake {
	all, _ := labels(d.r.req.headers())
	for _, l := range all {
		m := labelDiagnosis{diagnosis: d, label: l}
		content, bad := base(&d.r.req, l.input)
		if bad.Reason != "" {
			continue
		}
		for _, c := range l.input.list {
			value, _ := componentValue(&d.r.req, c) // the base has it, so there is one
			m.lines = append(m.lines, c.String()+": "+value)
		}
		if found := m.explain(content); found != nil {
			return found
		}
	}
	return nil
}

// explain tries what is wrong beside the base, then bases that differ in one thing, then other keys.
func (m *labelDiagnosis) explain(content []byte) []mistake {
	if m.made(content, m.label.signature) {
		covered := slices.ContainsFunc(m.label.input.list, func(c item) bool { return c.text == "content-digest" })
		if covered && (contentDigest{}).verify(m.r.req, nil).Reason == Mismatch {
			if found := m.otherBody(); found != nil {
				return found
			}
			return []mistake{{causeDigestBody, "the signature verifies, and Content-Digest is that of another body"}}
		}
		return []mistake{{causeAlg, "the signature verifies, by another algorithm than its alg names"}}
	}
	if found := m.otherValue(content); found != nil {
		return found
	}
	for g := range m.bases() {
		if m.made([]byte(g.text), m.label.signature) {
			return []mistake{g.mistake}
		}
		if m.over {
			return nil
		}
	}
	for _, k := range m.messageKeys() {
		if m.madeBy(&k.usableKey, content, m.label.signature) {
			return []mistake{k.mistake}
		}
	}
	return nil
}

// messageKeys are those that otherKeys has, and other forms of a shared key, which the record does not tell from a public one.
func (m *labelDiagnosis) messageKeys() []otherKey {
	all := m.otherKeys()
	for i := range m.usable {
		if m.usable[i].pair.public == nil {
			all = append(all, m.s.otherForms(m.secrets[m.usable[i].index])...)
		}
	}
	return all
}

// otherValue is a signature over the right base in another form.
func (m *labelDiagnosis) otherValue(content []byte) []mistake {
	sig := m.label.signature
	if raw, err := hex.DecodeString(string(sig)); err == nil && len(raw) > 0 && m.made(content, raw) {
		return []mistake{{causeEncoding, "the bytes of the signature are its hex"}}
	}
	var rs struct{ R, S *big.Int }
	if rest, err := asn1.Unmarshal(sig, &rs); err == nil && len(rest) == 0 {
		for i := range m.usable {
			if p, ok := m.usable[i].pair.public.(*ecdsa.PublicKey); ok && fits(p, rs.R) && fits(p, rs.S) && m.madeBy(&m.usable[i], content, joinedPair(p, rs.R, rs.S)) {
				return []mistake{{causeValueForm, "the signature is in DER; RFC 9421 has its two numbers one after the other"}}
			}
		}
	}
	for i := range m.usable {
		k := &m.usable[i]
		if k.pair.public != nil {
			continue
		}
		for _, digest := range []string{digestSHA1, digestSHA384, digestSHA512} {
			if m.spend(len(content)) && hmac.Equal(k.digest(nil, digest, [][]byte{content}), sig) {
				return []mistake{{causeDigest, "the digest is " + digest + "; hmac-sha256 has SHA-256"}}
			}
		}
	}
	return nil
}

func fits(p *ecdsa.PublicKey, n *big.Int) bool {
	return n != nil && n.Sign() > 0 && n.BitLen() <= p.Params().BitSize
}

func joinedPair(p *ecdsa.PublicKey, r, s *big.Int) []byte {
	size := coordinate(p.Curve)
	out := make([]byte, 2*size)
	r.FillBytes(out[:size])
	s.FillBytes(out[size:])
	return out
}

// made tells whether one of the keys made a signature over that content.
func (d *diagnosis) made(content, sig []byte) bool {
	for i := range d.usable {
		if d.madeBy(&d.usable[i], content, sig) {
			return true
		}
	}
	return false
}

// madeBy goes by the key alone. One by RSA has two algorithms.
func (d *diagnosis) madeBy(k *usableKey, content, sig []byte) bool {
	return d.spend(len(content)) && (verifiesMessage(k, "", false, content, sig) || verifiesMessage(k, algPKCS1, true, content, sig))
}

// spend counts one signature of that many bytes, unless a bound is reached.
func (d *diagnosis) spend(size int) bool {
	if d.tried >= maxDiagnosed || d.hashed+size > maxDiagnosedBytes {
		d.over = true
		return false
	}
	d.tried++
	d.hashed += size
	return true
}

// otherBody explains a Content-Digest that is not the body's by another serialisation of it.
func (d *diagnosis) otherBody() []mistake {
	req := d.r.req
	if (contentDigest{}).verify(req, nil).Reason != Mismatch {
		return nil
	}
	for g := range d.bodies() {
		if req.Body = g.material.body; !d.spend(len(req.Body)) {
			return nil
		}
		if (contentDigest{}).verify(req, nil).OK() {
			g.detail = strings.Replace(g.detail, "the signature covers", headerContentDigest+" is that of", 1)
			return []mistake{g.mistake}
		}
	}
	return nil
}

// digestForms explains a digest of the right body in a wrong form, where nothing else was found.
func (d *diagnosis) digestForms(found []mistake) []mistake {
	lines := d.r.req.headers().all(headerContentDigest)
	members, err := parseDictionary(strings.Join(lines, ", "), maxSignatures)
	if found != nil || err != nil {
		return found
	}
	body := [][]byte{d.r.body}
	for _, m := range members {
		for name, digest := range digestKeys() {
			if !d.spend(len(d.r.body)) {
				return nil
			}
			sum := hashed(digest, body)
			switch {
			case m.key == name && hmac.Equal(m.bytes, []byte(hex.EncodeToString(sum))):
				return []mistake{{causeEncoding, "the bytes of " + name + " are the digest's hex"}}
			case m.key != name && hmac.Equal(m.bytes, sum):
				return []mistake{{causeDigest, m.key + " holds the " + name + " of the body"}}
			}
		}
	}
	return nil
}

// withParams is a list with other parameters.
func (m member) withParams(params []param) member {
	m.params = params
	return m
}

// withoutParam is a list without the parameter at i.
func (m member) withoutParam(i int) member {
	return m.withParams(slices.Delete(slices.Clone(m.params), i, i+1))
}
