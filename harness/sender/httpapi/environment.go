package httpapi

import "strings"

// environment is the space of the variables that the environment of the harness gives: ${env.NAME}.
const environment = "env"

func isEnvironment(name string) bool { return strings.HasPrefix(name, environment+".") }

// takeEnvironment looks up what the adapter uses of the environment, and nothing else. What is not there has no value, unless
// the adapter says what stands for it.
func (a *Adapter) takeEnvironment(v values, lookup func(string) string) {
	for _, u := range a.uses {
		name, ok := strings.CutPrefix(u.name, environment+".")
		if !ok {
			continue
		}
		value := ""
		if lookup != nil {
			value = lookup(name)
		}
		if value != "" || u.optional {
			v[u.name] = value
		}
	}
}

// keys returns the values that no message may show: of the vars under secrets, and of the environment wherever a key can stand.
func (a *Adapter) keys(v values) []string {
	var out []string
	for _, name := range a.secrets {
		out = append(out, v[name])
	}
	for _, u := range a.uses {
		if isEnvironment(u.name) && !u.shown {
			out = append(out, v[u.name])
		}
	}
	return out
}
