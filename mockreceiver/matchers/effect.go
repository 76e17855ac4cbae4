package matchers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// HaveOneEffect succeeds if each event had exactly one business effect, however often it came: one write that was committed, and
// one row afterwards, or one place in the inbox of an endpoint that has one. Copies that the receiver sent itself count here.
// An id that changes makes an effect for each, since a subscriber dedupes by it; that shows here where the payload holds a
// marker, and else in HaveStableEventID.
func HaveOneEffect() types.GomegaMatcher {
	return &rule{wants: "have one business effect for each event", whole: true, judge: func(h receivertest.History) ([]string, error) {
		var against []string
		for _, key := range h.Sent().Events() {
			if said := effects(key, h.Event(key)); said != "" {
				against = append(against, said)
			}
		}
		return against, nil
	}}
}

// effects says what speaks against an event's having had one effect.
func effects(key string, h receivertest.History) string {
	committed, rows := []string{}, map[string]int{}
	for _, a := range h {
		switch a.Effect {
		case evidence.EffectCommitted, evidence.EffectSuperseded, evidence.EffectConflict, evidence.EffectQueued:
			committed = append(committed, name(a))
		}
		if e := a.Record.Effect; e != nil {
			rows[e.Key] = e.Rows
		}
	}
	switch {
	case len(committed) == 0:
		return quoted(key) + " had no effect: " + without(h)
	case len(committed) > 1:
		return fmt.Sprintf("%s had %d effects: of %s", quoted(key), len(committed), strings.Join(committed, ", "))
	}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if rows[id] > 1 {
			return fmt.Sprintf("%s left %d business rows", quoted(key), rows[id])
		}
	}
	return ""
}

// without says why nothing took effect.
func without(h receivertest.History) string {
	why := "no write was tried"
	for _, a := range h {
		if a.Effect != "" {
			why = fmt.Sprintf("the write of %s was %s", name(a), a.Effect)
		}
	}
	return why
}
