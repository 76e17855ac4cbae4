// Package signature signs, verifies and diagnoses webhook requests. Each scheme is a record in schemes/; the code knows
// only the forms that a record can name. It has no clock: callers hand in every time.
package signature

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed schemes/*.json
var schemeFiles embed.FS

// Scheme is a way to sign requests. It is immutable and safe for concurrent use. Only Lookup and Schemes make one.
type Scheme struct{ rec record }

// Lookup returns the scheme with that id. It decodes the embedded records, so callers keep what it returns. The error
// lists the known ids.
func Lookup(id string) (*Scheme, error) {
	all := Schemes()
	known := make([]string, len(all))
	for i, s := range all {
		if s.rec.ID == id {
			return s, nil
		}
		known[i] = s.rec.ID
	}
	return nil, fmt.Errorf("signature scheme %q is unknown; known are %s", id, strings.Join(known, ", "))
}

// Schemes returns all schemes in order of their ids. A record that cannot be used is a slip of whoever built the program,
// and panics.
func Schemes() []*Scheme {
	entries, err := schemeFiles.ReadDir("schemes")
	if err != nil {
		panic(fmt.Sprintf("read the embedded schemes: %v", err))
	}
	all := make([]*Scheme, 0, len(entries))
	for _, e := range entries {
		text, err := schemeFiles.ReadFile("schemes/" + e.Name())
		if err != nil {
			panic(fmt.Sprintf("read the embedded scheme %s: %v", e.Name(), err))
		}
		rec, err := decodeRecord(text)
		if err != nil {
			panic(fmt.Sprintf("embedded scheme %s: %v", e.Name(), err))
		}
		all = append(all, &Scheme{rec: rec})
	}
	return slices.Clip(all)
}

// ID returns the scheme's id, as contracts name it.
func (s *Scheme) ID() string { return s.rec.ID }

// Header returns the name of the header that carries the signatures.
func (s *Scheme) Header() string { return s.rec.Carrier.Header }

// Headers returns the names of all headers that the scheme reserves, the signature's first.
func (s *Scheme) Headers() []string {
	names := []string{s.rec.Carrier.Header}
	if s.rec.Timestamp.From == fromHeader {
		names = append(names, s.rec.Timestamp.Header)
	}
	if s.rec.MessageID.Header != "" {
		names = append(names, s.rec.MessageID.Header)
	}
	return names
}

// Covers returns what a signature protects: body, and timestamp and id where the scheme signs them.
func (s *Scheme) Covers() []string {
	covers := []string{"body"}
	if s.signs(partTimestamp) {
		covers = append(covers, "timestamp")
	}
	if s.signs(partID) {
		covers = append(covers, "id")
	}
	return covers
}

// Describe returns one line for people: id, title, header and what is covered.
func (s *Scheme) Describe() string {
	return fmt.Sprintf("%s: %s; in %s; covers %s", s.rec.ID, s.rec.Title, s.Header(), strings.Join(s.Covers(), ", "))
}

func (s *Scheme) signs(part string) bool { return slices.Contains(s.rec.SignedContent, part) }
