package judge

import (
	"bytes"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
)

// sameBody says how the body of r differs from that of the original; "" if it does not. Meaning is compared only where the
// contract promises no more.
func (v *view) sameBody(original, r *request, stable string) string {
	if original.sameBytes(r) {
		return ""
	}
	own := v.t.ownValues()
	if own != nil && original.readable && r.readable && bytes.Equal(own.Apart(original.payload), own.Apart(r.payload)) {
		return ""
	}
	if stable != contract.StableMeaning {
		return "its " + num(int(r.a.BodySize)) + " bytes are not the " + num(int(original.a.BodySize)) + " bytes of the first attempt"
	}
	want, err := v.t.frozen(original)
	if err != nil {
		return "its bytes differ, and the first attempt's body is no JSON that could mean the same"
	}
	got, err := v.t.frozen(r)
	if err != nil {
		return "its body is no JSON: " + err.Error()
	}
	return differ(want, got, "", false)
}

// ownValues is the scheme where its signature, or the time of it, stands in the body and is to be made anew at each attempt: what is
// frozen is the body apart from that. nil where all of it is.
func (t *trial) ownValues() *signature.Scheme {
	if t.scheme == nil || t.c.Signature == nil || t.c.Signature.Resign != contract.ResignEach || !t.scheme.WritesBody() {
		return nil
	}
	return t.scheme
}

// frozen is what the body of a request means apart from the scheme's own values. Nobody may change it where there are none.
func (t *trial) frozen(r *request) (any, error) {
	own := t.ownValues()
	if own == nil {
		return r.json()
	}
	doc, err := parseJSON(r.payload)
	own.Strip(doc)
	return doc, err
}

// "The body is frozen at creation; every retry sends it again."
func bodyStable(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for k, r := range e.tries {
			if k == 0 {
				continue
			}
			first := e.tries[0]
			if !first.whole() || !r.whole() {
				t.skip(recordsOf(first, r), "the body of attempt %d or 1 was not received whole", r.number)
				continue
			}
			if d := v.sameBody(first, r, v.t.c.Body.Stable); d != "" {
				t.breaks([]int{first.a.N, r.a.N}, "%s: %s; promised the same %s",
					which(r), d, v.t.c.Body.Stable)
				continue
			}
			t.hold(first.a.N, r.a.N)
		}
	}
	return t.sum("retries carry the body of the first attempt (retries: %d)", "no event had a second attempt")
}

// "Business fields stand under the data field, as they were handed over": attempt 1 only, since what later attempts change
// is body.stable's.
func bodyMatches(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		if len(e.tries) == 0 {
			continue
		}
		r := e.tries[0]
		if o := v.interrupted(e.endpoint, span{e.emit.Called, r.a.FirstByte}); o != nil {
			t.skip([]int{r.a.N}, "it is not certain that the first request of %s was its first attempt", e.name())
			continue
		}
		v.matches(t, e, r)
	}
	return t.sum("what was emitted arrived (first attempts: %d)", "no first attempt arrived")
}

func (v *view) matches(t *tally, e *event, r *request) {
	records := []int{e.emit.N, r.a.N}
	want, err := parseJSON(e.emit.Data)
	switch {
	case err != nil:
		t.skip(records, "the evidence does not hold what was emitted as %s", e.name())
		return
	case !r.whole():
		t.skip(records, "the body of %s was not received whole", which(r))
		return
	case !r.readable:
		t.skip(records, "the body of %s is said to be coded as %s, and cannot be read so", which(r), clip(r.head.Get("Content-Encoding")))
		return
	}
	doc, err := r.json()
	if err != nil {
		t.breaks(records, "the body of %s (%d bytes) is no whole JSON value: %v", which(r), r.a.BodySize, err)
		return
	}
	pointer := v.t.c.Envelope.Data
	got, ok := lookup(doc, pointer)
	if !ok && v.lists("envelope.fields") {
		t.doubt(records, "%s has nothing at %s, where the business fields were promised; envelope.fields judges that", which(r), pointer)
		return
	}
	if !ok {
		t.breaks(records, "%s has nothing at %s, where the business fields were promised", which(r), pointer)
		return
	}
	if d := differ(want, got, pointer, v.t.c.Body != nil && v.t.c.Body.Verbatim); d != "" {
		t.breaks(records, "%s: %s", which(r), d)
		return
	}
	t.hold(records...)
}
