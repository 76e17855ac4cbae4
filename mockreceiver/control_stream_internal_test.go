package mockreceiver

import (
	"testing"
	"time"
)

// TestToldOnce hands a reader the ends of requests that it has just read, will read, or was not shown: a look at the journal for
// any of them would find none here, and end the test.
func TestToldOnce(t *testing.T) {
	s := &sse{at: 20, skipped: 5, open: map[int64]bool{}}
	if err := s.tell(t.Context(), news{outcomes: []int64{1, 5, 11, 20, 21}}, 10); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("the end of a request that was shown open is not read")
		}
	}()
	_ = s.tell(t.Context(), news{outcomes: []int64{6}}, 10)
}

func TestReadersRestInProportion(t *testing.T) {
	for _, tc := range []struct {
		work    time.Duration
		readers int
		want    time.Duration
	}{
		{0, 1, streamBreath},
		{time.Millisecond, 10, streamBreath},
		{5 * time.Millisecond, 10, 200 * time.Millisecond},
		{time.Second, 1, streamRest},
		{time.Hour, maxReaders, streamRest},
	} {
		if got := breathAfter(tc.work, tc.readers); got != tc.want {
			t.Errorf("after %s of work with %d readers: got %s, want %s", tc.work, tc.readers, got, tc.want)
		}
	}
}
