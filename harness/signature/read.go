package signature

import (
	"fmt"
	"net/http"
	"strings"
)

// reading is what a request says.
type reading struct {
	material
	claims         []claim
	encodingDetail string // of the last signature that does not decode
}

// read takes apart what the scheme looks at. A finding with a Reason ends the verification.
func (s *Scheme) read(w *work, req *Request) Finding {
	w.req = *req
	h := req.headers()
	r := &w.reading
	if f := s.readSignatures(w, h, r); f.Reason != "" {
		return f
	}
	f := s.readIDAndTime(w, h, r)
	if f.Reason != "" {
		return f
	}
	if f.Reason, f.Detail = s.readMaterial(h, &r.material); f.Reason != "" {
		return f
	}
	if w.n == 0 && len(w.list) == 0 {
		f.Reason, f.Detail = NoSignature, fmt.Sprintf("%s holds no %s", s.Header(), s.rec.Carrier.SignatureTag)
		return f
	}
	if len(w.list) == 0 {
		s.claimCarried(w, r)
	}
	if mf := s.readMirrors(w, h, r); mf.Reason != "" {
		f.Reason, f.Detail = mf.Reason, mf.Detail
		return f
	}
	r.claims = w.list
	return f
}

// readSignatures takes the texts of the signatures from their carrier.
func (s *Scheme) readSignatures(w *work, h headers, r *reading) Finding {
	switch {
	case s.rec.Carrier.BodyPointer != "":
		return s.readBodySignatures(w, r)
	case s.series():
		return s.readSeries(w, h)
	}
	value, f := h.single(s.rec.Carrier.Header)
	if f.Reason != "" {
		return f
	}
	return s.readCarrier(value, s.rec.Carrier.Header, &w.carried)
}

// readSeries takes the headers 1, 2, … up to the first that is absent.
func (s *Scheme) readSeries(w *work, h headers) Finding {
	for n := 1; ; n++ {
		name := s.carrierHeader(n)
		value, f := h.single(name)
		switch {
		case f.Reason == MissingHeader && n > 1:
			return Finding{}
		case f.Reason != "":
			return f
		}
		if f := s.readCarrier(value, name, &w.carried); f.Reason != "" {
			return f
		}
	}
}

// claimCarried makes the claim of the texts that the carrier holds. Those that name another digest than the first need a claim
// of their own, and no known sender makes such.
func (s *Scheme) claimCarried(w *work, r *reading) {
	from := len(w.sums)
	for i := range w.n {
		if w.digests[i] != w.digests[0] {
			r.encodingDetail = fmt.Sprintf("signature %d names another digest than the first", i)
			continue
		}
		if problem := s.decode(w, s.rec.Encoding, w.digests[i], w.texts[i]); problem != "" {
			r.encodingDetail = fmt.Sprintf("signature %d %s", i, problem)
		}
	}
	w.list = append(w.list, claim{digest: w.digests[0], sums: w.sums[from:]})
}

// readMirrors adds a claim for each mirror that came.
func (s *Scheme) readMirrors(w *work, h headers, r *reading) Finding {
	for i := range s.rec.Mirrors {
		m := &s.rec.Mirrors[i]
		value, n := h.value(m.Header)
		if n == 0 {
			continue
		}
		if n > 1 {
			return Finding{Reason: RepeatedHeader, Detail: fmt.Sprintf("%s came %d times", m.Header, n)}
		}
		text, ok := strings.CutPrefix(value, m.Prefix)
		if !ok {
			return malformed(m.Header, "it does not begin with "+m.Prefix)
		}
		from := len(w.sums)
		if problem := s.decode(w, m.Encoding, m.Digest, text); problem != "" {
			r.encodingDetail = m.Header + " " + problem
		}
		w.list = append(w.list, claim{digest: m.Digest, sums: w.sums[from:], what: m.Header})
	}
	return Finding{}
}

// readIDAndTime takes the id and the time from their places.
func (s *Scheme) readIDAndTime(w *work, h headers, r *reading) (f Finding) {
	if name := s.rec.MessageID.Header; name != "" {
		if r.id, f = h.single(name); f.Reason != "" {
			return f
		}
	}
	if p := s.rec.MessageID.Pointer; p != "" {
		if r.id, f = s.bodyValue(&r.material, p); f.Reason != "" {
			return f
		}
	}
	switch s.rec.Timestamp.From {
	case "":
		return Finding{Timeless: true}
	case fromHeader:
		if r.timestamp, f = h.single(s.rec.Timestamp.Header); f.Reason == MissingHeader {
			f.Reason = NoTimestamp
		}
	case fromBody:
		if r.timestamp, f = s.bodyValue(&r.material, s.rec.Timestamp.Pointer); f.Reason == "" && r.timestamp == "" {
			f = Finding{Reason: NoTimestamp, Detail: "the body holds no time at " + s.rec.Timestamp.Pointer}
		}
	default:
		if r.timestamp = w.at; r.timestamp == "" {
			f = Finding{Reason: NoTimestamp, Detail: fmt.Sprintf("%s holds no %s", s.Header(), s.rec.Carrier.TimeTag)}
		}
	}
	if f.Reason != "" {
		return f
	}
	f.SignedAtText = r.timestamp
	f.SignedAt = s.parseTime(r.timestamp)
	return f
}

// Signatures returns the texts of the signatures in h, for those who must look for leaks of them. It is nil if their header is
// absent, repeated or malformed, or if they stand in the body.
func (s *Scheme) Signatures(h http.Header) []string {
	if s.code != nil {
		return s.code.texts(headers{canonical: h})
	}
	var w work
	if s.rec.Carrier.BodyPointer != "" || s.rec.Algorithm == algorithmToken {
		return nil
	}
	if f := s.readSignatures(&w, headers{canonical: h}, &reading{}); f.Reason != "" {
		return nil
	}
	return append([]string(nil), w.texts[:w.n]...)
}
