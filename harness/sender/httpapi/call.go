package httpapi

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// op is what one ability needs of the sender: calls, one after the other.
type op struct {
	name   opName
	steps  []*call
	result *query // log and dead_letters
}

// call is one HTTP request and what is wanted of its answer.
type call struct {
	op opName // that it belongs to; empty for the probe
	at pos
	// optional tells that an answer with another status is put up with. Nothing is extracted from it.
	optional bool
	method   string
	path     template
	query    []pair
	headers  []pair
	body     *bodyNode
	form     []pair // instead of body
	expect   []int
	refuse   []int // emit: statuses by which the sender says that it takes no event just now
	extract  []extraction
	poll     *poll
}

// pair is a named text.
type pair struct {
	name     string
	optional bool
	value    template
}

// extraction names a value of an answer.
type extraction struct {
	name     string
	optional bool
	query    *query
}

// poll repeats a GET until an expression on its answer is true.
type poll struct {
	every, max time.Duration
	until      *query
}

func (r *reader) ops(n ast.Node, at pos) {
	var table []field
	for _, name := range opNames() {
		needed := name == opEmit || name == opRegister && r.adapter.config == nil
		table = append(table, field{string(name), needed, func(n ast.Node, at pos) {
			r.adapter.ops[name] = r.op(n, at, name)
		}})
	}
	r.fields(n, at, "ops", table)
	if a := r.adapter; (a.ops[opDisable] == nil) != (a.ops[opEnable] == nil) {
		r.errorf(at, "ops: disable and enable belong together, and one is missing")
	}
}

func (r *reader) op(n ast.Node, at pos, name opName) *op {
	o := &op{name: name}
	sc := scope{where: "op " + string(name), inputs: inputsOf(name)}
	if name != opSetup && r.adapter.setup != nil {
		for _, x := range r.adapter.setup.extractions() {
			sc = sc.with("setup." + x.name)
		}
	}
	what := "op " + string(name)
	result := field{"result", true, func(n ast.Node, _ pos) { o.result = r.query(n, what+": result") }}
	if stepped(n) {
		table := []field{{"steps", true, func(n ast.Node, at pos) {
			for _, item := range r.items(n, what+": steps") {
				c := r.call(item, posOf(item), what, sc, nil)
				o.steps = append(o.steps, c)
				for _, x := range c.extract {
					sc = sc.with("got." + x.name)
				}
			}
			if len(o.steps) == 0 {
				r.errorf(at, "%s: steps: want at least one call", what)
			}
		}}}
		if name == opLog || name == opDead {
			table = append(table, result)
		}
		r.fields(n, at, what, table)
	} else {
		var more []field
		if name == opLog || name == opDead {
			more = []field{result}
		}
		o.steps = []*call{r.call(n, at, what, sc, more)}
	}
	for _, c := range o.steps {
		c.op = name
		if name == opEmit && c.refuse == nil {
			c.refuse = []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}
		}
	}
	r.checkExtractions(o, at)
	return o
}

func stepped(n ast.Node) bool {
	m, ok := n.(*ast.MappingNode)
	return ok && slices.ContainsFunc(m.Values, func(v *ast.MappingValueNode) bool {
		key, ok := v.Key.(*ast.StringNode)
		return ok && key.Value == "steps"
	})
}

// extractions returns what the op extracts, of all steps.
func (o *op) extractions() []extraction {
	var all []extraction
	for _, c := range o.steps {
		all = append(all, c.extract...)
	}
	return all
}

func (r *reader) checkExtractions(o *op, at pos) {
	seen := map[string]bool{}
	for _, x := range o.extractions() {
		if seen[x.name] {
			r.errorf(x.query.at, "op %s: extract: %s is extracted twice", o.name, x.name)
		}
		seen[x.name] = true
	}
	if o.name == opRegister && !seen["id"] {
		r.errorf(at, "op register: extract: id is missing, the sender's id of the endpoint")
	}
}

func (r *reader) call(n ast.Node, at pos, what string, sc scope, more []field) *call {
	c := &call{method: http.MethodGet, at: at}
	if what == "op "+string(opEmit) {
		more = append(more, field{"refuse", false, func(n ast.Node, _ pos) { c.refuse = r.statuses(n, what+": refuse") }})
	}
	r.fields(n, at, what, append([]field{
		{"method", true, func(n ast.Node, _ pos) { c.method = r.method(n, what+": method") }},
		{"path", true, func(n ast.Node, _ pos) { c.path = r.path(n, what+": path", sc) }},
		{"query", false, func(n ast.Node, _ pos) { c.query = r.pairs(n, what+": query", sc) }},
		{"headers", false, func(n ast.Node, _ pos) { c.headers = r.headerPairs(n, what+": headers", sc) }},
		{"body", false, func(n ast.Node, _ pos) { c.body = new(r.body(n, sc)) }},
		{"form", false, func(n ast.Node, at pos) { c.form = r.form(n, at, what, sc) }},
		{"expect", true, func(n ast.Node, _ pos) { c.expect = r.statuses(n, what+": expect") }},
		{"extract", false, func(n ast.Node, _ pos) { c.extract = r.extract(n, what+": extract") }},
		{"poll", false, func(n ast.Node, at pos) { c.poll = r.poll(n, at, what+": poll") }},
		{"optional", false, func(n ast.Node, _ pos) { c.optional = r.yes(n, what+": optional") }},
	}, more...))
	if c.poll != nil && c.method != http.MethodGet {
		r.errorf(at, "%s: poll: only GET is asked again; a repeated %s could act twice", what, c.method)
	}
	switch {
	case c.body != nil && c.form != nil:
		r.errorf(at, "%s: want either body, which becomes JSON, or form", what)
	case (c.body != nil || c.form != nil) && c.method == http.MethodGet:
		r.errorf(at, "%s: body: a GET has none; use query", what)
	}
	return c
}

func (r *reader) method(n ast.Node, what string) string {
	s, ok := r.text(n, what)
	switch s {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return s
	}
	if ok {
		r.errorf(posOf(n), "%s: want GET, POST, PUT, PATCH or DELETE, got %q", what, s)
	}
	return s
}

// pathLiteral is what may stand in a path beside variables: segments, as RFC 3986 section 3.3 has them.
var pathLiteral = regexp.MustCompile(`^([A-Za-z0-9/._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$`)

func (r *reader) path(n ast.Node, what string, sc scope) template {
	t := r.textTemplate(n, what, sc)
	if len(t.parts) == 0 {
		return t
	}
	if !strings.HasPrefix(t.parts[0].lit, "/") {
		r.errorf(t.at, "%s: want a path that begins with /", what)
	}
	for _, p := range t.parts {
		if !pathLiteral.MatchString(p.lit) {
			r.errorf(t.at, "%s: %q cannot stand in a path; parameters go under query", what, p.lit)
		}
	}
	return t
}

func (r *reader) statuses(n ast.Node, what string) []int {
	list := []ast.Node{n}
	if s, ok := n.(*ast.SequenceNode); ok {
		list = s.Values
	}
	if len(list) == 0 {
		r.errorf(posOf(n), "%s: want at least one status", what)
	}
	var out []int
	for _, item := range list {
		s, ok := r.text(item, what)
		if !ok {
			continue
		}
		code, err := strconv.Atoi(s)
		if err != nil || code < 200 || code > 599 {
			r.errorf(posOf(item), "%s: want a status from 200 to 599, got %q", what, s)
			continue
		}
		out = append(out, code)
	}
	return out
}

func (r *reader) pairs(n ast.Node, what string, sc scope) []pair {
	var out []pair
	for _, e := range r.entries(n, what) {
		name, optional := strings.CutSuffix(e.key, "?")
		if name == "" || strings.Contains(name, "${") {
			r.errorf(e.at, "%s: %q is no name; variables stand in values only", what, name)
		}
		out = append(out, pair{name, optional, r.textTemplate(e.value, what+": "+name, sc)})
	}
	return out
}

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func (r *reader) headerPairs(n ast.Node, what string, sc scope) []pair {
	out := r.pairs(n, what, sc)
	for _, p := range out {
		switch {
		case !headerName.MatchString(p.name):
			r.errorf(p.value.at, "%s: %q is no header name", what, p.name)
		case slices.Contains([]string{"Host", "Content-Length", "Transfer-Encoding", "Connection"}, http.CanonicalHeaderKey(p.name)):
			r.errorf(p.value.at, "%s: %s is set by the HTTP client", what, p.name)
		}
		for _, part := range p.value.parts {
			if strings.ContainsFunc(part.lit, isControl) {
				r.errorf(p.value.at, "%s: %s holds a line end or another control character", what, p.name)
			}
		}
	}
	return out
}

func (r *reader) extract(n ast.Node, what string) []extraction {
	var out []extraction
	for _, e := range r.entries(n, what) {
		name, optional := strings.CutSuffix(e.key, "?")
		if !varForm.MatchString(name) {
			r.errorf(e.at, "%s: %q is no name; it has lower-case letters, digits and _", what, name)
		}
		out = append(out, extraction{name, optional, r.query(e.value, what+": "+name)})
	}
	return out
}

func (r *reader) poll(n ast.Node, at pos, what string) *poll {
	p := &poll{}
	r.fields(n, at, what, []field{
		{"every", true, func(n ast.Node, _ pos) { p.every = r.duration(n, what+": every") }},
		{"until", true, func(n ast.Node, _ pos) { p.until = r.query(n, what+": until") }},
		{"max", true, func(n ast.Node, _ pos) { p.max = r.duration(n, what+": max") }},
	})
	return p
}
