package signature

import (
	"fmt"
	"strings"
)

// Layout tells people how a scheme signs, so that they can do it by hand. Words in braces stand for values.
type Layout struct {
	Digest  string   // how the signature is made
	Headers []string // each as it is sent
	Signs   string   // the bytes under the signature; empty: none
	Key     string   // how the key comes from the secret's text
	// Shell prints the signature by openssl: SECRET, TIME (and ID, where it is signed) are variables, body.json the body. It is empty
	// where one line of it cannot.
	Shell string
}

// Layout returns how the scheme signs.
func (s *Scheme) Layout() Layout {
	l := Layout{Digest: s.digestText(), Key: s.keyForm(), Shell: s.shell()}
	if s.code != nil {
		l.Headers = s.code.headers()
		return l
	}
	r := s.rec
	value := s.writeCarrier(partTimestamp, []string{"{" + strings.TrimSpace(strings.TrimPrefix(r.Encoding, encodingRaw)+" of "+l.Digest) + "}"})
	where := s.rec.Carrier.Header
	if where == "" {
		where = "body " + r.Carrier.Each + r.Carrier.BodyPointer
	}
	l.Headers = []string{where + ": " + value}
	if r.Timestamp.From == fromHeader {
		l.Headers = append(l.Headers, r.Timestamp.Header+": "+partTimestamp)
	}
	if r.Timestamp.From == fromBody {
		l.Headers = append(l.Headers, "body "+r.Timestamp.Pointer+": "+partTimestamp)
	}
	if r.MessageID.Header != "" {
		l.Headers = append(l.Headers, r.MessageID.Header+": "+partID)
	}
	if r.MessageID.Pointer != "" {
		l.Headers = append(l.Headers, "body "+r.MessageID.Pointer+": "+partID)
	}
	for _, m := range r.Mirrors {
		l.Headers = append(l.Headers, fmt.Sprintf("%s: %s{%s of HMAC-%s}", m.Header, m.Prefix, m.Encoding, strings.ToUpper(m.Digest)))
	}
	l.Signs = strings.Join(r.SignedContent, "")
	return l
}

// digestText names how a signature is made.
func (s *Scheme) digestText() string {
	digest := strings.ToUpper(s.rec.Digest)
	switch s.rec.Algorithm {
	case algorithmToken:
		return "the key itself"
	case algorithmEd25519:
		return "Ed25519"
	case algorithmECDSA:
		return "ECDSA P-256 " + digest
	case algorithmRSA:
		return "RSA PKCS #1 v1.5 " + digest
	case algorithmRFC9421:
		return "by key: HMAC-SHA256, Ed25519, ECDSA P-256, RSA"
	case algorithmRFC9530:
		return digest + ", without a key"
	}
	return "HMAC-" + digest
}

// shell is a line for any POSIX shell.
func (s *Scheme) shell() string {
	if !s.rec.hmac() || s.rec.Carrier.BodyPointer != "" || s.rec.FormField != "" {
		return ""
	}
	for _, p := range s.parts {
		if p.word != "" && p.word != partID && p.word != partTimestamp && p.word != partBody {
			return ""
		}
	}
	before, after, _ := strings.Cut(strings.Join(s.rec.SignedContent, ""), partBody)
	vars := strings.NewReplacer(partTimestamp, "$TIME", partID, "$ID")
	content := "cat body.json"
	if before != "" {
		content = fmt.Sprintf(`printf %%s "%s"; cat body.json`, vars.Replace(before))
	}
	if after != "" {
		content += fmt.Sprintf(`; printf %%s "%s"`, vars.Replace(after))
	}
	form := "-r | cut -d' ' -f1"
	switch s.rec.Encoding {
	case encodingBase64:
		form = "-binary | base64 | tr -d '\\n'"
	case encodingB64URL:
		form = "-binary | base64 | tr -d '=\\n' | tr '+/' '-_'"
	}
	return fmt.Sprintf("{ %s; } | openssl dgst -%s %s %s", content, s.rec.Digest, s.shellKey(), form)
}

func (s *Scheme) shellKey() string {
	secret := "$SECRET"
	if prefix := s.rec.Secret.StripPrefix; prefix != "" {
		secret = "${SECRET#" + prefix + "}"
	}
	switch s.rec.Secret.Decode {
	case decodeBase64:
		return fmt.Sprintf(`-mac HMAC -macopt "hexkey:$(printf %%s "%s" | base64 -d | od -An -v -tx1 | tr -d ' \n')"`, secret)
	case decodeBase64URL:
		return fmt.Sprintf(`-mac HMAC -macopt "hexkey:$(printf %%s "%s==" | tr '_-' '/+' | base64 -d 2>/dev/null | od -An -v -tx1 | tr -d ' \n')"`, secret)
	case decodeHex:
		return fmt.Sprintf(`-mac HMAC -macopt "hexkey:%s"`, secret)
	}
	return fmt.Sprintf(`-hmac "%s"`, secret)
}
