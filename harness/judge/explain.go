package judge

import (
	"embed"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// explanations holds a text for each check, in a file of its name; those of other languages than English in a folder of theirs.
//
//go:embed explain
var explanations embed.FS

// Explanation says of a check what somebody wants to know whose sender just failed it. Each text is one paragraph.
type Explanation struct {
	Title     string // what holds, in a phrase
	Needs     string // the promise, and the ability, without which it is not applicable
	Judged    string // what is looked at, and what fails
	Allowance string // how noise, rounding and doubt are taken into account
	Fix       string // how to mend a sender that fails it
}

// Explain returns the explanation of a check in English. A check without one is an error, and so is a text that lacks a part.
func Explain(check string) (Explanation, error) {
	var e Explanation
	for _, c := range Checks() {
		if c.ID == check {
			e.Title, e.Needs = c.Title, c.Needs
		}
	}
	err := e.read("explain/"+check+".txt", check)
	return e, err
}

// ExplainIn is Explain in another language that there are texts of: "zh". A text that is not there is an error.
func ExplainIn(language, check string) (Explanation, error) {
	if language == "" || language == "en" {
		return Explain(check)
	}
	var e Explanation
	err := e.read("explain/"+language+"/"+check+".txt", check)
	return e, err
}

// read takes paragraphs below the names of their parts; Chinese is joined without a blank.
func (e *Explanation) read(file, check string) error {
	text, err := explanations.ReadFile(file)
	if err != nil {
		return fmt.Errorf("explain check %s: %w", check, err)
	}
	parts := map[string]*string{"judged:": &e.Judged, "allowance:": &e.Allowance, "fix:": &e.Fix, "title:": &e.Title, "needs:": &e.Needs}
	var part *string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch next := parts[line]; {
		case next != nil:
			part = next
		case part == nil:
			return fmt.Errorf("explain check %s: the text begins with %q, which is no name of a part", check, line)
		default:
			*part = joined(*part, line)
		}
	}
	for name, part := range parts {
		if *part == "" {
			return fmt.Errorf("explain check %s: the text has no %s", check, name)
		}
	}
	return nil
}

// joined puts lines of a paragraph together: with a blank between words, and none where Chinese goes on in the next line.
func joined(text, line string) string {
	if text == "" {
		return line
	}
	if last, _ := utf8.DecodeLastRuneInString(text); last > unicode.MaxLatin1 {
		return text + line
	}
	if first, _ := utf8.DecodeRuneInString(line); first > unicode.MaxLatin1 {
		return text + line
	}
	return text + " " + line
}
