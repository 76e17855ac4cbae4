package signature

import (
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"strings"
)

// contentDigest is a digest of the body without a key (RFC 9530): it finds damage, and proves nothing.
type contentDigest struct {
	digest string // that sign makes
}

// digestKeys are the names of the digests in the header. Those that RFC 9530 calls insecure are not among them.
func digestKeys() map[string]string {
	return map[string]string{"sha-256": digestSHA256, "sha-512": digestSHA512}
}

func (contentDigest) headers() []string { return []string{headerContentDigest} }

// covers is empty: whoever changes the body can change the digest.
func (contentDigest) covers() []string { return nil }

// value is the header's for a body.
func (d contentDigest) value(body []byte) string {
	name := "sha-256"
	if d.digest == digestSHA512 {
		name = "sha-512"
	}
	return name + "=:" + base64.StdEncoding.EncodeToString(hashed(d.digest, [][]byte{body})) + ":"
}

func (d contentDigest) sign(c Content, _ []string) ([][2]string, error) {
	return [][2]string{{headerContentDigest, d.value(c.Body)}}, nil
}

// verify wants each digest that is known here to be the body's, and one at least. Of Content-Digest and Repr-Digest, which are the same for
// a body without content coding, it takes the first that is there.
func (contentDigest) verify(r Request, _ []usableKey) Finding {
	name := headerContentDigest
	lines := r.headers().all(name)
	if len(lines) == 0 {
		name = "Repr-Digest"
		if lines = r.headers().all(name); len(lines) == 0 {
			return Finding{Reason: MissingHeader, Detail: headerContentDigest + " is absent", Timeless: true}
		}
	}
	members, err := parseDictionary(strings.Join(lines, ", "), maxSignatures)
	if err == nil && len(members) == 0 {
		err = errors.New("is empty")
	}
	if err != nil {
		return Finding{Reason: MalformedHeader, Detail: name + " " + err.Error(), Timeless: true}
	}
	known := 0
	for _, m := range members {
		digest, ok := digestKeys()[m.key]
		if !ok {
			continue
		}
		known++
		if m.isList || !hmac.Equal(m.bytes, hashed(digest, [][]byte{r.Body})) {
			return Finding{Reason: Mismatch, Detail: m.key + " of " + name + " is not the body's", Timeless: true}
		}
	}
	if known == 0 {
		return Finding{Reason: NoSignature, Detail: name + " has no sha-256 and no sha-512", Timeless: true}
	}
	return Finding{Reason: Verified, Timeless: true}
}

func (contentDigest) signed(r Request) ([]byte, bool) { return r.Body, true }

func (contentDigest) texts(headers) []string { return nil }
