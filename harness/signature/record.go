package signature

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Words of a record. A scheme that needs another word needs code for it in this package, and nowhere else.
const (
	algorithmHMAC    = "hmac"         // what an empty algorithm means
	algorithmToken   = "token"        // the key itself is sent: nothing is signed
	algorithmEd25519 = "ed25519"      // over the content itself
	algorithmECDSA   = "ecdsa-p256"   // over the content's digest, in ASN.1 DER
	algorithmRSA     = "rsa-pkcs1v15" // over the content's digest
	algorithmRFC9421 = "rfc9421"      // HTTP Message Signatures: code, see rfc9421.go
	algorithmRFC9530 = "rfc9530"      // Content-Digest, without any key: code, see rfc9530.go
	decodeRaw        = "raw"          // the text is the key
	decodeBase64     = "base64"       // standard alphabet, padded
	decodeBase64URL  = "base64url"    // URL alphabet, unpadded
	decodeHex        = "hex"          // either case
	decodePEM        = "pem"          // of a public or private key, or of a certificate
	encodingRaw      = "raw"          // of a token alone
	encodingHex      = "hex"          // lower case, unless hex_case_insensitive
	encodingBase64   = "base64"       // standard alphabet, padded
	encodingB64URL   = "base64url"    // URL alphabet, unpadded
	fromCarrier      = "carrier"      // a pair of the signature's header
	fromHeader       = "header"       // a header of its own
	fromBody         = "body"         // a value of the JSON body
	formatUnixSecs   = "unix_s"       // decimal
	formatUnixMillis = "unix_ms"      // decimal
	formatRFC3339    = "rfc3339"      // with or without a fraction of the second
	asIs             = "as_is"        // the URL as it was given
	stripPort        = "strip_port"   // without its port
	addDefaultPort   = "add_port"     // with the port of its scheme, where it names none
	holder           = "{n}"          // stands for 1, 2, … in the name of a header that carries one signature each
)

// Record is the declarative form of a scheme: a plain value, one JSON file each in schemes/, or the record of a contract. Change it
// field by field and Compile it to get another scheme. What is empty is not there.
type Record struct {
	ID    string `json:"id" yaml:"id"`
	Title string `json:"title" yaml:"title"`
	// Like names a built-in scheme whose fields hold where this record has none of its own. It is empty once a record is read.
	Like string `json:"like,omitempty" yaml:"like,omitempty"`
	// Algorithm is hmac (or empty), token, ed25519, ecdsa-p256, rsa-pkcs1v15, rfc9421 or rfc9530.
	Algorithm string `json:"algorithm,omitempty" yaml:"algorithm,omitempty"`
	Secret    Secret `json:"secret,omitzero" yaml:"secret,omitempty"`
	Digest    string `json:"digest,omitempty" yaml:"digest,omitempty"` // md5, sha1, sha256, sha384, sha512
	// DigestNamed lists the digests that the text before the first = of a signature may name instead: X-Hub-Signature. Sign
	// writes Digest there.
	DigestNamed        []string  `json:"digest_named,omitempty" yaml:"digest_named,omitempty"`
	Encoding           string    `json:"encoding,omitempty" yaml:"encoding,omitempty"` // hex, base64, base64url; raw of a token
	HexCaseInsensitive bool      `json:"hex_case_insensitive,omitempty" yaml:"hex_case_insensitive,omitempty"`
	Carrier            Carrier   `json:"carrier,omitzero" yaml:"carrier,omitempty"`
	Mirrors            []Mirror  `json:"mirrors,omitempty" yaml:"mirrors,omitempty"`
	Timestamp          Timestamp `json:"timestamp,omitzero" yaml:"timestamp,omitempty"`
	MessageID          MessageID `json:"message_id,omitzero" yaml:"message_id,omitempty"`
	// SignedContent are the signed bytes in order, words in braces between texts that stand for themselves: {id}, {timestamp}, {body},
	// {method}, {url}, {form_sorted}, {body_crc32}, {body_sha256}, {header:NAME}, {pointer:/PATH}, {const:NAME}. See parts.go.
	SignedContent []string `json:"signed_content,omitempty" yaml:"signed_content,omitempty"`
	// Partial says that the body is not covered as a whole, on purpose: else content without the body is refused as a slip.
	Partial bool `json:"partial,omitempty" yaml:"partial,omitempty"`
	// FormField is what {body} stands for where the request is a form: the decoded value of that field, and not the wire's bytes.
	FormField string `json:"form_field,omitempty" yaml:"form_field,omitempty"`
	// URLVariants are the forms of the URL that are tried in order: as_is, strip_port, add_port. Empty: as_is.
	URLVariants []string `json:"url_variants,omitempty" yaml:"url_variants,omitempty"`
	// QuerySum is a parameter of the URL's query that must be the hex SHA-256 of the body, and must be there unless the body is
	// a form or empty.
	QuerySum string `json:"query_sum,omitempty" yaml:"query_sum,omitempty"`
	// Constants are signed and not sent: {const:NAME}. One without a value must be set before anything can be verified.
	Constants []Constant `json:"constants,omitempty" yaml:"constants,omitempty"`
	// CertificateHeader names the URL of the signer's certificate, for those who fetch it: see Certificates.
	CertificateHeader string `json:"certificate_header,omitempty" yaml:"certificate_header,omitempty"`
	// Components are what Sign covers, and Require what a signature must cover at least (body, timestamp, method, target), both
	// of RFC 9421 alone.
	Components []string `json:"components,omitempty" yaml:"components,omitempty"`
	Require    []string `json:"require,omitempty" yaml:"require,omitempty"`
}

// Secret says how a key's text becomes its bytes. Nothing is guessed: whsec_ stands for three different things among the schemes.
type Secret struct {
	StripPrefix  string `json:"strip_prefix,omitempty" yaml:"strip_prefix,omitempty"`   // removed if present
	PublicPrefix string `json:"public_prefix,omitempty" yaml:"public_prefix,omitempty"` // the same, of a public key
	Decode       string `json:"decode,omitempty" yaml:"decode,omitempty"`               // raw, base64, base64url, hex, pem
	MinBytes     int    `json:"min_bytes,omitempty" yaml:"min_bytes,omitempty"`         // of the decoded key; 0: at least one
	MaxBytes     int    `json:"max_bytes,omitempty" yaml:"max_bytes,omitempty"`         // 0: no limit
}

// Carrier says where signatures stand, and by which grammar.
type Carrier struct {
	// Header is the header's name. With {n} in it, each signature has a header of its own, numbered from 1.
	Header      string `json:"header,omitempty" yaml:"header,omitempty"`
	BodyPointer string `json:"body_pointer,omitempty" yaml:"body_pointer,omitempty"` // JSON pointer instead of a header
	// Each is the JSON pointer of a list whose items are signed one by one. All pointers of the record begin at an item then.
	Each string `json:"each,omitempty" yaml:"each,omitempty"`
	// Prefix stands before the signature where there are no pairs: sha256=
	Prefix string `json:"prefix,omitempty" yaml:"prefix,omitempty"`
	// PairSep parts pairs of tag and value; without it the value is one signature, or several with ValueSep.
	PairSep      string `json:"pair_sep,omitempty" yaml:"pair_sep,omitempty"`
	KVSep        string `json:"kv_sep,omitempty" yaml:"kv_sep,omitempty"` // a pair is split at the first one only: base64 values hold = signs
	TimeTag      string `json:"time_tag,omitempty" yaml:"time_tag,omitempty"`
	SignatureTag string `json:"signature_tag,omitempty" yaml:"signature_tag,omitempty"` // pairs with other tags are ignored
	ValueSep     string `json:"value_sep,omitempty" yaml:"value_sep,omitempty"`         // between the signatures of one value
}

// Mirror is a header that carries one more signature of the same content with the same key. It may be absent; if it is there, it must
// be right as well.
type Mirror struct {
	Header   string `json:"header" yaml:"header"`
	Prefix   string `json:"prefix,omitempty" yaml:"prefix,omitempty"`
	Digest   string `json:"digest" yaml:"digest"`
	Encoding string `json:"encoding" yaml:"encoding"`
}

// Timestamp says where the signed time stands. A time that no signature covers is left out of a record, since it proves nothing.
type Timestamp struct {
	From    string `json:"from,omitempty" yaml:"from,omitempty"` // carrier, header, body; empty: there is none
	Header  string `json:"header,omitempty" yaml:"header,omitempty"`
	Pointer string `json:"pointer,omitempty" yaml:"pointer,omitempty"`
	Format  string `json:"format,omitempty" yaml:"format,omitempty"` // unix_s, unix_ms, rfc3339
	// PastS and FutureS are how many seconds verifiers are told to tolerate; 0: nothing is published.
	PastS   int `json:"past_s,omitempty" yaml:"past_s,omitempty"`
	FutureS int `json:"future_s,omitempty" yaml:"future_s,omitempty"`
}

// MessageID says where the signed id stands: in a header, or at a JSON pointer of the body.
type MessageID struct {
	Header  string `json:"header,omitempty" yaml:"header,omitempty"`
	Pointer string `json:"pointer,omitempty" yaml:"pointer,omitempty"`
}

// Constant is a value that is signed and not sent.
type Constant struct {
	Name  string `json:"name" yaml:"name"`
	Value string `json:"value,omitempty" yaml:"value,omitempty"`
}

// DecodeRecord reads a record from JSON. Unknown fields are refused; fields that are left out are those of the scheme that Like
// names. Compile says whether it can be used.
func DecodeRecord(text []byte) (Record, error) {
	var like struct{ Like string }
	if err := json.Unmarshal(text, &like); err != nil {
		return Record{}, fmt.Errorf("decode: %w", err)
	}
	r := Record{}
	if like.Like != "" {
		base, err := builtIn(like.Like)
		if err != nil {
			return Record{}, fmt.Errorf("like: %w", err)
		}
		r = base
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return Record{}, fmt.Errorf("decode: %w", err)
	}
	r.Like = ""
	return r, nil
}

func (r Record) constant(name string) (value string, known bool) {
	for _, c := range r.Constants {
		if c.Name == name {
			return c.Value, true
		}
	}
	return "", false
}

// inPairs tells whether the carrier holds pairs of tag and value.
func (c Carrier) inPairs() bool { return c.PairSep != "" }
