package signature

import (
	"fmt"
	"hash/crc32"
	"mime"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// material is what signed content is made of.
type material struct {
	req           Request
	id, timestamp string
	body          []byte     // that {body} stands for
	url           string     // the form of the URL that is tried
	item          any        // where the pointers begin; nil: at the body
	form          url.Values // nil: the body is no form, or nobody asked
	doc           document
}

// readMaterial reads what the record's words need beside id and time, and says why they cannot be had.
func (s *Scheme) readMaterial(h headers, m *material) (Reason, string) {
	m.body, m.url = m.req.Body, m.req.URL
	if !s.needsMore {
		return "", ""
	}
	if s.needsForm {
		kind, _ := h.value("Content-Type")
		if isForm(kind) {
			form, err := url.ParseQuery(string(m.req.Body))
			if err != nil {
				return MalformedBody, "the body is no form, as its content type says"
			}
			m.form = form
		}
		if m.form != nil && s.rec.FormField != "" {
			values := m.form[s.rec.FormField]
			if len(values) != 1 {
				return MalformedBody, fmt.Sprintf("the form has the field %s %d times; want it once", s.rec.FormField, len(values))
			}
			m.body = []byte(values[0])
		}
	}
	if m.form == nil && len(m.req.Body) > 0 && s.coversFormAlone() {
		return MalformedBody, "the body is no form by its content type, and nothing else would cover it"
	}
	if s.signs(partURL) && m.req.URL == "" {
		return NoTarget, "the scheme signs the request's URL, which was not handed in"
	}
	if s.signs(partMethod) && m.req.Method == "" {
		return NoTarget, "the scheme signs the request's method, which was not handed in"
	}
	for _, p := range s.parts {
		switch p.word {
		case prefixHeader:
			if _, f := h.single(p.arg); f.Reason != "" {
				return f.Reason, f.Detail
			}
		case prefixConst:
			if v, _ := s.rec.constant(p.arg); v == "" {
				return NoConstant, "the scheme signs " + p.arg + ", which the record has no value for"
			}
		}
	}
	return s.checkQuerySum(m)
}

// coversFormAlone tells whether a body that is no form would not be covered.
func (s *Scheme) coversFormAlone() bool {
	return s.rec.QuerySum == "" && s.signs(partFormSorted) && !s.signs(partBody) && !s.signs(partSHA256)
}

// checkQuerySum compares the digest of the body that the URL carries.
func (s *Scheme) checkQuerySum(m *material) (Reason, string) {
	if s.rec.QuerySum == "" {
		return "", ""
	}
	u, err := url.Parse(m.req.URL)
	if err != nil {
		return NoTarget, "the request's URL is none"
	}
	sum, there := "", false
	if values := u.Query()[s.rec.QuerySum]; len(values) > 0 {
		sum, there = values[0], true
	}
	switch {
	case !there && (m.form != nil || len(m.req.Body) == 0):
		return "", ""
	case !there:
		return Mismatch, "the body is no form, and the URL has no " + s.rec.QuerySum + " that would cover it"
	case !strings.EqualFold(sum, hexSHA256(m.req.Body)):
		return Mismatch, s.rec.QuerySum + " of the URL is not the digest of the body"
	}
	return "", ""
}

func isForm(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/x-www-form-urlencoded"
}

// content makes the signed bytes in pieces, so that a large body is not copied. The pieces hold until the next call with w.
func (s *Scheme) content(w *work, parts []part, m *material) [][]byte {
	w.pieces, w.text = w.pieces[:0], w.text[:0]
	from := 0
	for i := range parts {
		switch p := &parts[i]; p.word {
		case "":
			w.text = append(w.text, p.arg...)
		case partTimestamp:
			w.text = append(w.text, m.timestamp...)
		case partID:
			w.text = append(w.text, m.id...)
		case partBody:
			if len(w.text) > from {
				w.pieces, from = append(w.pieces, w.text[from:len(w.text):len(w.text)]), len(w.text)
			}
			w.pieces = append(w.pieces, m.body)
		default:
			w.text = s.appendPart(w.text, p, m)
		}
	}
	if len(w.text) > from {
		w.pieces = append(w.pieces, w.text[from:])
	}
	return w.pieces
}

// appendPart appends what a rarer part stands for. What is not there is nothing: read has seen to it.
func (s *Scheme) appendPart(dst []byte, p *part, m *material) []byte {
	switch p.word {
	case partMethod:
		return append(dst, m.req.Method...)
	case partURL:
		return append(dst, m.url...)
	case partFormSorted:
		return appendSorted(dst, m.form)
	case partCRC32:
		return strconv.AppendUint(dst, uint64(crc32.ChecksumIEEE(m.body)), 10)
	case partSHA256:
		return append(dst, hexSHA256(m.body)...)
	case prefixHeader:
		value, _ := m.req.headers().value(p.arg)
		return append(dst, value...)
	case prefixPointer:
		text, _ := s.bodyValue(m, p.arg)
		return append(dst, text...)
	case prefixConst:
		value, _ := s.rec.constant(p.arg)
		return append(dst, value...)
	}
	return dst
}

// appendSorted appends the names and values of a form, each pair once, by name and value.
func appendSorted(dst []byte, form url.Values) []byte {
	for _, name := range sortedKeys(form) {
		values := slices.Clone(form[name])
		slices.Sort(values)
		for _, v := range slices.Compact(values) {
			dst = append(append(dst, name...), v...)
		}
	}
	return dst
}

func sortedKeys(form url.Values) []string {
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// urls are the forms of the URL that are tried, each once, and at least one.
func (s *Scheme) urls(given string) []string {
	if len(s.rec.URLVariants) == 0 {
		return []string{given}
	}
	var all []string
	for _, variant := range s.rec.URLVariants {
		if u := urlVariant(given, variant); !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	return all
}

func urlVariant(given, variant string) string {
	u, err := url.Parse(given)
	if err != nil || u.Host == "" {
		return given
	}
	ports := map[string]string{"http": "80", "https": "443"}
	switch {
	case variant == stripPort && u.Port() != "":
		return strings.Replace(given, u.Host, strings.TrimSuffix(u.Host, ":"+u.Port()), 1)
	case variant == addDefaultPort && u.Port() == "" && ports[u.Scheme] != "":
		return strings.Replace(given, u.Host, net.JoinHostPort(u.Hostname(), ports[u.Scheme]), 1)
	}
	return given
}
