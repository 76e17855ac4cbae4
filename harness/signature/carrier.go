package signature

import (
	"fmt"
	"slices"
	"strings"
)

// carried is what the carrier of a request holds: the texts of its signatures, and its time where it carries one.
type carried struct {
	texts   [maxSignatures]string
	digests [maxSignatures]string // that the texts name
	n       int
	at      string // the time
}

// add takes a signature's text. It returns false beyond the bound.
func (c *carried) add(text, digest string) bool {
	if c.n == maxSignatures {
		return false
	}
	c.texts[c.n], c.digests[c.n] = text, digest
	c.n++
	return true
}

const tooMany = "more signatures than any sender makes"

// carrier is what the grammar of a value is read by; where names it in details.
func (s *Scheme) readCarrier(value, where string, c *carried) Finding {
	if s.rec.Carrier.inPairs() {
		return s.readPairs(value, where, c)
	}
	rest, digest := value, s.rec.Digest
	if len(s.rec.DigestNamed) > 0 {
		name, text, ok := strings.Cut(value, "=")
		if !ok || !slices.Contains(s.rec.DigestNamed, name) {
			return malformed(where, "it does not begin with one of "+strings.Join(s.rec.DigestNamed, "=, ")+"=")
		}
		rest, digest = text, name
	}
	prefix := s.rec.Carrier.Prefix
	begins := strings.HasPrefix(rest, prefix)
	if s.rec.Algorithm == algorithmToken { // Bearer and Basic have no case: RFC 9110, section 11.1
		begins = len(rest) >= len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix)
	}
	if !begins {
		return malformed(where, "it does not begin with "+prefix)
	}
	return s.readValues(rest[len(prefix):], digest, where, c)
}

func malformed(where, what string) Finding {
	return Finding{Reason: MalformedHeader, Detail: where + ": " + what}
}

// readValues takes the signatures of one value.
func (s *Scheme) readValues(value, digest, where string, c *carried) Finding {
	sep := s.rec.Carrier.ValueSep
	for more := true; more; {
		var text string
		text, value, more = cut(value, sep)
		if !c.add(text, digest) {
			return malformed(where, tooMany)
		}
	}
	return Finding{}
}

// cut is strings.Cut that cuts nowhere by an empty separator.
func cut(s, sep string) (before, after string, found bool) {
	if sep == "" {
		return s, "", false
	}
	return strings.Cut(s, sep)
}

// readPairs takes the pairs of tag and value. Where values are parted by what parts pairs, a piece without a tag of the scheme is one
// more value of the pair before it.
func (s *Scheme) readPairs(value, where string, out *carried) Finding {
	c := &s.rec.Carrier
	inner, joined := c.ValueSep, c.ValueSep == c.PairSep
	if joined {
		inner = ""
	}
	timed, open := false, false
	for i, more := 0, true; more; i++ {
		var p string
		p, value, more = strings.Cut(value, c.PairSep)
		tag, text, ok := strings.Cut(p, c.KVSep)
		timeTag := c.TimeTag != "" && tag == c.TimeTag
		if joined && open && (!ok || !timeTag && tag != c.SignatureTag) {
			tag, text, ok = c.SignatureTag, p, true
		}
		what := ""
		switch {
		case i == maxPairs:
			what = "more pairs than any sender makes"
		case !ok:
			what = fmt.Sprintf("no %q between tag and value", c.KVSep)
		case !isTag(tag):
			what = "the tag is not made of letters and digits alone"
		case timeTag && timed:
			what = "a second time"
		case timeTag:
			timed, out.at = true, text
		case tag == c.SignatureTag:
			for more := true; more && what == ""; {
				var one string
				if one, text, more = cut(text, inner); !out.add(one, s.rec.Digest) {
					what = tooMany
				}
			}
		}
		open = tag == c.SignatureTag
		if what != "" {
			return malformed(fmt.Sprintf("%s, entry %d", where, i), what)
		}
	}
	return Finding{}
}

func isTag(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
		if !letter {
			return false
		}
	}
	return s != ""
}

// writeCarrier is the inverse: the value that carries the signatures and, where it has a place there, the time.
func (s *Scheme) writeCarrier(at string, sums []string) string {
	c := s.rec.Carrier
	if !c.inPairs() {
		named := ""
		if len(s.rec.DigestNamed) > 0 {
			named = s.rec.Digest + "="
		}
		return named + c.Prefix + strings.Join(sums, c.ValueSep)
	}
	var pairs []string
	if s.rec.Timestamp.From == fromCarrier {
		pairs = append(pairs, c.TimeTag+c.KVSep+at)
	}
	if c.ValueSep != "" {
		sums = []string{strings.Join(sums, c.ValueSep)}
	}
	for _, sum := range sums {
		pairs = append(pairs, c.SignatureTag+c.KVSep+sum)
	}
	return strings.Join(pairs, c.PairSep)
}

// Carries is how many signatures one request has room for: 1 where the keys of a rotation cannot sign side by side.
func (s *Scheme) Carries() int {
	c := s.rec.Carrier
	several := c.inPairs() || c.ValueSep != "" || s.series() || s.rec.Algorithm == algorithmRFC9421
	if several && len(s.rec.Mirrors) == 0 {
		return maxSignatures
	}
	return 1
}
