package business_test

import (
	"context"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// TestDefects shows each bug by what it leaves of an event whose write failed, was made and came again.
func TestDefects(t *testing.T) {
	t.Parallel()
	for defect, want := range map[business.Defect]struct {
		failed       bool // the mark that a failed write leaves
		then, again  string
		orders, more int // that are there after the write, and after the event came again
	}{
		business.NoDefect:    {false, evidence.EffectCommitted, evidence.EffectAbsorbed, 1, 1},
		business.EffectAgain: {false, evidence.EffectCommitted, evidence.EffectCommitted, 1, 2},
		business.RowTwice:    {false, evidence.EffectCommitted, evidence.EffectAbsorbed, 2, 2},
		business.MarkStays:   {true, evidence.EffectAbsorbed, evidence.EffectAbsorbed, 0, 0},
	} {
		t.Run(string(defect), func(t *testing.T) {
			t.Parallel()
			r := open(t)
			if err := r.Break(defect); err != nil {
				t.Fatal(err)
			}
			r.exec("BEGIN")
			r.apply("a", "evt", true, evidence.EffectRolledBack)
			r.state("a", "evt", want.failed, 0)
			r.apply("a", "evt", false, want.then)
			r.state("a", "evt", true, want.orders)
			r.apply("a", "evt", false, want.again)
			r.state("a", "evt", true, want.more)
			both := []*business.Write{
				{Event: business.Event{Endpoint: "a", Key: "one", Seq: 1}}, {Event: business.Event{Endpoint: "a", Key: "two", Seq: 2}},
			}
			if err := r.ApplyAll(context.Background(), both); err != nil {
				t.Fatal(err)
			}
			rows := max(want.orders, 1) // nothing failed before
			r.state("a", "one", true, rows)
			r.state("a", "two", true, rows)
			r.exec("COMMIT")
		})
	}
}

func TestUnknownDefect(t *testing.T) {
	t.Parallel()
	const want = `defect "twice" of the business side is unknown; known are effect-again, row-twice, mark-stays`
	if err := open(t).Break("twice"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
