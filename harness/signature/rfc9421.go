package signature

import (
	"cmp"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// messageSignatures are HTTP Message Signatures (RFC 9421). What a signature covers is for each request to say, so that a valid one may
// cover nothing: Record.Require says what it must.
type messageSignatures struct{ s *Scheme }

const (
	headerSignature      = "Signature"
	headerSignatureInput = "Signature-Input"
	headerContentDigest  = "Content-Digest"
	messageKeyForm       = "PEM, base64 of DER, or a shared key in base64"
)

// messageKey reads a key: PEM, base64 of DER, or base64 of a shared key. A public key is never taken for a shared one.
func messageKey(text string) (usableKey, error) {
	var raw []byte
	if block, _ := pem.Decode([]byte(text)); block != nil {
		raw = block.Bytes
	} else {
		var err error
		if raw, err = decodeBase64Text(text); err != nil || len(raw) == 0 {
			return usableKey{}, errors.New("is not standard base64; this scheme wants " + messageKeyForm)
		}
	}
	pair, err := parseDER(raw)
	switch {
	case err == nil && messageAlgorithm(usableKey{pair: pair}) == "":
		return usableKey{}, errors.New("is a key of a kind that this scheme has no use for")
	case err == nil:
		return usableKey{pair: pair}, nil
	case strings.HasPrefix(text, "-----"):
		return usableKey{}, err
	}
	return usableKey{bytes: raw}, nil
}

func (m messageSignatures) headers() []string {
	return []string{headerSignature, headerSignatureInput, headerContentDigest}
}

// covers is what is required of each signature.
func (m messageSignatures) covers() []string { return slices.Clone(m.s.rec.Require) }

// labelled is a signature with the list of what it covers.
type labelled struct {
	input     member
	signature []byte
}

// labels pairs the entries of both headers.
func labels(h headers) ([]labelled, Finding) {
	var found [2][]member
	for i, name := range []string{headerSignatureInput, headerSignature} {
		members, f := dictionary(h, name)
		if f.Reason != "" {
			return nil, f
		}
		found[i] = members
	}
	var all []labelled
	for _, input := range found[0] {
		i := slices.IndexFunc(found[1], func(s member) bool { return s.key == input.key })
		if !input.isList {
			return nil, Finding{Reason: MalformedHeader, Detail: headerSignatureInput + " has an entry that is no list"}
		}
		if i >= 0 && !found[1][i].isList {
			all = append(all, labelled{input, found[1][i].bytes})
		}
	}
	if len(all) == 0 {
		return nil, Finding{Reason: NoSignature, Detail: "no label stands in both " + headerSignature + " and " + headerSignatureInput}
	}
	return all, Finding{}
}

// dictionary reads the entries of a header.
func dictionary(h headers, name string) ([]member, Finding) {
	lines := h.all(name)
	if len(lines) == 0 {
		return nil, Finding{Reason: MissingHeader, Detail: name + " is absent"}
	}
	members, err := parseDictionary(strings.Join(lines, ", "), maxSignatures)
	if err != nil {
		return nil, Finding{Reason: MalformedHeader, Detail: name + " " + err.Error()}
	}
	return members, Finding{}
}

// base is the text under a signature.
func base(r *Request, input member) ([]byte, Finding) {
	var b strings.Builder
	for i, c := range input.list {
		text := c.String()
		if slices.ContainsFunc(input.list[:i], func(o item) bool { return o.String() == text }) {
			return nil, Finding{Reason: MalformedHeader, Detail: "a component is covered twice"}
		}
		value, f := componentValue(r, c)
		if f.Reason != "" {
			return nil, f
		}
		b.WriteString(text + ": " + value + "\n")
	}
	b.WriteString(`"@signature-params": ` + input.String())
	return []byte(b.String()), Finding{}
}

func (m messageSignatures) verify(r Request, keys []usableKey) Finding {
	all, f := labels(r.headers())
	if f.Reason != "" {
		return f
	}
	best := Finding{Reason: Mismatch, Detail: noKeyVerifies, Timeless: true}
	for i, l := range all {
		f := m.verifyOne(&r, l, keys)
		switch {
		case f.OK() && best.OK(): // by another key, as during a rotation
			best.Keys = append(best.Keys, f.Keys...)
		case best.OK():
		case f.OK() || f.Reason == Undercovered || i == 0:
			best = f
		}
	}
	slices.Sort(best.Keys)
	best.Keys = slices.Compact(best.Keys)
	return best
}

// verifyOne judges the signature of one label.
func (m messageSignatures) verifyOne(r *Request, l labelled, keys []usableKey) Finding {
	f := Finding{Timeless: true}
	if created, ok := l.input.param("created"); ok {
		if created.kind != 'i' || created.num < 0 {
			return Finding{Reason: BadTimestamp, Detail: "created is no whole number of unix seconds"}
		}
		f.Timeless, f.SignedAt, f.SignedAtText = false, time.Unix(created.num, 0).UTC(), created.String()[len(";created="):]
	}
	if expires, ok := l.input.param("expires"); ok {
		if expires.kind != 'i' || expires.num < 0 {
			return Finding{Reason: BadTimestamp, Detail: "expires is no whole number of unix seconds"}
		}
		f.Expires = time.Unix(expires.num, 0).UTC()
	}
	content, bad := base(r, l.input)
	if bad.Reason != "" {
		f.Reason, f.Detail = bad.Reason, bad.Detail
		return f
	}
	alg, named := l.input.param("alg")
	for i := range keys {
		if verifiesMessage(&keys[i], alg.text, named, content, l.signature) {
			f.Keys = append(f.Keys, keys[i].index)
		}
	}
	if len(f.Keys) == 0 {
		f.Reason, f.Detail = Mismatch, noKeyVerifies
		return f
	}
	return m.strength(r, l.input, f)
}

// strength says what a signature that verifies covers, and whether it is enough.
func (m messageSignatures) strength(r *Request, input member, f Finding) Finding {
	has := func(name string) bool {
		return slices.ContainsFunc(input.list, func(c item) bool { return c.text == name && len(c.params) == 0 })
	}
	if has("content-digest") {
		d := contentDigest{}.verify(*r, nil)
		switch {
		case d.OK():
			f.Covers = append(f.Covers, coversBody)
		case d.Reason != NoSignature: // by a digest that nobody here knows the body is not covered
			return Finding{Reason: d.Reason, Detail: d.Detail, SignedAt: f.SignedAt, SignedAtText: f.SignedAtText}
		}
	}
	if !f.Timeless {
		f.Covers = append(f.Covers, coversTimestamp)
	}
	if has("@method") {
		f.Covers = append(f.Covers, coversMethod)
	}
	if has("@target-uri") || has("@authority") && (has("@request-target") || has("@path") && has("@query")) {
		f.Covers = append(f.Covers, coversTarget)
	}
	for _, want := range m.s.rec.Require {
		if !slices.Contains(f.Covers, want) {
			f.Reason, f.Detail = Undercovered, "the signature does not cover the "+want
			return f
		}
	}
	f.Reason = Verified
	return f
}

func (m messageSignatures) signed(r Request) ([]byte, bool) {
	all, f := labels(r.headers())
	if f.Reason != "" {
		return nil, false
	}
	content, f := base(&r, all[0].input)
	return content, f.Reason == ""
}

func (m messageSignatures) texts(h headers) []string {
	all, _ := labels(h)
	texts := make([]string, len(all))
	for i, l := range all {
		texts[i] = base64.StdEncoding.EncodeToString(l.signature)
	}
	return texts
}

// sign makes one signature by each key, labelled sig1, sig2, … over the components of the record.
func (m messageSignatures) sign(c Content, keys []string) ([][2]string, error) {
	if err := checkTime(c.At); err != nil {
		return nil, err
	}
	var fields [][2]string
	h := c.Header.Clone()
	input := member{isList: true}
	for _, text := range m.s.rec.Components {
		it, err := parseComponent(text)
		if err != nil {
			return nil, err
		}
		input.list = append(input.list, it)
		if it.text == "content-digest" && len((headers{canonical: h}).all(headerContentDigest)) == 0 {
			digest := contentDigest{digest: cmp.Or(m.s.rec.Digest, digestSHA256)}.value(c.Body)
			fields = append(fields, [2]string{headerContentDigest, digest})
			h = withField(h, headerContentDigest, digest)
		}
	}
	r := Request{Method: c.Method, URL: c.URL, Header: h, Body: c.Body}
	var inputs, sums []string
	for i, text := range keys {
		k, err := m.s.key(text)
		if err != nil {
			return nil, fmt.Errorf("key %d %w", i, err)
		}
		input.params = []param{{key: "created", num: c.At.Unix(), kind: 'i'}, {key: "alg", text: messageAlgorithm(k), kind: 's'}}
		content, f := base(&r, input)
		if f.Reason != "" {
			return nil, errors.New(f.Detail)
		}
		sum, err := signMessage(&k, content)
		if err != nil {
			return nil, fmt.Errorf("key %d %w", i, err)
		}
		label := fmt.Sprintf("sig%d=", i+1)
		inputs = append(inputs, label+input.String())
		sums = append(sums, label+":"+base64.StdEncoding.EncodeToString(sum)+":")
	}
	return append(fields, [2]string{headerSignatureInput, strings.Join(inputs, ", ")}, [2]string{headerSignature, strings.Join(sums, ", ")}), nil
}
