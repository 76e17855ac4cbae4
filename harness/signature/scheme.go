// Package signature signs, verifies and diagnoses webhook requests. Each scheme is a record in schemes/; the code knows
// only the forms that a record can name, and HTTP Message Signatures, which no record could hold. It has no clock and no
// network: callers hand in every time, and every certificate.
package signature

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/internal/near"
)

//go:embed schemes/*.json
var schemeFiles embed.FS

// Scheme is a way to sign requests. It is immutable and safe for concurrent use. Lookup, Schemes and Compile make one.
type Scheme struct {
	rec   Record
	parts []part
	// base64 is the strict decoder of the record's alphabet; making one allocates.
	base64 *base64.Encoding
	code   coded // nil: the record says all
	// needsForm tells whether a body that is a form is looked into.
	needsForm bool
	// needsMore tells whether the content needs more of a request than body, id and time: what is asked for each request is found once.
	needsMore bool
	targeted  bool
}

// coded is a scheme whose grammar no record can hold.
type coded interface {
	// headers are the names that it reserves, the signature's first.
	headers() []string
	// covers are what a signature protects that is as good as the record wants it.
	covers() []string
	sign(c Content, keys []string) ([][2]string, error)
	// verify says by which of the keys a request verifies, and what was covered.
	verify(r Request, keys []usableKey) Finding
	// signed is what the first signature covers.
	signed(r Request) ([]byte, bool)
	// texts are the texts of the signatures.
	texts(h headers) []string
}

// Compile makes a scheme of a record. It refuses words that no code stands behind, and whatever would make of a record a weaker
// scheme than it says; the error joins all that is wrong, by field.
func Compile(r Record) (*Scheme, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	parts, err := parseParts(r.SignedContent)
	if err != nil {
		return nil, err
	}
	s := &Scheme{rec: r.clone(), parts: parts, base64: base64.StdEncoding.Strict()}
	s.needsForm = r.FormField != "" || r.QuerySum != "" || s.signs(partFormSorted)
	s.needsMore = s.needsForm || slices.ContainsFunc(parts, func(p part) bool {
		return slices.Contains([]string{partURL, partMethod, prefixHeader, prefixConst}, p.word)
	})
	s.targeted = r.Algorithm == algorithmRFC9421 || s.signs(partURL) || s.signs(partMethod)
	if r.Encoding == encodingB64URL {
		s.base64 = base64.RawURLEncoding.Strict()
	}
	switch r.Algorithm {
	case algorithmRFC9421:
		s.code = messageSignatures{s}
	case algorithmRFC9530:
		s.code = contentDigest{digest: r.Digest}
	}
	return s, nil
}

// clone shares nothing with the caller's record.
func (r Record) clone() Record {
	for _, list := range []*[]string{&r.DigestNamed, &r.SignedContent, &r.URLVariants, &r.Components, &r.Require} {
		*list = slices.Clone(*list)
	}
	r.Mirrors, r.Constants = slices.Clone(r.Mirrors), slices.Clone(r.Constants)
	return r
}

// Record returns a copy of the scheme's record. Change its fields and Compile it for a variant of the scheme.
func (s *Scheme) Record() Record { return s.rec.clone() }

// Lookup returns the scheme with that id, or the one whose record stands there in JSON. It decodes the embedded record, so callers
// keep what it returns. The error of an unknown id has the one that was probably meant.
func Lookup(id string) (*Scheme, error) {
	decode := builtIn
	if strings.HasPrefix(id, "{") {
		decode = func(text string) (Record, error) { return DecodeRecord([]byte(text)) }
	}
	r, err := decode(id)
	if err != nil {
		return nil, err
	}
	return Compile(r)
}

// builtIn returns the embedded record with that id.
func builtIn(id string) (Record, error) {
	if ids := IDs(); !slices.Contains(ids, id) {
		return Record{}, fmt.Errorf("signature scheme %s is unknown%s; hookassay list schemes names them", quoted(id), near.Meant(id, ids))
	}
	text, err := schemeFiles.ReadFile("schemes/" + id + ".json")
	if err != nil {
		return Record{}, fmt.Errorf("read the embedded scheme %s: %w", id, err)
	}
	r, err := DecodeRecord(text)
	if err != nil {
		return Record{}, fmt.Errorf("embedded scheme %s: %w", id, err)
	}
	return r, nil
}

// quoted cuts what may be a whole file that was meant for another place.
func quoted(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}

// IDs returns the ids of all schemes that come with the program, in order.
func IDs() []string {
	entries, err := schemeFiles.ReadDir("schemes")
	if err != nil {
		panic(fmt.Sprintf("read the embedded schemes: %v", err))
	}
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = strings.TrimSuffix(e.Name(), ".json")
	}
	slices.Sort(ids)
	return ids
}

// Schemes returns all schemes that come with the program in order of their ids. A record that cannot be used is a slip of whoever built
// the program, and panics.
func Schemes() []*Scheme {
	ids := IDs()
	all := make([]*Scheme, len(ids))
	for i, id := range ids {
		s, err := Lookup(id)
		if err != nil {
			panic(fmt.Sprintf("embedded scheme %s: %v", id, err))
		}
		all[i] = s
	}
	return all
}

// ID returns the scheme's id, as contracts name it.
func (s *Scheme) ID() string { return s.rec.ID }

// Header returns the name of the header that carries the signatures, the first one where each has its own; it is empty where they stand
// in the body.
func (s *Scheme) Header() string {
	if s.code != nil {
		return s.code.headers()[0]
	}
	return s.carrierHeader(1)
}

// carrierHeader is the name of the n-th header that carries signatures, from 1.
func (s *Scheme) carrierHeader(n int) string {
	return strings.Replace(s.rec.Carrier.Header, holder, strconv.Itoa(n), 1)
}

// InBody tells whether signatures stand in the body, into which SignBody puts them.
func (s *Scheme) InBody() bool { return s.code == nil && s.rec.Carrier.BodyPointer != "" }

// CarriesIn tells whether a header of that name carries signatures.
func (s *Scheme) CarriesIn(header string) bool {
	if s.code != nil {
		return strings.EqualFold(header, headerSignature)
	}
	before, after, series := strings.Cut(s.rec.Carrier.Header, holder)
	if n := len(header) - len(after); series && n > len(before) && strings.EqualFold(header[:len(before)], before) && strings.EqualFold(header[n:], after) {
		return isDigits(header[len(before):n])
	}
	mirrored := func(m Mirror) bool { return strings.EqualFold(m.Header, header) }
	return strings.EqualFold(header, s.rec.Carrier.Header) || slices.ContainsFunc(s.rec.Mirrors, mirrored)
}

// Keyed tells whether there is a key at all.
func (s *Scheme) Keyed() bool { return s.rec.Algorithm != algorithmRFC9530 }

// Targeted tells whether a signature may cover the method or the URL, so that verifiers need them.
func (s *Scheme) Targeted() bool { return s.targeted }

// series tells whether each signature has a header of its own.
func (s *Scheme) series() bool { return strings.Contains(s.rec.Carrier.Header, holder) }

// Headers returns the names of all headers that the scheme reserves, the signature's first.
func (s *Scheme) Headers() []string {
	if s.code != nil {
		return s.code.headers()
	}
	var names []string
	for _, name := range []string{s.Header(), s.rec.Timestamp.Header, s.rec.MessageID.Header} {
		if name != "" {
			names = append(names, name)
		}
	}
	for _, m := range s.rec.Mirrors {
		names = append(names, m.Header)
	}
	return names
}

// Describe returns one line for people: id, title, header and what is covered.
func (s *Scheme) Describe() string {
	where := s.Header()
	if where == "" {
		where = "the body"
	}
	return fmt.Sprintf("%s: %s; in %s; covers %s", s.rec.ID, s.rec.Title, where, s.coversText())
}

// Text is what Lookup makes the scheme of again: its id where it comes with the program as it is, else its record in JSON.
func (s *Scheme) Text() string {
	if r, err := builtIn(s.rec.ID); err == nil && reflect.DeepEqual(r, s.rec) {
		return s.rec.ID
	}
	text, err := json.Marshal(s.rec)
	if err != nil {
		panic(fmt.Sprintf("encode the record of %s: %v", s.rec.ID, err)) // of texts and numbers alone
	}
	return string(text)
}
