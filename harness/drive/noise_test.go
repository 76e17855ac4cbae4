package drive

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hookassay/hookassay/harness/evidence"
)

func TestASeriesIsCutAtGapsAndWhenItIsFull(t *testing.T) {
	var got []evidence.Noise
	s := &series{source: "ticker", step: 10 * time.Millisecond, add: func(r evidence.Record) {
		got = append(got, *r.(*evidence.Noise))
	}}
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for i := range chunk + 1 {
		s.sample(ms(10*i), ms(1))
	}
	s.sample(ms(5000), ms(2)) // the process was stopped for a while
	s.flush()
	s.flush()

	full := make([]int64, chunk)
	for i := range full {
		full[i] = 1000
	}
	want := []evidence.Noise{
		{Source: "ticker", From: 0, Step: s.step, LateUS: full},
		{Source: "ticker", From: ms(10 * chunk), Step: s.step, LateUS: []int64{1000}},
		{Source: "ticker", From: ms(5000), Step: s.step, LateUS: []int64{2000}},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(evidence.Noise{}, "Meta")); d != "" {
		t.Error(d)
	}
}
