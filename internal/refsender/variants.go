package refsender

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hookassay/hookassay/internal/near"
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
	lowerCaseHeaders     variant = "lower-case-headers"
	connectionPerRequest variant = "connection-per-request"
	longReuse            variant = "long-reuse"
	signatureList        variant = "signature-list"
	decorrelatedJitter   variant = "decorrelated-jitter"
	retryAfterLate       variant = "retry-after-late"
	libraryResend        variant = "library-resend"
	ownJSONStyle         variant = "own-json-style"
	compressedBody       variant = "compressed-body"
	refusesUnderLoad     variant = "refuses-under-load"
	newestFirst          variant = "newest-first"
	clockAhead           variant = "clock-ahead"
	clockBehind          variant = "clock-behind"
	pingOnRegistration   variant = "ping-on-registration"
	partialRead          variant = "partial-read"
	recordLate           variant = "record-late"
	takesEffectLate      variant = "takes-effect-late"
	retryAfterGivesUp    variant = "retry-after-gives-up"
	retryAfterWaitsOut   variant = "retry-after-waits-out"
	http2                variant = "http2"

	// With the rest the sender does what it always does: what they name shows in it, or the contract brings it about.
	fullJitter      variant = "full-jitter"
	equalJitter     variant = "equal-jitter"
	clampedToCap    variant = "retry-after-clamped"
	ambiguousEnd    variant = "again-after-ambiguous-end"
	sameSecond      variant = "same-signed-second"
	codesOtherWay   variant = "codes-other-way"
	parallelToLimit variant = "parallel-to-limit"
	onTheWire       variant = "on-the-wire-at-disable"
	deadAtOnce      variant = "dead-letter-at-once"
	stopsAtDeadline variant = "stops-at-deadline"
)

// Variants returns all variants, by number.
func Variants() []Variant {
	all := slices.Concat(requestVariants(), answerVariants(), stateVariants())
	slices.SortStableFunc(all, func(a, b Variant) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

func findVariant(name string) (variant, error) {
	all := Variants()
	known := make([]string, len(all))
	for i, v := range all {
		known[i] = v.Name
	}
	if name != "" && !slices.Contains(known, name) {
		return noVariant, fmt.Errorf("variant %q is unknown%s; hookassay list variants names them", name, near.Meant(name, known))
	}
	return variant(name), nil
}
