package signature

import (
	"crypto/hmac"
	"slices"
)

// noHMAC tries what is made in place of an HMAC: one whose key and content have changed places, as the order of arguments invites to,
// and a plain digest of either or of both in a row.
func (d *diagnosis) noHMAC(v value) []mistake {
	if !d.s.rec.hmac() || v.cut {
		return nil
	}
	content := slices.Concat(d.s.content(d.w, d.s.parts, &d.r.material)...)
	matches := func(sum []byte) bool {
		return slices.ContainsFunc(v.sums, func(got []byte) bool { return hmac.Equal(got, sum) })
	}
	plain := func(how string, pieces ...[]byte) []mistake {
		if !d.spend(len(content)) || !matches(hashed(v.digest, pieces)) {
			return nil
		}
		return []mistake{{causeNoHMAC, "the signature is no HMAC but the plain digest of " + how}}
	}
	for i := range d.usable {
		key := d.usable[i].bytes
		swapped := usableKey{bytes: content}
		if d.spend(len(content)) && matches(swapped.digest(nil, v.digest, [][]byte{key})) {
			return []mistake{{causeSwapped, "the signed bytes were taken for the key, and the key for the signed bytes"}}
		}
		for _, all := range [][]mistake{plain("the key and the signed bytes", key, content), plain("the signed bytes and the key", content, key)} {
			if all != nil {
				return all
			}
		}
	}
	if all := plain("the signed bytes alone", content); all != nil {
		return all
	}
	return plain("the body alone", d.r.body)
}
