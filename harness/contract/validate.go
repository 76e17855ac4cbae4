package contract

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Validate reports all problems at once, joined, each with the path of its field. Parse adds lines and columns.
func (c *Contract) Validate() error { return join(c.problems()) }

// Limits that keep all sums inside time.Duration, and far above any published contract: the longest known runs 30 days.
const (
	maxDuration = 31 * 24 * time.Hour
	maxAttempts = 200
	maxJitter   = 10
)

// checker collects problems.
type checker struct{ found []problem }

func (k *checker) add(field, format string, args ...any) {
	k.found = append(k.found, problem{field: field, what: fmt.Sprintf(format, args...)})
}

// oneOf reports a value that is not among the words.
func (k *checker) oneOf(field, got string, words ...string) {
	if got == "" {
		k.add(field, "is missing; write %s", strings.Join(words, " or "))
	} else if !slices.Contains(words, got) {
		k.add(field, "is %q; write %s", got, strings.Join(words, " or "))
	}
}

// optional is oneOf for a field that may be left out.
func (k *checker) optional(field, got string, words ...string) {
	if got != "" {
		k.oneOf(field, got, words...)
	}
}

// subset reports items that are not among the words, and repeated ones.
func (k *checker) subset(field string, got []string, words ...string) {
	for i, g := range got {
		k.oneOf(fmt.Sprintf("%s[%d]", field, i), g, words...)
	}
	k.unique(field, got)
}

// unique reports repeated items, and a list that is too long to compare them.
func (k *checker) unique(field string, got []string) {
	if len(got) > maxItems {
		k.add(field, "has %d items; at most %d", len(got), maxItems)
		return
	}
	for i, g := range got {
		if slices.Contains(got[:i], g) {
			k.add(fmt.Sprintf("%s[%d]", field, i), "%s stands in the list twice", g)
		}
	}
}

// duration reports what is negative or beyond maxDuration.
func (k *checker) duration(field string, d time.Duration) {
	switch {
	case d < 0:
		k.add(field, "%v is negative", d)
	case d > maxDuration:
		k.add(field, "%v is more than %v", d, maxDuration)
	}
}

// positive is duration for a field that must not be 0.
func (k *checker) positive(field string, d time.Duration, example string) {
	if d == 0 {
		k.add(field, "is 0 or missing; write a duration, as %s", example)
		return
	}
	k.duration(field, d)
}

// maxText bounds what is written for people: a long title is a paragraph in the wrong place.
const maxText = 200

// line reports text that does not stand in one line and read the same everywhere.
func (k *checker) line(field, s string) {
	if len(s) > maxText {
		k.add(field, "is %d bytes long; at most %d", len(s), maxText)
		return
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		k.add(field, "%q holds a character that cannot be printed", s)
	}
}

// pointer reports what is no JSON pointer to a part of the body.
func (k *checker) pointer(field, p string) {
	k.line(field, p)
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(p)
	if !strings.HasPrefix(p, "/") || strings.Contains(rest, "~") {
		k.add(field, "%q is no JSON pointer; write one that begins with a slash, as /id", p)
	}
}

func (c *Contract) problems() []problem {
	k := &checker{}
	c.checkTop(k)
	c.checkFacts(k)
	sound := c.checkAnswers(k)
	if c.Schedule != nil {
		c.checkSchedule(k)
	}
	if c.RetryAfter != nil {
		c.checkRetryAfter(k, sound)
	}
	c.checkSignature(k)
	c.checkMessage(k)
	c.checkRecords(k)
	c.checkAutoDisable(k)
	return k.found
}

func (c *Contract) checkTop(k *checker) {
	switch {
	case c.Schema == "":
		k.add("schema", "is missing; write %s", Schema)
	case c.Schema != Schema:
		k.add("schema", "is %q; this version reads %s", c.Schema, Schema)
	}
	switch {
	case c.Name == "":
		k.add("name", "is missing; write a short one, as bounded-6")
	case strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "":
		k.add("name", "is %q; write lower-case letters, digits, dots and hyphens, as bounded-6", c.Name)
	default:
		k.line("name", c.Name)
	}
	if c.Title == "" {
		k.add("title", "is missing; write one line for people")
	}
	k.line("title", c.Title)
	k.line("source", c.Source)
	if c.CompressedBy < 0 {
		k.add("compressed_by", "is %d; write the n of the compression, or leave it out", c.CompressedBy)
	}
	k.duration("time_unit", c.TimeUnit)
	k.duration("takes_effect_within", c.TakesEffectWithin)
	for i, a := range c.Advice {
		if !isAdvice(a) {
			k.add(fmt.Sprintf("advice[%d]", i), "is %q; write a check or a family, as retry.transient or retry", a)
		}
		k.line(fmt.Sprintf("advice[%d]", i), a)
	}
	k.unique("advice", c.Advice)
	k.optional("order", c.Order, "none", "per-key")
	if c.Workers < 0 {
		k.add("workers", "is %d; write how many requests are in flight at most, or leave it out", c.Workers)
	}
}

// isAdvice tells whether a has the form of a check's id or a family's name: family or family.check. Which of them exist is the
// judge's to know, and a contract outlives its versions.
func isAdvice(a string) bool {
	family, check, isCheck := strings.Cut(a, ".")
	word := func(s string) bool {
		return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && strings.Trim(s, "-") == s
	}
	return word(family) && (!isCheck || word(check))
}

func (c *Contract) checkSignature(k *checker) {
	if s := c.Signature; s != nil {
		c.checkScheme(k)
		c.checkTolerance(k)
		k.optional("signature.resign", s.Resign, ResignEach, ResignSame)
	}
	if c.Keys == nil {
		return
	}
	if c.Signature == nil {
		k.add("keys", "needs signature: without one nothing is signed with a key")
	}
	k.duration("keys.overlap", c.Keys.Overlap)
	c.checkOverlap(k)
	k.subset("keys.per_scope", c.Keys.PerScope, "customer", "environment", "endpoint")
}
