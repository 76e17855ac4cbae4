package business_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

func at(second int64) time.Time { return time.Unix(second, 0) }

func TestAnOlderEventNeverOverwritesANewerOne(t *testing.T) {
	v := func(version string, created int64) business.Object {
		o := business.Object{ID: "o_1", Resource: "order", Version: version}
		if created > 0 {
			o.Created = at(created)
		}
		return o
	}
	for name, tc := range map[string]struct {
		first, second business.Object
		want          string
	}{
		"newer by version":           {v("1", 0), v("2", 0), evidence.EffectCommitted},
		"newer as number, not text":  {v("9", 0), v("10", 0), evidence.EffectCommitted},
		"older by version":           {v("2", 0), v("1", 0), evidence.EffectSuperseded},
		"version before time":        {v("2", 100), v("1", 200), evidence.EffectSuperseded},
		"newer by time":              {v("", 100), v("", 101), evidence.EffectCommitted},
		"older by time":              {v("", 101), v("", 100), evidence.EffectSuperseded},
		"same version, older":        {v("2", 101), v("2", 100), evidence.EffectSuperseded},
		"same version, newer":        {v("2", 100), v("2", 101), evidence.EffectCommitted},
		"one version, older by time": {v("2", 101), v("", 100), evidence.EffectSuperseded},
		"a version without order":    {v("b", 101), v("a", 100), evidence.EffectSuperseded},
		"nothing to go by":           {v("", 0), v("", 0), evidence.EffectConflict},
		"the same time":              {v("", 100), v("", 100), evidence.EffectConflict},
		"the same version":           {v("2", 0), v("2", 0), evidence.EffectConflict},
		"one side tells":             {v("", 100), v("", 0), evidence.EffectConflict},
		"each tells something else":  {v("2", 0), v("", 100), evidence.EffectConflict},
		"another object":             {v("2", 0), business.Object{ID: "o_2", Resource: "order", Version: "1"}, evidence.EffectCommitted},
		"another resource":           {v("2", 0), business.Object{ID: "o_1", Resource: "invoice", Version: "1"}, evidence.EffectCommitted},
		"another tenant":             {v("2", 0), business.Object{ID: "o_1", Resource: "order", Version: "1", Tenant: "t"}, evidence.EffectCommitted},
		"no object":                  {v("2", 0), business.Object{}, evidence.EffectCommitted},
		"a time that fits no number": {v("", 100), business.Object{ID: "o_1", Resource: "order", Created: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}, evidence.EffectConflict},
	} {
		r := open(t)
		r.exec("BEGIN")
		for i, o := range []business.Object{tc.first, tc.second} {
			want := []string{evidence.EffectCommitted, tc.want}[i]
			e := business.Event{Endpoint: "a", Key: fmt.Sprintf("evt_%d", i), Object: o}
			got, err := r.Apply(context.Background(), e, false)
			if err != nil || got.Result != want {
				t.Errorf("%s: event %d: got %+v %v, want %s", name, i, got, err, want)
			}
			if kept := got.Result == evidence.EffectSuperseded || got.Result == evidence.EffectConflict; kept != strings.Contains(got.Detail, "evt_0") {
				t.Errorf("%s: event %d: detail %q", name, i, got.Detail)
			}
		}
		r.exec("COMMIT")
		r.state("a", "evt_1", true, 1)
	}
}

// TestTheNewestStateWins: in whatever order events with versions come, failures and copies among them, the newest one sets the
// state, and each has one business row.
func TestTheNewestStateWins(t *testing.T) {
	r := open(t)
	endpoint := 0
	rapid.Check(t, func(rt *rapid.T) {
		endpoint++
		name := fmt.Sprint("e", endpoint)
		newest, highest := "", int64(-1)
		done := map[string]bool{}
		for i, version := range rapid.SliceOfN(rapid.Int64Range(0, 20), 1, 20).Draw(rt, "versions") {
			fail := rapid.Bool().Draw(rt, "fail")
			key := fmt.Sprint("evt_", version)
			r.exec("BEGIN")
			got, err := r.Apply(context.Background(), business.Event{
				Endpoint: name, Key: key, Seq: int64(i), Object: business.Object{ID: "o", Version: fmt.Sprint(version)},
			}, fail)
			r.exec("COMMIT")
			want := evidence.EffectCommitted
			switch {
			case done[key]:
				want = evidence.EffectAbsorbed
			case fail:
				want = evidence.EffectRolledBack
			case version < highest:
				want = evidence.EffectSuperseded
			}
			if err != nil || got.Result != want {
				rt.Fatalf("version %d: got %+v %v, want %s", version, got, err, want)
			}
			if want == evidence.EffectCommitted {
				newest, highest = key, version
			}
			done[key] = done[key] || want == evidence.EffectCommitted || want == evidence.EffectSuperseded
			r.state(name, key, done[key], map[bool]int{true: 1}[done[key]])
		}
		var set string
		row := r.conn.QueryRowContext(context.Background(), "SELECT coalesce(max(event), '') FROM object WHERE endpoint = ?", name)
		if err := row.Scan(&set); err != nil || set != newest {
			rt.Fatalf("the state is of %q %v, want %q", set, err, newest)
		}
	})
}
