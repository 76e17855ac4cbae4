package mockreceiver

import (
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
)

// TestASlowReaderNeverBlocksTheCommitter: a mailbox that nobody empties takes so much and no more, says that it overflowed, and
// publishing goes on.
func TestASlowReaderNeverBlocksTheCommitter(t *testing.T) {
	var s streams
	slow, quick := s.join(), s.join()
	total := 0
	for i := range 3 * maxNews {
		s.publish([]*job{{record: &evidence.Outcome{Of: int64(i)}}, {record: &evidence.Trouble{}}})
		s.changed("e")
		n := quick.take()
		total += len(n.outcomes)
		if n.lagged {
			t.Fatal("a reader that keeps up is told that it does not")
		}
	}
	if total != 3*maxNews {
		t.Errorf("the quick reader got %d outcomes of %d", total, 3*maxNews)
	}
	n := slow.take()
	if !n.lagged || len(n.outcomes) != maxNews || len(n.troubles) != maxNews || len(n.endpoints) != maxNews {
		t.Errorf("the slow reader: lagged %t, %d outcomes, %d troubles, %d endpoints; want a full mailbox that says so",
			n.lagged, len(n.outcomes), len(n.troubles), len(n.endpoints))
	}
	s.leave(slow)
	s.leave(quick)
	if len(s.readers) != 0 {
		t.Errorf("%d readers are left", len(s.readers))
	}
}
