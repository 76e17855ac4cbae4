package business

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Defect is a bug that the business side can be given. A receiver that somebody relies on has none: it is for the proof that a
// receiver at fault is found out, and that no sender is blamed for it.
type Defect string

// The defects.
const (
	NoDefect    Defect = ""
	EffectAgain Defect = "effect-again" // an event that comes again takes effect again
	RowTwice    Defect = "row-twice"    // one event is two orders
	MarkStays   Defect = "mark-stays"   // the dedupe row of a write that failed is there all the same
)

// Break gives the ledger a defect from then on. An unknown one is an error. Inboxes have none.
func (l *Ledger) Break(d Defect) error {
	if known := []Defect{NoDefect, EffectAgain, RowTwice, MarkStays}; !slices.Contains(known, d) {
		names := make([]string, 0, len(known))
		for _, k := range known[1:] {
			names = append(names, string(k))
		}
		return fmt.Errorf("defect %q of the business side is unknown; known are %s", d, strings.Join(names, ", "))
	}
	l.defect = d
	return nil
}

// absorbs tells whether an event that was claimed before, or not, has no effect now.
func (l *Ledger) absorbs(claimed int64) bool { return claimed == 0 && l.defect != EffectAgain }

// orders is how many orders one event is.
func (l *Ledger) orders() int {
	if l.defect == RowTwice {
		return 2
	}
	return 1
}

// afterRollback does what should not be done once a write was rolled back.
func (l *Ledger) afterRollback(ctx context.Context, e Event) error {
	if l.defect != MarkStays {
		return nil
	}
	_, err := l.claimOne(ctx, e)
	return err
}
