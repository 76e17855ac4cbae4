package matchers

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// HaveStableEventID succeeds if each attempt carries an event id, all the same one, in the same place. A receiver knows an event by
// its id unless the payload holds a marker (evidence.MarkerPrefix): hand over all attempts of the endpoint, not those of an
// Event that was found by the id.
func HaveStableEventID() types.GomegaMatcher {
	return &rule{wants: "carry one event id", pairs: true, judge: func(h receivertest.History) ([]string, error) {
		first := h[0]
		return each(h, func(a receivertest.Attempt) ([]string, error) {
			switch {
			case a.ID == "":
				return []string{name(a) + " carries no event id"}, nil
			case a.ID != first.ID && first.ID != "":
				return []string{fmt.Sprintf("%s carries %s, %s carried %s", name(a), quoted(a.ID), name(first), quoted(first.ID))}, nil
			case a.IDFrom != first.IDFrom && first.ID != "":
				return []string{fmt.Sprintf("%s carries its id in %s, %s in %s", name(a), a.IDFrom, name(first), first.IDFrom)}, nil
			}
			return nil, nil
		})
	}}
}

// HaveIdenticalBodies succeeds if the bodies of all attempts are the same, byte for byte.
func HaveIdenticalBodies() types.GomegaMatcher {
	return &rule{wants: "have identical bodies", pairs: true, judge: func(h receivertest.History) ([]string, error) {
		first := h[0]
		return each(h, func(a receivertest.Attempt) ([]string, error) {
			if bytes.Equal(a.Body, first.Body) {
				return nil, nil
			}
			return []string{fmt.Sprintf("The body of %s differs from that of %s %s", name(a), name(first), difference(first.Body, a.Body))}, nil
		})
	}}
}

// context is how many bytes are shown before and after the first that differs.
const context = 20

// difference shows where two bodies part.
func difference(a, b []byte) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("from byte %d on (%d and %d bytes in all):\n  before: %s\n  now:    %s", at, len(a), len(b), around(a, at), around(b, at))
}

// around is the text around a place, with escapes for what would act on a terminal.
func around(b []byte, at int) string {
	from, to := max(at-context, 0), min(at+context, len(b))
	text := fmt.Sprintf("%q", b[from:to])
	text = strings.ReplaceAll(text[1:len(text)-1], `\"`, `"`) // JSON is full of them
	if from > 0 {
		text = "…" + text
	}
	if to < len(b) {
		text += "…"
	}
	return text
}
