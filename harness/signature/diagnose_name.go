package signature

import (
	"fmt"
	"net/http"
	"strings"
)

// Bounds of the fields that are looked at where a header is absent.
const (
	maxNamed    = 64  // fields; requests have some twenty
	maxShown    = 64  // bytes of a name that is told
	maxRenaming = 256 // bytes of a name that is looked at
)

// explainMissing looks for a signature that stands in a header of another name, with its time and id in headers that are named alike.
func (s *Scheme) explainMissing(req Request, usable []usableKey, f *Finding) {
	if f.Reason != MissingHeader && f.Reason != NoTimestamp || s.series() || s.rec.Algorithm == algorithmToken || len(usable) == 0 || len(req.Body) > maxDiagnosedBody {
		return
	}
	fields := req.fields()
	for _, declared := range s.ownHeaders() {
		if _, n := req.headers().value(declared); n > 0 {
			continue
		}
		for _, field := range fields[:min(len(fields), maxNamed)] {
			if len(field[0]) > maxRenaming {
				continue
			}
			again := renamed(req, fields, declared, field[0])
			var w work
			g := s.read(&w, &again)
			f.Tried++
			if g.Reason == "" && len(s.verifying(&w, usable)) > 0 {
				f.Causes = []string{causeHeaderName}
				f.Detail += fmt.Sprintf("; it verifies by what stands in %.*q", maxShown, field[0])
				return
			}
		}
	}
}

// ownHeaders are the names that a request of the scheme has to have.
func (s *Scheme) ownHeaders() (names []string) {
	for _, name := range []string{s.rec.Carrier.Header, s.rec.Timestamp.Header, s.rec.MessageID.Header} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// renamed is the request with that field under the declared name, and others that differ in the same way under theirs: who calls
// Webhook-Signature Svix-Signature has Svix-Id as well.
func renamed(req Request, fields [][2]string, declared, found string) Request {
	ours, theirs := unlike(strings.ToLower(declared), strings.ToLower(found))
	again := req
	again.Fields, again.Header = nil, http.Header{}
	for _, f := range fields {
		name := strings.ToLower(f[0])
		switch rest, alike := strings.CutPrefix(name, theirs); {
		case strings.EqualFold(f[0], found):
			name = declared
		case alike && theirs != "":
			again.Header.Add(ours+rest, f[1])
		}
		again.Header.Add(name, f[1])
	}
	return again
}

// unlike is what remains of two names without the words that both end with.
func unlike(a, b string) (string, string) {
	as, bs := strings.SplitAfter(a, "-"), strings.SplitAfter(b, "-")
	for len(as) > 0 && len(bs) > 0 && as[len(as)-1] == bs[len(bs)-1] {
		as, bs = as[:len(as)-1], bs[:len(bs)-1]
	}
	return strings.Join(as, ""), strings.Join(bs, "")
}
