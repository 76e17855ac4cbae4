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
	lowerCaseHeaders     variant = "lower-case-headers"
	connectionPerRequest variant = "connection-per-request"
	longReuse            variant = "long-reuse"
	signatureList        variant = "signature-list"
	decorrelatedJitter   variant = "decorrelated-jitter"
	retryAfterLate       variant = "retry-after-late"
	libraryResend        variant = "library-resend"
	ownJSONStyle         variant = "own-json-style"
	refusesUnderLoad     variant = "refuses-under-load"
	newestFirst          variant = "newest-first"
	clockAhead           variant = "clock-ahead"
	clockBehind          variant = "clock-behind"
	pingOnRegistration   variant = "ping-on-registration"
	partialRead          variant = "partial-read"
	recordLate           variant = "record-late"
	retryAfterGivesUp    variant = "retry-after-gives-up"
)

// Variants returns all variants, by number.
func Variants() []Variant {
	return []Variant{
		{Number: 1, Name: string(chunkedFraming), Title: "bodies are sent in chunks"},
		{Number: 2, Name: string(lowerCaseHeaders), Title: "header names are in lower case"},
		{Number: 3, Name: string(connectionPerRequest), Title: "each request has a connection of its own"},
		{Number: 3, Name: string(longReuse), Title: "connections are kept for as long as the receiver keeps them"},
		{Number: 4, Name: string(signatureList), Title: "signatures of versions that nobody knows stand beside the right one"},
		{
			Number: 5, Name: string(decorrelatedJitter), Contract: GentleWaits,
			Title: "a wait is drawn between the band's lower end and three times the wait before",
		},
		{Number: 6, Name: string(retryAfterLate), Title: "a retry comes later than Retry-After asked, inside the cap"},
		{Number: 9, Name: string(libraryResend), Title: "the HTTP library sends again what it sent on a kept connection that ended without an answer"},
		{Number: 10, Name: string(ownJSONStyle), Title: "payloads have spaces, another order of keys and more escapes than they need"},
		{Number: 12, Name: string(refusesUnderLoad), Title: "events are refused while many wait at their endpoint"},
		{Number: 14, Name: string(newestFirst), Title: "of what is due at an endpoint the latest goes first"},
		{Number: 16, Name: string(clockAhead), Title: "the sender's clock is 2 min ahead"},
		{Number: 16, Name: string(clockBehind), Title: "the sender's clock is 2 min behind"},
		{Number: 17, Name: string(pingOnRegistration), Title: "an endpoint that is registered gets an event that says so"},
		{Number: 18, Name: string(partialRead), Title: "of an answer's body 8 bytes are read, and then the connection is closed"},
		{Number: 21, Name: string(recordLate), Title: "an attempt shows in the records 0.7 s after its start"},
		{Number: 24, Name: string(retryAfterGivesUp), Title: "a Retry-After past the deadline ends the delivery at once"},
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
