package refsender_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/internal/refsender"
)

// types lists the types of the events that arrived at a path, in order.
func (r *rig) types(path string) []string {
	var out []string
	for _, h := range r.at(path) {
		_, rest, _ := strings.Cut(string(h.body), `"type":"`)
		kind, _, _ := strings.Cut(rest, `"`)
		out = append(out, kind)
	}
	return out
}

// TestOrderPerKey: what is about one object waits for its turn, also after a restart, and what is about another one does not.
func TestOrderPerKey(t *testing.T) {
	for defect, want := range map[string][]string{
		"": {"a.first", "b.other"}, "order-overtake": {"a.first", "a.second", "b.other"},
	} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			c := fast(t)
			c.Order = "per-key"
			c.Schedule.Waits[1] = ample
			cfg := refsender.Config{DB: filepath.Join(t.TempDir(), "sender.db"), Contract: c, Defect: defect}
			r := newRig(t, cfg)
			r.plan("/a", status(503), status(200))
			ep := r.register(r.URL + "/a")
			emit := func(r *rig, kind, object string) string {
				return r.emitAs(map[string]any{"type": kind, "object": object, "endpoint": ep, "data": struct{}{}})
			}
			first := emit(r, "a.first", "a")
			r.waitFor("the first attempt on record", func() bool { return len(r.delivery(first, ep).Attempts) == 1 })
			second := emit(r, "a.second", "a")
			if defect != "" {
				r.ended(second, ep, "delivered")
			}
			r.ended(emit(r, "b.other", "b"), ep, "delivered")
			r.stop()
			if diff := cmp.Diff(want, r.types("/a")); diff != "" {
				t.Error("before the restart: " + diff)
			}
			before := len(r.at("/a"))
			next := newRig(t, cfg)
			next.ended(emit(next, "a.third", "a"), ep, "delivered")
			next.ended(first, ep, "delivered")
			next.ended(second, ep, "delivered")
			if defect != "" {
				return // the third comes before the retry of the first, or after it
			}
			got := r.types("/a")[before:]
			if diff := cmp.Diff([]string{"a.first", "a.second", "a.third"}, got); diff != "" {
				t.Error("after the restart: " + diff)
			}
		})
	}
}
