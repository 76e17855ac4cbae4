package judge

import (
	"embed"
	"fmt"
	"strings"
)

// explanations holds a text for each check, in a file of its name.
//
//go:embed explain/*.txt
var explanations embed.FS

// Explanation says of a check what somebody wants to know whose sender just failed it. Each text is one paragraph.
type Explanation struct {
	Judged    string // what is looked at, and what fails
	Allowance string // how noise, rounding and doubt are taken into account
	Fix       string // how to mend a sender that fails it
}

// Explain returns the explanation of a check. A check without one is an error, and so is a text that lacks a part.
func Explain(check string) (Explanation, error) {
	text, err := explanations.ReadFile("explain/" + check + ".txt")
	if err != nil {
		return Explanation{}, fmt.Errorf("explain check %s: %w", check, err)
	}
	var e Explanation
	parts := map[string]*string{"judged:": &e.Judged, "allowance:": &e.Allowance, "fix:": &e.Fix}
	var part *string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch next := parts[line]; {
		case next != nil:
			part = next
		case part == nil:
			return Explanation{}, fmt.Errorf("explain check %s: the text begins with %q, which is neither judged, allowance nor fix", check, line)
		default:
			*part = strings.TrimSpace(*part + " " + line)
		}
	}
	for name, part := range parts {
		if *part == "" {
			return Explanation{}, fmt.Errorf("explain check %s: the text has no %s", check, name)
		}
	}
	return e, nil
}
