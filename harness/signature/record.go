package signature

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Words of a record. A scheme that needs another word needs code for it here, and nowhere else.
const (
	decodeRaw    = "raw"
	decodeBase64 = "base64"

	digestSHA256 = "sha256"

	encodingHex    = "hex"
	encodingBase64 = "base64"

	fromCarrier = "carrier"
	fromHeader  = "header"

	formatUnixSeconds = "unix_s"

	partID        = "{id}"
	partTimestamp = "{timestamp}"
	partBody      = "{body}"
)

// record is the declarative form of a scheme, one file each. Parts of SignedContent that are no {word} stand for
// themselves.
type record struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Secret struct {
		StripPrefix string `json:"strip_prefix"` // removed if present
		Decode      string `json:"decode"`
		MinBytes    int    `json:"min_bytes"` // of the decoded key; 0: at least one
		MaxBytes    int    `json:"max_bytes"` // 0: no limit
	} `json:"secret"`
	Digest             string `json:"digest"`
	Encoding           string `json:"encoding"`
	HexCaseInsensitive bool   `json:"hex_case_insensitive"`
	Carrier            struct {
		Header       string `json:"header"`
		PairSep      string `json:"pair_sep"`
		KVSep        string `json:"kv_sep"` // a pair is split at the first one only: base64 values hold = signs
		TimeTag      string `json:"time_tag"`
		SignatureTag string `json:"signature_tag"` // pairs with other tags are ignored
	} `json:"carrier"`
	Timestamp struct {
		From   string `json:"from"`
		Header string `json:"header"`
		Format string `json:"format"`
	} `json:"timestamp"`
	MessageID struct {
		Header string `json:"header"`
	} `json:"message_id"`
	SignedContent []string `json:"signed_content"`
}

func decodeRecord(text []byte) (record, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var r record
	if err := dec.Decode(&r); err != nil {
		return record{}, fmt.Errorf("decode: %w", err)
	}
	return r, r.check()
}

// check refuses words that no code stands behind; a record must not be read as a weaker scheme than it says.
func (r record) check() error {
	var errs []error
	one := func(field, got string, known ...string) {
		if !slices.Contains(known, got) {
			errs = append(errs, fmt.Errorf("%s: %q is unknown; known are %q", field, got, known))
		}
	}
	one("secret.decode", r.Secret.Decode, decodeRaw, decodeBase64)
	one("digest", r.Digest, digestSHA256)
	one("encoding", r.Encoding, encodingHex, encodingBase64)
	one("timestamp.from", r.Timestamp.From, fromCarrier, fromHeader)
	one("timestamp.format", r.Timestamp.Format, formatUnixSeconds)
	for _, f := range []struct {
		field   string
		missing bool
	}{
		{"id", r.ID == ""},
		{"title", r.Title == ""},
		{"carrier.header", r.Carrier.Header == ""},
		{"carrier.pair_sep", r.Carrier.PairSep == ""},
		{"carrier.kv_sep", r.Carrier.KVSep == ""},
		{"carrier.time_tag", r.Timestamp.From == fromCarrier && r.Carrier.TimeTag == ""},
		{"carrier.signature_tag", r.Carrier.SignatureTag == ""},
		{"timestamp.header", r.Timestamp.From == fromHeader && r.Timestamp.Header == ""},
		{"message_id.header", slices.Contains(r.SignedContent, partID) && r.MessageID.Header == ""},
	} {
		if f.missing {
			errs = append(errs, fmt.Errorf("%s: is missing", f.field))
		}
	}
	for _, part := range r.SignedContent {
		if strings.HasPrefix(part, "{") {
			one("signed_content", part, partID, partTimestamp, partBody)
		}
	}
	if !slices.Contains(r.SignedContent, partBody) {
		errs = append(errs, errors.New("signed_content: {body} is missing"))
	}
	return errors.Join(errs...)
}
