package judge

import (
	"slices"
	"strings"
)

// envelopes calls judge for the parsed body of each event's first attempt: what later attempts change is body.stable's.
func (v *view) envelopes(t *tally, judge func(e *event, r *request, doc any)) {
	for _, e := range v.events {
		if len(e.tries) == 0 {
			continue
		}
		r := e.tries[0]
		switch doc, err := r.json(); {
		case !r.whole():
			t.skip([]int{r.a.N}, "the body of %s was not received whole", which(r))
		case !r.readable:
			t.skip([]int{r.a.N}, "the body of %s is said to be coded as %s, and cannot be read so", which(r), clip(r.head.Get("Content-Encoding")))
		case err != nil:
			t.skip([]int{r.a.N}, "the body of %s is no JSON; body.matches judges that", which(r))
		default:
			judge(e, r, doc)
		}
	}
}

// "The envelope names type, time and version; business fields stand only under the data field": each declared field is there
// with its kind, and nothing else is beside them but the id. The id itself is id.present's.
func envelopeFields(v *view) Verdict {
	t := &tally{v: v}
	v.envelopes(t, func(_ *event, r *request, doc any) {
		if broke := v.wrongEnvelope(doc); broke != "" {
			t.breaks([]int{r.a.N}, "%s %s", which(r), broke)
			return
		}
		t.hold(r.a.N)
	})
	return t.sum("bodies have the declared fields and no others beside them (first attempts: %d)", "no first attempt arrived")
}

func (v *view) wrongEnvelope(doc any) string {
	env := v.t.c.Envelope
	top, ok := doc.(map[string]any)
	if !ok {
		return "has a body that is no JSON object"
	}
	for _, f := range []struct {
		pointer, kind string
		right         func(any) bool
	}{
		{env.Type, "text", isText},
		{env.Created, "text or number", isScalar},
		{env.APIVersion, "text or number", isScalar},
		{env.Data, "object", func(x any) bool { _, ok := x.(map[string]any); return ok }},
	} {
		if f.pointer == "" {
			continue
		}
		x, ok := lookup(doc, f.pointer)
		switch {
		case !ok:
			return "has nothing at " + f.pointer + " of its body"
		case !f.right(x):
			return "has " + brief(x) + " at " + f.pointer + " of its body; declared is a " + f.kind
		}
	}
	declared := map[string]bool{}
	for _, p := range []string{env.Type, env.Created, env.APIVersion, env.Data, v.idPointer()} {
		declared[firstPart(p)] = true
	}
	if v.t.scheme != nil {
		for _, name := range v.t.scheme.Members() { // the contract declares them by its scheme
			declared[name] = true
		}
	}
	for _, k := range sortedKeys(top) {
		if !declared[k] {
			return "has " + clip(k) + " beside the declared fields; business fields belong under " + env.Data
		}
	}
	return ""
}

func isText(x any) bool { s, ok := x.(string); return ok && s != "" }

func isScalar(x any) bool { return scalarText(x) != "" }

func (v *view) idPointer() string {
	if id := v.t.c.Identity; id != nil {
		return id.Body
	}
	return idPointer
}

// firstPart is the top-level member that a JSON pointer leads through.
func firstPart(pointer string) string {
	part, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
}

// "The type says what happened, in the declared form, and stands in the declared list."
func envelopeType(v *view) Verdict {
	t := &tally{v: v}
	env := v.t.c.Envelope
	v.envelopes(t, func(e *event, r *request, doc any) {
		x, ok := lookup(doc, env.Type)
		got := scalarText(x)
		records := []int{e.emit.N, r.a.N}
		switch {
		case !ok || !isText(x):
			t.skip(records, "%s has no type at %s of its body; envelope.fields judges that", which(r), env.Type)
		case e.emit.Type != "" && got != e.emit.Type:
			t.breaks(records, "%s has type %s, emitted was %s", which(r), clip(got), clip(e.emit.Type))
		case !v.declares(got) && e.emit.Type != "":
			t.skip(records, "%s was emitted with a type that the contract does not declare", e.name())
		case !v.declares(got):
			t.breaks(records, "%s has type %s, which the contract does not declare", which(r), clip(got))
		default:
			t.hold(records...)
		}
	})
	return t.sum("types are those that were emitted, and declared (first attempts: %d)", "no first attempt arrived")
}

// declares tells whether a type has the declared form and stands in the declared list.
func (v *view) declares(typ string) bool {
	env := v.t.c.Envelope
	return env.FitsForm(typ) && (len(env.Types) == 0 || slices.Contains(env.Types, typ))
}

// "The event's own time, with offset": it denotes the instant of the emission in any zone.
func timePayload(v *view) Verdict {
	t := &tally{v: v}
	if v.t.drifted != 0 {
		t.doubtClocks("times")
		return t.sum("", "")
	}
	pointer := v.t.c.Envelope.Created
	v.envelopes(t, func(e *event, r *request, doc any) {
		records := []int{e.emit.N, r.a.N}
		x, ok := lookup(doc, pointer)
		if !ok || !isScalar(x) {
			t.skip(records, "%s has no time at %s of its body; envelope.fields judges that", which(r), pointer)
			return
		}
		at, unit, broke := payloadTime(x)
		if broke != "" {
			t.breaks(records, "%s has %s at %s of its body, which %s", which(r), brief(x), pointer, broke)
			return
		}
		room := unit + v.t.allowance
		if got := v.onRun(at); got.to < e.emit.Called-room || got.from > e.emit.Returned+room {
			t.fail(span{e.emit.Called, r.a.FirstByte}, records,
				"%s has %s at %s of its body, which is %s on the run's timeline, the sender's clock offset taken off; it was emitted between %s and %s, allowance %s",
				which(r), brief(x), pointer, dur(got.middle()), dur(e.emit.Called), dur(e.emit.Returned), dur(room))
			return
		}
		t.hold(records...)
	})
	return t.sum("times in bodies carry an offset and are those of the emission (first attempts: %d)", "no first attempt arrived")
}
