package httpapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/hookassay/hookassay/internal/near"
)

// opName names an op of an adapter.
type opName string

const (
	opSetup        opName = "setup"
	opRegister     opName = "register"
	opEmit         opName = "emit"
	opReplay       opName = "replay"
	opLog          opName = "log"
	opDead         opName = "dead_letters"
	opChange       opName = "change_object"
	opRotate       opName = "rotate"
	opRevoke       opName = "revoke"
	opDisable      opName = "disable"
	opEnable       opName = "enable"
	opDelete       opName = "delete"
	opReadEndpoint opName = "read_endpoint"
	opReplayRange  opName = "replay_range"
	opRolledBack   opName = "emit_rolled_back"
	opTeardown     opName = "teardown"
	opReload       opName = "reload"
)

// opNames are the ops that an adapter can have under ops: setup, teardown and reload stand elsewhere.
func opNames() []opName {
	return []opName{
		opRegister, opEmit, opReplay, opLog, opDead, opChange, opRotate, opRevoke, opDisable, opEnable, opDelete,
		opReadEndpoint, opReplayRange, opRolledBack,
	}
}

// grantsKey tells whether the op's answer is to show a key of an endpoint.
func (o opName) grantsKey() bool { return o == opRegister || o == opRotate || o == opRevoke }

// inputsOf lists the variables that an op is called with.
func inputsOf(name opName) []string {
	switch name {
	case opRegister:
		return []string{
			"endpoint.name", "endpoint.url", "endpoint.secret", "endpoint.types", "endpoint.tenant", "endpoint.environment", headersVariable,
		}
	case opEmit, opRolledBack:
		return []string{
			"event.type", "event.data", "event.endpoint", "event.tenant", "event.environment", "event.object", "event.marker",
		}
	case opReplay:
		return []string{"delivery.event", "delivery.endpoint", "reason"}
	case opLog:
		return []string{"delivery.event", "delivery.endpoint"}
	case opDead, opDisable, opEnable, opDelete, opReadEndpoint:
		return []string{"endpoint.id"}
	case opRotate, opRevoke:
		return []string{"endpoint.id", "endpoint.secret"}
	case opReplayRange:
		return []string{"endpoint.id", "range.from", "range.to", "reason"}
	case opChange:
		return []string{"object.id", "object.data"}
	case opSetup, opTeardown, opReload:
		return nil
	}
	return nil
}

// scope says which variables a place may use beside those that hold everywhere: vars, contract.* and file.*.
type scope struct {
	where  string   // for messages: op emit
	inputs []string // full names
	shown  bool     // no key stands here: messages may show what the environment gives
}

func (s scope) with(names ...string) scope {
	s.inputs = append(slices.Clip(s.inputs), names...)
	return s
}

// open is the scope for places where no key stands.
func (s scope) open() scope {
	s.shown = true
	return s
}

// use is a variable whose name only the options can confirm.
type use struct {
	name     string
	at       pos
	optional bool // something else stands for an empty value
	shown    bool // messages must show the value
}

// template reads a text with variables and checks their names as far as the file can tell.
func (r *reader) template(n ast.Node, what string, sc scope) template {
	t := template{at: posOf(n)}
	s, ok := r.text(n, what)
	if !ok {
		return t
	}
	parts, err := parseTemplate(s)
	if err != nil {
		r.errorf(t.at, "%s: %v", what, err)
		return t
	}
	t.parts = parts
	for _, p := range parts {
		if p.name != "" {
			r.checkName(p, t.at, sc)
		}
	}
	return t
}

// textTemplate is template for places where JSON has no meaning.
func (r *reader) textTemplate(n ast.Node, what string, sc scope) template {
	t := r.template(n, what, sc)
	for _, p := range t.parts {
		if p.json {
			r.errorf(t.at, "%s: ${%s} is JSON, which only a body can hold; ${text:%[2]s} is the same as text", what, p.name)
		}
	}
	return t
}

func (r *reader) checkName(p part, at pos, sc scope) {
	name := p.name
	if slices.Contains(sc.inputs, name) {
		return
	}
	space, _, dotted := strings.Cut(name, ".")
	switch {
	case dotted && (space == "contract" || space == "file" || space == environment), !dotted && name != "reason":
		r.adapter.uses = append(r.adapter.uses, use{name, at, p.alt != "", sc.shown})
	case len(sc.inputs) == 0:
		r.errorf(at, "${%s} is not known in %s, which has no inputs", name, sc.where)
	default:
		r.errorf(at, "${%s} is not known in %s; its inputs: %s", name, sc.where, strings.Join(sc.inputs, ", "))
	}
}

// checkUses tells which variables of the adapter have no value in v.
func (a *Adapter) checkUses(v values) []error {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(v)), isEnvironment)
	known := cmp.Or(strings.Join(names, ", "), "none")
	var errs []error
	for _, u := range a.uses {
		if _, ok := v[u.name]; ok {
			continue
		}
		if name, ok := strings.CutPrefix(u.name, environment+"."); ok {
			errs = append(errs, a.errorAt(u.at, "${%s}: the environment variable %s is not set, or empty; export it, or write ${%[1]s:-text}", u.name, name))
			continue
		}
		if name, ok := strings.CutPrefix(u.name, "file."); ok && !a.launched() {
			errs = append(errs, a.errorAt(u.at, "${%s}: file %s is written for launched senders only", u.name, name))
			continue
		}
		if u.name == caVariable {
			errs = append(errs, a.errorAt(u.at, "${%s}: an authority to trust is made for launched senders only", u.name))
			continue
		}
		if short, ok := strings.CutSuffix(u.name, "_s"); ok && v[short+"_ms"] != "" {
			errs = append(errs, a.errorAt(u.at, "${%s} has no value, since not all of %s are whole seconds; take ${%s_ms}", u.name, v[short+"_ms"]+" ms", short))
			continue
		}
		errs = append(errs, a.errorAt(u.at, "${%s} has no value%s; known: %s", u.name, near.Meant(u.name, names), known))
	}
	return errs
}

// place is where something stands in the adapter's file, for messages.
func (a *Adapter) place(at pos) string { return fmt.Sprintf("%s:%d:%d", a.file, at.line, at.col) }

func (a *Adapter) errorAt(at pos, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", a.file, at.line, at.col, fmt.Errorf(format, args...))
}
