package refsender

import (
	"fmt"
	"slices"
	"strings"
)

// Variant is one way in which a correct sender may differ from the reference sender. No check may fail with it: an alarm would be
// false.
type Variant struct {
	Number   int    // of the list of ways; several variants may have the same
	Name     string // in kebab-case
	Title    string
	Contract string // the contract that allows it; empty for the default one
}

// variant is the switch: what it changes stands in the methods of this type, in the files variants_*.go, and nowhere else.
type variant string

const (
	noVariant variant = ""

	chunkedFraming       variant = "chunked-framing"
	connectionPerRequest variant = "connection-per-request"
	longReuse            variant = "long-reuse"
	retryAfterLate       variant = "retry-after-late"
)

// Variants returns all variants, by number.
func Variants() []Variant {
	return []Variant{
		{Number: 1, Name: string(chunkedFraming), Title: "bodies are sent in chunks"},
		{Number: 3, Name: string(connectionPerRequest), Title: "each request has a connection of its own"},
		{Number: 3, Name: string(longReuse), Title: "connections are kept for as long as the receiver keeps them"},
		{Number: 6, Name: string(retryAfterLate), Title: "a retry comes later than Retry-After asked, inside the cap"},
	}
}

func findVariant(name string) (variant, error) {
	all := Variants()
	known := make([]string, len(all))
	for i, v := range all {
		known[i] = v.Name
	}
	if name != "" && !slices.Contains(known, name) {
		return noVariant, fmt.Errorf("variant %q is unknown; known are %s", name, strings.Join(known, ", "))
	}
	return variant(name), nil
}
