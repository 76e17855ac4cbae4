package signature

import (
	"slices"
	"strings"
	"time"
)

// What a signature can cover.
const (
	coversBody      = "body"
	coversCRC       = "body-crc32"  // anybody can make another body of the same sum
	coversFields    = "body-fields" // some values of the body, and not the rest
	coversTimestamp = "timestamp"
	coversID        = "id"
	coversMethod    = "method"
	coversTarget    = "target"
	coversHeaders   = "headers" // that the record names
)

// Covers returns what a signature protects: of body (or body-crc32, body-fields), timestamp, id, method, target and headers those that
// the scheme signs. It is empty for a token, and for a digest without a key, which anybody can make anew.
func (s *Scheme) Covers() []string {
	switch {
	case s.code != nil:
		return s.code.covers()
	case s.rec.Algorithm == algorithmToken:
		return nil
	}
	var covers []string
	add := func(what string, words ...string) {
		if slices.ContainsFunc(words, s.signs) && !slices.Contains(covers, what) {
			covers = append(covers, what)
		}
	}
	add(coversBody, partBody, partFormSorted, partSHA256)
	if len(covers) == 0 {
		add(coversCRC, partCRC32)
		add(coversFields, prefixPointer)
	}
	add(coversTimestamp, partTimestamp)
	if s.rec.Timestamp.From == fromBody && slices.Contains(covers, coversBody) && !slices.Contains(covers, coversTimestamp) {
		covers = append(covers, coversTimestamp)
	}
	add(coversID, partID)
	add(coversMethod, partMethod)
	add(coversTarget, partURL)
	add(coversHeaders, prefixHeader)
	return covers
}

func (s *Scheme) covers(what string) bool { return slices.Contains(s.Covers(), what) }

func (s *Scheme) coversText() string {
	if c := s.Covers(); len(c) > 0 {
		return strings.Join(c, ", ")
	}
	return "nothing"
}

// Timed tells whether the scheme signs a time, so that an old request can be told from a fresh one.
func (s *Scheme) Timed() bool { return s.covers(coversTimestamp) }

// Weaknesses say what a signature of the scheme leaves open, a sentence each, the gravest first: what a receiver must see to by other
// means. A scheme that covers the body, a time, the id and the target has none.
func (s *Scheme) Weaknesses() []string {
	if s.rec.Algorithm == algorithmToken {
		return []string{"the key itself is sent with each request: whoever reads one can make others", "nothing of the request is covered"}
	}
	if s.rec.Algorithm == algorithmRFC9530 {
		return []string{"there is no key: anybody can make the digest of another body"}
	}
	var list []string
	say := func(covered bool, weakness string) {
		if !covered {
			list = append(list, weakness)
		}
	}
	switch {
	case s.covers(coversCRC):
		say(false, "the body is covered by a CRC-32 alone: another body of the same sum is easily made")
	case s.covers(coversFields):
		say(false, "only some fields of the body are covered: the rest can be changed")
	default:
		say(s.covers(coversBody), "the body is not covered: it can be changed")
	}
	say(s.Timed(), "no time is covered: an old request can be sent again at any time")
	say(s.covers(coversID), "no id is covered apart from the body: a copy passes for a new delivery where the id is read from a header")
	say(s.covers(coversTarget), "the target is not covered: a request to one endpoint is as good at another with the same key")
	say(!slices.Contains([]string{digestMD5, digestSHA1}, s.rec.Digest), "the digest is "+s.rec.Digest+", which new schemes no longer use")
	return list
}

// Tolerance is how old a signed time may be, and how far ahead, by the scheme's publication; 0: it says nothing.
func (s *Scheme) Tolerance() (past, future time.Duration) {
	t := s.rec.Timestamp
	return time.Duration(t.PastS) * time.Second, time.Duration(t.FutureS) * time.Second
}
