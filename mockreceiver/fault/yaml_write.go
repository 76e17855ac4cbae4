package fault

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// YAML is the plan's YAML form, which ParseYAML reads back as long as the plan is within its bounds.
func (p Plan) YAML() string {
	var b strings.Builder
	if len(p.Steps) > 0 {
		b.WriteString(stepsWord + ":\n")
	}
	for _, r := range runsOf(p.Steps) {
		fields, word := itemYAML(r)
		if word == "" {
			word = strings.Join(fields, "\n    ")
		}
		b.WriteString("  - " + word + "\n")
	}
	fields, then := itemYAML(run{p.Then, p.Then.String(), 1})
	if then == "" {
		then = "{" + strings.Join(fields, ", ") + "}"
	}
	b.WriteString(thenWord + ": " + then + "\n")
	if p.TTL > 0 {
		b.WriteString(ttlWord + ": " + p.TTL.String() + "\n")
	}
	return b.String()
}

// itemYAML writes a step as fields, or as a word where it is one: without arguments, or with bytes in them that are no text
// and that only the text form can say.
func itemYAML(r run) (fields []string, word string) {
	p := parser{text: r.step.fault().String()}
	kind := p.word()
	if p.end() {
		return nil, r.String()
	}
	p.take('(')
	list, err := p.args(kind)
	if err != nil || !textual(list) {
		return nil, strconv.Quote(r.String())
	}
	fields = []string{kind + ": {" + argsYAML(list) + "}"}
	if r.times > 1 {
		fields = append(fields, timesWord+": "+strconv.Itoa(r.times))
	}
	if r.step.For > 0 {
		fields = append(fields, forWord+": "+r.step.For.String())
	}
	return fields, ""
}

func textual(list []arg) bool {
	for _, one := range list {
		if !utf8.ValidString(one.value) {
			return false
		}
	}
	return true
}

// argsYAML writes the arguments of a step. Several of one name become a list.
func argsYAML(list []arg) string {
	values, names := map[string][]string{}, []string(nil)
	for _, one := range list {
		name := one.name
		if name == "" {
			name = valueWord
		}
		if values[name] == nil {
			names = append(names, name)
		}
		values[name] = append(values[name], scalarYAML(one.value, one.quoted))
	}
	var out []string
	for _, name := range names {
		value := values[name][0]
		if len(values[name]) > 1 {
			value = "[" + strings.Join(values[name], ", ") + "]"
		}
		out = append(out, scalarYAML(name, false)+": "+value)
	}
	return strings.Join(out, ", ")
}

// scalarYAML writes a value. In double quotes YAML has all escapes that Go writes for text.
func scalarYAML(value string, quoted bool) string {
	plain := !strings.ContainsFunc(value, func(r rune) bool { return !plainRune(r) })
	if quoted || !plain {
		return strconv.Quote(value)
	}
	return value
}

// plainRune tells whether a rune is one of those that numbers, durations and words of plans are made of.
func plainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-+.µ", r)
}
