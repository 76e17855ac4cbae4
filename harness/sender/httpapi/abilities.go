package httpapi

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/hookassay/hookassay/harness/sender"
)

// headersVariable holds the headers that an endpoint is to be configured with, as a JSON object.
const headersVariable = "endpoint.headers"

// declarable are the abilities that no op stands for.
func declarable() []sender.Ability {
	return []sender.Ability{sender.CanIssueSecrets, sender.CanFanOut, sender.CanSeparate}
}

// has tells which abilities the adapter declares.
func (a *Adapter) has(ability sender.Ability) bool {
	switch ability {
	case sender.CanReplay:
		return a.ops[opReplay] != nil
	case sender.CanReadLog:
		return a.ops[opLog] != nil
	case sender.CanReadDead:
		return a.ops[opDead] != nil
	case sender.CanChangeObject:
		return a.ops[opChange] != nil
	case sender.CanRotate:
		return a.ops[opRotate] != nil
	case sender.CanRevoke:
		return a.ops[opRevoke] != nil
	case sender.CanDisable:
		return a.ops[opDisable] != nil && a.ops[opEnable] != nil
	case sender.CanDelete:
		return a.ops[opDelete] != nil
	case sender.CanReadEndpoint:
		return a.ops[opReadEndpoint] != nil
	case sender.CanReplayRange:
		return a.ops[opReplayRange] != nil
	case sender.CanRollBack:
		return a.ops[opRolledBack] != nil
	case sender.CanIssueSecrets, sender.CanFanOut, sender.CanSeparate:
		return slices.Contains(a.abilities, ability)
	case sender.CanStop, sender.CanKill, sender.CanLaunch, sender.CanOutput:
		return a.launched()
	case sender.CanSetHeaders:
		return len(a.ops[opRegister].places(headersVariable)) > 0
	case sender.CanTrust:
		return a.launched() && slices.ContainsFunc(a.uses, func(u use) bool { return u.name == caVariable })
	case sender.CanPing: // for shims; an adapter names a probe
	}
	return false
}

// declared returns the names of all abilities of the adapter, sorted.
func (a *Adapter) declared() []string {
	var names []string
	for _, ability := range append(declarable(),
		sender.CanReplay, sender.CanReadLog, sender.CanReadDead, sender.CanChangeObject, sender.CanStop, sender.CanKill,
		sender.CanLaunch, sender.CanOutput, sender.CanRotate, sender.CanRevoke, sender.CanDisable, sender.CanDelete,
		sender.CanReadEndpoint, sender.CanReplayRange, sender.CanRollBack, sender.CanTrust, sender.CanSetHeaders,
	) {
		if a.has(ability) {
			names = append(names, string(ability))
		}
	}
	slices.Sort(names)
	return names
}

// abilities reads the list of the abilities that no op stands for. The ops have been read by then.
func (r *reader) abilities(n ast.Node, _ pos) {
	for _, item := range r.items(n, "abilities") {
		s, ok := r.text(item, "abilities")
		if !ok {
			continue
		}
		ability, at := sender.Ability(s), posOf(item)
		switch {
		case !slices.Contains(declarable(), ability):
			var known []string
			for _, d := range declarable() {
				known = append(known, string(d))
			}
			r.errorf(at, "abilities: %q cannot stand here; known: %s; all others follow from ops and launch", s, strings.Join(known, ", "))
			continue
		case slices.Contains(r.adapter.abilities, ability):
			r.errorf(at, "abilities: %s is there twice", s)
			continue
		}
		r.adapter.abilities = append(r.adapter.abilities, ability)
	}
	for _, ability := range r.adapter.abilities {
		r.checkAbility(ability, posOf(n))
	}
}

// checkAbility looks whether the ops can do what the ability says. at is the place of the list.
func (r *reader) checkAbility(ability sender.Ability, at pos) {
	switch ability { //nolint:exhaustive // those that can be declared
	case sender.CanIssueSecrets:
		for _, name := range []opName{opRegister, opRotate, opRevoke} {
			o := r.adapter.ops[name]
			if o == nil {
				continue
			}
			if !slices.ContainsFunc(o.extractions(), func(x extraction) bool { return x.name == "secret" }) {
				r.errorf(at, "abilities: %s needs op %s to extract secret", ability, name)
			}
			r.mayBeEmpty(ability, o, "endpoint.secret")
		}
	case sender.CanFanOut:
		r.mayBeEmpty(ability, r.adapter.ops[opEmit], "event.endpoint")
	case sender.CanSeparate:
		r.mustUse(ability, r.adapter.ops[opRegister], "endpoint.environment", at)
		if slices.Contains(r.adapter.abilities, sender.CanFanOut) {
			r.mustUse(ability, r.adapter.ops[opEmit], "event.environment", at)
		}
	}
}

// mayBeEmpty wants that o can be done without the variable.
func (r *reader) mayBeEmpty(ability sender.Ability, o *op, name string) {
	for _, p := range o.places(name) {
		if !p.optional {
			r.errorf(p.at, "op %s: ability %s needs a call without ${%s}; end the key with ?", o.name, ability, name)
		}
	}
}

func (r *reader) mustUse(ability sender.Ability, o *op, name string, at pos) {
	if o != nil && len(o.places(name)) == 0 {
		r.errorf(at, "abilities: %s needs op %s to use ${%s}", ability, o.name, name)
	}
}

// place is where a call uses a variable.
type place struct {
	at       pos
	optional bool // an empty value is left out, or something else stands for it
}

// places returns where o, which may be nil, uses the variable.
func (o *op) places(name string) []place {
	var all []place
	visit := func(t template, optional bool) {
		for _, p := range t.parts {
			if p.name == name {
				all = append(all, place{t.at, optional || p.alt != ""})
			}
		}
	}
	if o == nil {
		return nil
	}
	for _, c := range o.steps {
		visit(c.path, false)
		for _, p := range slices.Concat(c.query, c.headers, c.form) {
			visit(p.value, p.optional)
		}
		if c.body != nil {
			c.body.walk(false, visit)
		}
	}
	return all
}

// walk visits the texts of b. optional says whether an empty b is left out.
func (b *bodyNode) walk(optional bool, visit func(t template, optional bool)) {
	switch b.kind {
	case bodyObject:
		for i := range b.fields {
			b.fields[i].value.walk(b.fields[i].optional, visit)
		}
	case bodyList:
		for i := range b.items {
			b.items[i].walk(false, visit)
		}
	case bodyText:
		visit(b.text, optional)
	case bodyLiteral:
	}
}
