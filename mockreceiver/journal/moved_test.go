package journal_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

func TestMovedMovesOffsetsAndNothingElse(t *testing.T) {
	attempt := func(by time.Duration) journal.Attempt {
		return journal.Attempt{
			Arrival: evidence.Arrival{FirstByte: by, Conn: evidence.Conn{Opened: 1 + by}},
			Outcome: &evidence.Outcome{ReplyStart: 3 + by, ReplyEnd: 4 + by, Delay: 5},
			Effect:  &evidence.Effect{At: 6 + by},
		}
	}
	a := attempt(0)
	if d := cmp.Diff(attempt(10), a.Moved(10)); d != "" {
		t.Error("an end that is not known, and a delay, are no offsets (-want +got):\n" + d)
	}
	if d := cmp.Diff(attempt(0), a); d != "" {
		t.Error("what was moved is a copy (-want +got):\n" + d)
	}
	bare := journal.Attempt{Arrival: evidence.Arrival{FirstByte: 1}}
	if got := bare.Moved(-1); got.Outcome != nil || got.Effect != nil || got.FirstByte != 0 {
		t.Errorf("got %+v, want neither outcome nor effect", got)
	}
}
