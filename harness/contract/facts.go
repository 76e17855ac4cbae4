package contract

import (
	"fmt"
	"slices"
)

// Fact says where values of a contract come from.
type Fact struct {
	// Of names the fields, each by its path: schedule.timeout. A group stands for all that is in it, as far as no other fact names it.
	Of []string `yaml:"of"`
	// Confidence is P, S or K; see Confidence.
	Confidence Confidence `yaml:"confidence"`
	Source     string     `yaml:"source"` // what was read, in one line
}

// Confidence is how sure a value is.
type Confidence string

// The confidences. What is only Known must be confirmed before anybody is held to it: a contract has its checks under Advice.
const (
	Primary   Confidence = "P" // the provider's own text or source was read
	Secondary Confidence = "S" // another text that quotes the provider was read
	Known     Confidence = "K" // general knowledge, confirmed by nothing that was read
)

// Text says in a few words what a confidence means.
func (c Confidence) Text() string {
	switch c {
	case Primary:
		return "read in the provider's own text or source"
	case Secondary:
		return "read in a text that quotes the provider"
	case Known:
		return "general knowledge, to be confirmed"
	}
	return ""
}

// maxFacts bounds the list: there are fewer fields.
const maxFacts = 100

// Confidences counts the facts of each confidence.
func (c *Contract) Confidences() map[Confidence]int {
	n := map[Confidence]int{}
	for _, f := range c.Facts {
		n[f.Confidence] += len(f.Of)
	}
	return n
}

func (c *Contract) checkFacts(k *checker) {
	if len(c.Facts) > maxFacts {
		k.add("facts", "has %d entries; at most %d", len(c.Facts), maxFacts)
		return
	}
	var named []string
	for i, f := range c.Facts {
		at := fmt.Sprintf("facts[%d]", i)
		if len(f.Of) == 0 {
			k.add(at+".of", "is missing; write the fields that the source is for, as [schedule.timeout]")
		}
		for _, field := range f.Of {
			k.line(at+".of", field)
			if slices.Contains(named, field) {
				k.add(at+".of", "%s has a source already", field)
			}
			named = append(named, field)
		}
		k.oneOf(at+".confidence", string(f.Confidence), string(Primary), string(Secondary), string(Known))
		if f.Source == "" {
			k.add(at+".source", "is missing; write what was read")
		}
		k.line(at+".source", f.Source)
	}
}
