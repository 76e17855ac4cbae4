package contract

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hookassay/hookassay/harness/signature"
)

// Lookup returns the scheme that is promised: the record of the contract, or the one that comes with the program.
func (s *Signature) Lookup() (*signature.Scheme, error) {
	if s.Record == nil {
		return signature.Lookup(s.Scheme)
	}
	r := *s.Record
	r.ID = s.Scheme
	return signature.Compile(r)
}

// SchemeText names the scheme wherever a text does, such as at the receiver: its id, or its record (signature.Lookup). It is empty without a
// scheme that can be used.
func (s *Signature) SchemeText() string {
	scheme, err := s.Lookup()
	if err != nil {
		return ""
	}
	return scheme.Text()
}

// Coverage says what the promised signatures protect of a request, and what they leave open, in the words of signature.Scheme.Covers. An id that
// the body holds as well is covered with it. Both are empty without a promise of signatures.
func (c *Contract) Coverage() (covered, open []string) {
	if c.Signature == nil {
		return nil, nil
	}
	s, err := c.Signature.Lookup()
	if err != nil {
		return nil, nil
	}
	covered = s.Covers()
	if slices.Contains(covered, "body") && !slices.Contains(covered, "id") && c.Identity != nil && c.Identity.Body != "" {
		covered = append(covered, "id")
	}
	for _, what := range []string{"body", "timestamp", "id", "target"} {
		if !slices.Contains(covered, what) {
			open = append(open, what)
		}
	}
	return covered, open
}

func (c *Contract) checkScheme(k *checker) {
	s := c.Signature
	if s.Record == nil {
		c.checkKnownScheme(k)
		return
	}
	if s.Scheme == "" {
		k.add("signature.scheme", "is missing; give the record an id of its own")
		return
	}
	if slices.Contains(signature.IDs(), s.Scheme) {
		k.add("signature.scheme", "%s comes with the program; give a record of your own another id", s.Scheme)
	}
	if s.Record.ID != "" && s.Record.ID != s.Scheme {
		k.add("signature.record.id", "is not the scheme's, %s; leave it out", s.Scheme)
	}
	scheme, err := s.Lookup()
	if err == nil {
		c.checkKeyed(k, scheme)
		return
	}
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		k.add("signature.record", "%v", err)
		return
	}
	for _, err := range joined.Unwrap() {
		if f, ok := errors.AsType[*signature.FieldError](err); ok {
			k.add("signature.record."+f.Field, "%s", f.What)
		}
	}
}

func (c *Contract) checkKnownScheme(k *checker) {
	scheme, err := c.Signature.Lookup()
	if err != nil {
		k.add("signature.scheme", "%v; or write your own under signature.record", err)
		return
	}
	c.checkKeyed(k, scheme)
	for _, constant := range scheme.Record().Constants {
		if constant.Value == "" {
			k.add("signature.record", "is missing: %s signs %s, whose value only you know; write a record like %s with it", scheme.ID(), constant.Name, scheme.ID())
		}
	}
}

// checkTolerance wants a tolerance where the scheme signs a time, and only there.
func (c *Contract) checkTolerance(k *checker) {
	s := c.Signature
	if scheme, err := s.Lookup(); err == nil && !scheme.Timed() && s.Tolerance == 0 {
		return
	}
	k.positive("signature.tolerance", s.Tolerance, "300s")
}

// checkKeyed refuses a digest that anybody can make: no check of signatures could say anything.
func (c *Contract) checkKeyed(k *checker, s *signature.Scheme) {
	if !s.Keyed() {
		k.add("signature.scheme", "%s has no key, and is no promise about signatures", s.ID())
	}
}

// checkOverlap refuses a promise that no request of the scheme can keep.
func (c *Contract) checkOverlap(k *checker) {
	if c.Signature == nil || c.Keys.Overlap == 0 {
		return
	}
	if s, err := c.Signature.Lookup(); err == nil && s.Carries() == 1 {
		k.add("keys.overlap", "is %v, and a request by %s carries one signature: two keys cannot sign side by side; write 0s", c.Keys.Overlap, s.ID())
	}
}

// likeness fills a record with the fields of the scheme that it is like, so that only its own need to be written.
func likeness(name string) (signature.Record, error) {
	s, err := signature.Lookup(name)
	if err != nil {
		return signature.Record{}, fmt.Errorf("is like no scheme: %w", err)
	}
	r := s.Record()
	r.ID, r.Title = "", ""
	return r, nil
}
