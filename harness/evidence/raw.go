package evidence

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Raw is bytes as they were on the wire. In JSON it is a plain string where that is exact, so that people can read and
// search the evidence, and "base64:…" otherwise.
type Raw []byte

const base64Prefix = "base64:"

// MarshalJSON implements json.Marshaler.
func (r Raw) MarshalJSON() ([]byte, error) {
	text := string(r)
	if !utf8.Valid(r) || strings.HasPrefix(text, base64Prefix) {
		text = base64Prefix + base64.StdEncoding.EncodeToString(r)
	}
	b, err := encode(text)
	return bytes.TrimSuffix(b, []byte("\n")), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Raw) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s == "" {
		*r = nil
		return nil
	}
	rest, ok := strings.CutPrefix(s, base64Prefix)
	if !ok {
		*r = Raw(s)
		return nil
	}
	dec, err := base64.StdEncoding.DecodeString(rest)
	if err != nil {
		return fmt.Errorf("raw bytes: %w", err)
	}
	*r = dec
	return nil
}
