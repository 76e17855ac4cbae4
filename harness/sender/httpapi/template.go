package httpapi

import (
	"fmt"
	"regexp"
	"strings"
)

// template is text with variables in it.
type template struct {
	parts []part
	at    pos
}

// part is a literal text, or a variable if name is set.
type part struct {
	lit  string
	name string
	json bool   // ${json:name}: the variable's text is JSON
	alt  string // stands for an empty value
}

// The dots and dashes are for file.contract.yaml.
var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[A-Za-z0-9_][A-Za-z0-9_.-]*)?$`)

// parseTemplate takes text apart at its variables. Parts are never empty; neighbouring literals are one.
func parseTemplate(text string) ([]part, error) {
	var parts []part
	var lit strings.Builder
	for text != "" {
		i := strings.Index(text, "${")
		if i < 0 {
			lit.WriteString(text)
			break
		}
		if i > 0 && text[i-1] == '$' {
			lit.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		lit.WriteString(text[:i])
		inner, rest, ok := strings.Cut(text[i+2:], "}")
		if !ok {
			return nil, fmt.Errorf("${%s has no closing }; a literal ${ is written $${", clip(inner, 20))
		}
		p, err := parseVariable(inner)
		if err != nil {
			return nil, err
		}
		if lit.Len() > 0 {
			parts = append(parts, part{lit: lit.String()})
			lit.Reset()
		}
		parts = append(parts, p)
		text = rest
	}
	if lit.Len() > 0 {
		parts = append(parts, part{lit: lit.String()})
	}
	return parts, nil
}

func parseVariable(inner string) (part, error) {
	name, alt, _ := strings.Cut(inner, ":-")
	name, isJSON := strings.CutPrefix(name, "json:")
	name, isText := strings.CutPrefix(name, "text:")
	if !nameForm.MatchString(name) {
		return part{}, fmt.Errorf("${%s} is no variable; a name is like event.type, a literal ${ is written $${", clip(inner, 40))
	}
	return part{name: name, json: isJSON || isJSONName(name) && !isText, alt: alt}, nil
}

// isJSONName tells the inputs that are JSON from those that are text.
func isJSONName(name string) bool {
	return name == "event.data" || name == "object.data" || name == "endpoint.types" || name == headersVariable
}

// expand replaces the variables, each value escaped by esc.
func (t template) expand(v values, esc func(name, value string) (string, error)) (string, error) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.name == "" {
			b.WriteString(p.lit)
			continue
		}
		s, err := esc(p.name, v.text(p))
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// plain is for places without a syntax of their own: a word of a command, a base URL.
func plain(_, value string) (string, error) { return value, nil }

// values are what the variables stand for. An absent value is empty: which names there are was checked when the adapter
// was read and again when it met its options.
type values map[string]string

func (v values) text(p part) string {
	if s := v[p.name]; s != "" {
		return s
	}
	return p.alt
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
