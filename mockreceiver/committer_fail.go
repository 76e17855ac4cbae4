package mockreceiver

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
)

// maxUnwritten bounds the troubles that wait for a journal that can be written again.
const maxUnwritten = 100

// fail tells everybody in a group that it could not be written: the requests, whose handlers answer 500, and the observer,
// who gets one trouble per scenario with the number of records lost. Nothing is dropped in silence.
func (c *committer) fail(group []*job, err error) {
	lost := map[string]int{}
	var unwritten []*job
	for _, j := range group {
		switch r := j.record.(type) {
		case nil:
		case *evidence.Trouble:
			// It was observed when it happened, or is now; it stays in line for the file.
			if !j.observed {
				j.observed = true
				c.r.cfg.Observe(r)
			}
			unwritten = append(unwritten, j)
		default:
			lost[j.scenario]++
		}
		if j.arrival != nil {
			lost[j.scenario]++
		}
		if j.write != nil {
			lost[j.scenario]++
		}
	}
	for _, scenario := range slices.Sorted(maps.Keys(lost)) {
		t := c.troubled(scenario, fmt.Sprintf("journal cannot be written: %v", err), lost[scenario])
		t.observed = true
		c.r.cfg.Observe(t.record)
		unwritten = append(unwritten, t)
	}
	for _, j := range group {
		if j.done != nil {
			j.done <- err
		}
	}
	c.unwritten = append(c.unwritten, unwritten...)
	if extra := len(c.unwritten) - maxUnwritten; extra > 0 {
		c.unwritten = c.unwritten[extra:]
	}
}
