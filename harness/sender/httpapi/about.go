package httpapi

import (
	"slices"
	"strings"
)

// VarNames lists the adapter's settings, in the order of the file.
func (a *Adapter) VarNames() []string {
	names := make([]string, len(a.vars))
	for i, v := range a.vars {
		names[i] = v.name
	}
	return names
}

// Secret tells whether no message may show the setting of that name.
func (a *Adapter) Secret(name string) bool { return slices.Contains(a.secrets, name) }

// SharesKeys tells whether harness and sender come to know the same keys: one hands them over, or the other issues them.
func (a *Adapter) SharesKeys() bool {
	o := a.ops[opRegister]
	return a.config != nil || len(o.places("endpoint.secret")) > 0 ||
		slices.ContainsFunc(o.extractions(), func(x extraction) bool { return x.name == "secret" })
}

// Runs tells whether the sender is launched as a program of the harness's own, of that name in Options.Builtin, with these words first.
func (a *Adapter) Runs(builtin string, words ...string) bool {
	if a.launch == nil || len(a.launch.command) <= len(words) {
		return false
	}
	command := a.launch.command
	if p := command[0].parts; len(p) != 1 || p[0].name != builtin {
		return false
	}
	for i, word := range words {
		if p := command[i+1].parts; len(p) != 1 || p[0].lit != word {
			return false
		}
	}
	return true
}

// UsesContract tells whether any value of the effective contract, or the file contract.yaml, reaches the sender. If none
// does, the sender cannot know that its schedule is to be compressed.
func (a *Adapter) UsesContract() bool {
	return slices.ContainsFunc(a.uses, func(u use) bool {
		return strings.HasPrefix(u.name, "contract.") || u.name == "file.contract.yaml"
	})
}
