package refsender

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/signature"
)

// asciiEnd is the first byte that is not ASCII.
const asciiEnd = 0x80

// asciiOnly writes JSON with every character beyond ASCII as an escape, as many serialisers do. They stand in strings only, so the
// JSON means the same.
func asciiOnly(body []byte) []byte {
	var out bytes.Buffer
	for len(body) > 0 {
		r, size := utf8.DecodeRune(body)
		switch {
		case r < asciiEnd:
			out.WriteByte(body[0])
		case r > 0xffff: // beyond what one escape holds
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		body = body[size:]
	}
	return out.Bytes()
}

// byText sets a signature whose key is the secret as it is written instead of the bytes that it stands for. A scheme whose
// secrets stand for themselves keeps its right signature.
func byText(s *signature.Scheme, h http.Header, c signature.Content, secret string) {
	if s.ID() != "standard-webhooks-v1" {
		return
	}
	m := hmac.New(sha256.New, []byte(secret))
	m.Write(fmt.Appendf(nil, "%s.%d.%s", c.ID, c.At.Unix(), c.Body)) // a hash never returns an error
	h.Set(s.Header(), "v1,"+base64.StdEncoding.EncodeToString(m.Sum(nil)))
}
