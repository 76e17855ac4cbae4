package signature

import (
	"fmt"
	"strings"
)

// Layout tells people how a scheme signs, so that they can do it by hand. Words in braces stand for values.
type Layout struct {
	Headers []string // each as it is sent
	Signs   string   // the bytes under the signature
	Key     string   // how the key comes from the secret's text
	// Shell prints the signature by openssl: SECRET, TIME (and ID, where it is signed) are variables, body.json the body.
	Shell string
}

// Layout returns how the scheme signs.
func (s *Scheme) Layout() Layout {
	r := s.rec
	value := r.Carrier.SignatureTag + r.Carrier.KVSep + "{" + r.Encoding + " of HMAC-SHA256}"
	if r.Carrier.TimeTag != "" {
		value = r.Carrier.TimeTag + r.Carrier.KVSep + partTimestamp + r.Carrier.PairSep + value
	}
	l := Layout{Headers: []string{r.Carrier.Header + ": " + value}, Signs: strings.Join(r.SignedContent, "")}
	if r.Timestamp.From == fromHeader {
		l.Headers = append(l.Headers, r.Timestamp.Header+": "+partTimestamp)
	}
	if r.MessageID.Header != "" {
		l.Headers = append(l.Headers, r.MessageID.Header+": "+partID)
	}
	l.Key, l.Shell = s.keyForm(), s.shell()
	return l
}

func (s *Scheme) keyForm() string {
	k := s.rec.Secret
	if k.Decode == decodeRaw {
		return "the secret's text as it is"
	}
	size := ""
	if k.MinBytes > 0 && k.MaxBytes > 0 {
		size = fmt.Sprintf(", %d to %d bytes", k.MinBytes, k.MaxBytes)
	}
	return fmt.Sprintf("%s and the key in %s%s", k.StripPrefix, k.Decode, size)
}

// shell is a line for any POSIX shell.
func (s *Scheme) shell() string {
	before, after, _ := strings.Cut(strings.Join(s.rec.SignedContent, ""), partBody)
	vars := strings.NewReplacer(partTimestamp, "$TIME", partID, "$ID")
	content := fmt.Sprintf(`printf %%s "%s"; cat body.json`, vars.Replace(before))
	if after != "" {
		content += fmt.Sprintf(`; printf %%s "%s"`, vars.Replace(after))
	}
	key := `-hmac "$SECRET"`
	if s.rec.Secret.Decode == decodeBase64 {
		key = fmt.Sprintf(`-mac HMAC -macopt "hexkey:$(printf %%s "${SECRET#%s}" | base64 -d | od -An -v -tx1 | tr -d ' \n')"`, s.rec.Secret.StripPrefix)
	}
	form := "-r | cut -d' ' -f1"
	if s.rec.Encoding == encodingBase64 {
		form = "-binary | base64"
	}
	return fmt.Sprintf("{ %s; } | openssl dgst -sha256 %s %s", content, key, form)
}
