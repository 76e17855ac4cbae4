package evidence

import (
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
	if !utf8.Valid(r) || strings.HasPrefix(string(r), base64Prefix) {
		return json.Marshal(base64Prefix + base64.StdEncoding.EncodeToString(r))
	}
	return json.Marshal(string(r))
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Raw) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
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
