package refsender_test

import (
	"testing"

	"github.com/hookassay/hookassay/internal/refsender"
)

// BenchmarkEmitToDelivered is the way of one event from the emit to its delivery on record, 16 at a time.
func BenchmarkEmitToDelivered(b *testing.B) {
	c := fast(b)
	c.Schedule.Waits[0] = 0
	r := newRig(b, refsender.Config{Contract: c})
	ep := r.register(r.URL + "/a")
	b.SetParallelism(8)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			r.emit(ep, struct{}{})
			<-r.got
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
