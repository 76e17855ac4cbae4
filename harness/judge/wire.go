package judge

import (
	"mime"
	"strings"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

// "The media type is the declared one, and the fields of id and signature stand there once": on every request of an event. That
// one of them is missing is the id's and the signature's own checks'.
func wireHeaders(v *view) Verdict {
	t := &tally{v: v}
	v.signed(func(r *request) {
		if why := v.oddHeaders(r); why != "" {
			t.breaks([]int{r.a.N}, "%s %s", which(r), why)
			return
		}
		t.hold(r.a.N)
	})
	return t.sum("media type and reserved headers are as declared (requests: %d)", "no request arrived")
}

// oddHeaders says what is wrong with the headers of a request; "" if nothing is.
func (v *view) oddHeaders(r *request) string {
	for _, name := range v.t.reserved() {
		if n := r.fields(name); n > 1 {
			return "carries " + num(n) + " fields " + name + "; promised one of the sender's own"
		}
		if v.imposed(r, name) {
			return "carries in " + name + " what its endpoint was configured with; promised the sender's own"
		}
	}
	if b := v.t.c.Body; b != nil && b.MediaType != "" {
		return otherMedia(b.MediaType, r)
	}
	return ""
}

// imposed tells whether a header of a request has the value that its endpoint was configured with, against what the sender itself is
// to write there. A media type may be the right one all the same.
func (v *view) imposed(r *request, name string) bool {
	want, ok := configured(v.endpoint(r.a.Endpoint), name)
	return ok && r.head.Get(name) == want && (!strings.EqualFold(name, "Content-Type") || v.t.c.Body == nil || otherMedia(v.t.c.Body.MediaType, r) != "")
}

// configured returns the value of a header that an endpoint was configured with.
func configured(ep *evidence.Endpoint, name string) (string, bool) {
	if ep == nil {
		return "", false
	}
	for k, value := range ep.Headers {
		if strings.EqualFold(k, name) {
			return value, true
		}
	}
	return "", false
}

// Reserved names the header fields that are the sender's own under a contract, whatever an endpoint asks for.
func Reserved(c *contract.Contract) []string {
	t := &trial{c: c}
	if c.Signature != nil {
		t.scheme, _ = signature.Lookup(c.Signature.Scheme) // an unknown scheme names none
	}
	return t.reserved()
}

// reserved names the header fields that are the sender's own.
func (t *trial) reserved() []string {
	names := []string{"Content-Type"}
	if id := t.c.Identity; id != nil && id.Header != "" {
		names = append(names, id.Header)
	}
	if t.scheme != nil {
		for _, name := range t.scheme.Headers() {
			if !strings.EqualFold(name, names[len(names)-1]) { // the id may be signed, and stand in one header
				names = append(names, name)
			}
		}
	}
	return names
}

// fields counts the header fields of a name.
func (r *request) fields(name string) int {
	n := 0
	for _, f := range r.head.Fields {
		if strings.EqualFold(f[0], name) {
			n++
		}
	}
	return n
}

// otherMedia says how the media type of a request differs from the declared one; "" if it does not. A parameter that was not
// declared says nothing else: charset=utf-8 beside JSON, which is UTF-8 anyway.
func otherMedia(declared string, r *request) string {
	got := r.head.Get("Content-Type")
	if got == "" {
		return "has no Content-Type; promised " + declared
	}
	want, wantParams, err := mime.ParseMediaType(declared)
	if err != nil {
		return "" // the contract was validated
	}
	media, params, err := mime.ParseMediaType(got)
	if err != nil {
		return "is labelled " + clip(got) + ", which is no media type; promised " + declared
	}
	same := media == want
	for name, value := range wantParams {
		same = same && strings.EqualFold(params[name], value)
	}
	if !same {
		return "is labelled " + clip(got) + "; promised " + declared
	}
	return ""
}
