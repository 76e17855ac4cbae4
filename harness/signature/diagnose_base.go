package signature

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// baseGuess is a signature base as a sender may have made it.
type baseGuess struct {
	mistake

	text string
}

// bases are those that differ from the right one in one thing, the likely ones first.
func (m *labelDiagnosis) bases() iter.Seq[baseGuess] {
	return func(yield func(baseGuess) bool) {
		for _, list := range []func() []baseGuess{m.left, m.shapes, m.params, m.times, m.targets} {
			for _, g := range list() {
				if !yield(g) {
					return
				}
			}
		}
	}
}

// based puts a base together.
func based(lines []string, input member) string {
	return strings.Join(append(slices.Clone(lines), `"@signature-params": `+input.String()), "\n")
}

// left are bases without one component, in the list as well or only in the lines.
func (m *labelDiagnosis) left() (all []baseGuess) {
	for i, c := range m.label.input.list {
		why := mistake{causeComponent, c.String() + " is listed and not signed"}
		lines := slices.Delete(slices.Clone(m.lines), i, i+1)
		fewer := m.label.input
		fewer.list = slices.Delete(slices.Clone(fewer.list), i, i+1)
		all = append(all, baseGuess{why, based(lines, m.label.input)}, baseGuess{why, based(lines, fewer)})
	}
	return all
}

// shapes have the right lines, put together in another way.
func (m *labelDiagnosis) shapes() []baseGuess {
	right, input := based(m.lines, m.label.input), m.label.input
	method := slices.Clone(m.lines)
	for i, c := range input.list {
		if c.text == "@method" {
			method[i] = c.String() + ": " + strings.ToLower(m.r.req.Method)
		}
	}
	all := []baseGuess{
		{mistake{causeBaseEnds, "the signature base ends with a line end, which RFC 9421 does not have"}, right + "\n"},
		{mistake{causeBaseEnds, "the lines of the signature base end with CR LF; RFC 9421 has LF"}, strings.ReplaceAll(right, "\n", "\r\n")},
		{mistake{causeParamsLine, `the signature base lacks its last line, "@signature-params"`}, strings.Join(m.lines, "\n")},
		{mistake{causeParamsLine, `the signature base lacks its last line, "@signature-params"`}, strings.Join(m.lines, "\n") + "\n"},
		{mistake{causeMethodCase, "the method is signed in lower case"}, based(method, input)},
	}
	for _, order := range orders(m.lines) {
		all = append(all, baseGuess{mistake{causeOrder, "the components are signed in another order than they are listed in"}, based(order, input)})
	}
	byKey := func(a, b param) int { return cmp.Compare(a.key, b.key) }
	sorted, back := slices.SortedFunc(slices.Values(input.params), byKey), slices.Clone(input.params)
	slices.Reverse(back)
	for _, params := range [][]param{sorted, back} {
		all = append(all, baseGuess{mistake{causeOrder, "the parameters are signed in another order than they are sent in"}, based(m.lines, input.withParams(params))})
	}
	return all
}

// orders are the reverse of a list, and the list sorted.
func orders(lines []string) [][]string {
	back := slices.Clone(lines)
	slices.Reverse(back)
	return [][]string{back, slices.Sorted(slices.Values(lines))}
}

// params are bases with a parameter less or another algorithm.
func (m *labelDiagnosis) params() (all []baseGuess) {
	input := m.label.input
	named := false
	for i, p := range input.params {
		cause, says := causeParam, "the parameter "+p.key+" is sent and not signed"
		switch p.key {
		case "created":
			cause = causeCreated
		case "keyid":
			cause = causeKeyID
		case "alg":
			cause, named = causeAlg, true
		}
		all = append(all, baseGuess{mistake{cause, says}, based(m.lines, input.withoutParam(i))})
		if p.key == "keyid" && p.kind == 's' {
			other := slices.Clone(input.params)
			other[i].text = ""
			all = append(all, baseGuess{mistake{cause, "an empty keyid is signed"}, based(m.lines, input.withParams(other))})
		}
	}
	for _, alg := range []string{algHMAC, algEd25519, algP256, algP384, algPSS, algPKCS1} {
		other := slices.Clone(input.params)
		if i := slices.IndexFunc(other, func(p param) bool { return p.key == "alg" }); i >= 0 {
			other[i].text, other[i].kind = alg, 's'
		} else {
			other = append(other, param{key: "alg", text: alg, kind: 's'})
		}
		says := "another alg is signed than is sent: " + alg
		if !named {
			says = "an alg is signed and not sent: " + alg
		}
		all = append(all, baseGuess{mistake{causeAlg, says}, based(m.lines, input.withParams(other))})
	}
	return all
}

// times are bases with another time of creation.
func (m *labelDiagnosis) times() (all []baseGuess) {
	i := slices.IndexFunc(m.label.input.params, func(p param) bool { return p.key == "created" && p.kind == 'i' })
	if i < 0 {
		return nil
	}
	add := func(says string, to int64) {
		other := slices.Clone(m.label.input.params)
		other[i].num = to
		all = append(all, baseGuess{mistake{causeCreated, says}, based(m.lines, m.label.input.withParams(other))})
	}
	sent := m.label.input.params[i].num
	const milli = 1000
	add("created is signed in milliseconds", sent*milli)
	for _, o := range offsets() {
		add("created as signed is "+o.by.String()+" off the sent one", sent+int64(o.by.Seconds()))
	}
	return all
}

// targets are bases over another form of the URL.
func (m *labelDiagnosis) targets() (all []baseGuess) {
	for _, u := range otherURLs(m.r.req.URL) {
		req := m.r.req
		req.URL = u.text
		content, bad := base(&req, m.label.input)
		if bad.Reason == "" && string(content) != based(m.lines, m.label.input) {
			all = append(all, baseGuess{mistake{causeURL, "the URL is signed " + u.form}, string(content)})
		}
	}
	return all
}
