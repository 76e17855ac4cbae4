package mockreceiver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/mockreceiver/business"
)

// ready checks the settings that need more than a look, and prepares the keys.
func (e *Endpoint) ready() (*verifier, error) {
	if e.Business == "" {
		e.Business = business.Transaction
	}
	if !slices.Contains(business.Modes(), e.Business) {
		return nil, fmt.Errorf("business %q: want one of %q", e.Business, business.Modes())
	}
	for _, t := range e.Types {
		if !typePattern(t) {
			return nil, fmt.Errorf("type %q: want a name such as payment.succeeded, or payment.* for all of a resource", t)
		}
	}
	e.Types = slices.Clone(e.Types)
	v, err := newVerifier(e.Verify)
	e.Verify = nil // SetVerify changes it, so that it is kept in one place only
	return v, err
}

// typePattern tells whether a text is an exact name, or a prefix that ends in .* and nothing else.
func typePattern(t string) bool {
	name := strings.TrimSuffix(t, ".*")
	return name != "" && !strings.Contains(name, "*")
}
