package business_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/business"
)

// TestWritesTogetherDoWhatTheyDoOneByOne: what a group of writes does, and what is then there, must not depend on how many share
// a statement.
func TestWritesTogetherDoWhatTheyDoOneByOne(t *testing.T) {
	ctx := context.Background()
	alone, group := open(t), open(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		endpoint := fmt.Sprint("e", n)
		events := rapid.IntRange(1, 200).Draw(rt, "events")
		rare := rapid.SampledFrom([]int{2, 10, 1000}).Draw(rt, "one in so many is not plain")
		var writes []*business.Write
		for seq := range rapid.IntRange(1, 90).Draw(rt, "writes") {
			e := business.Event{
				Endpoint: endpoint, Key: fmt.Sprint(rapid.IntRange(1, events).Draw(rt, "event")), Seq: int64(seq + 1), At: time.Unix(1, 0),
			}
			w := &business.Write{Event: e}
			if rapid.IntRange(1, rare).Draw(rt, "odd") == 1 {
				w.Event.Ignored, w.Fail = rapid.Bool().Draw(rt, "ignored"), rapid.Bool().Draw(rt, "fails")
			}
			if rapid.IntRange(1, rare).Draw(rt, "about an object") == 1 {
				w.Event.Object = business.Object{ID: "o", Version: fmt.Sprint(rapid.IntRange(1, 9).Draw(rt, "version"))}
			}
			writes = append(writes, w)
		}
		var want []business.Done
		var asked []*business.Event
		alone.exec("BEGIN")
		for _, w := range writes {
			done, err := alone.Apply(ctx, w.Event, w.Fail)
			if err != nil {
				rt.Fatal(err)
			}
			want, asked = append(want, done), append(asked, &w.Event)
		}
		alone.exec("COMMIT")
		group.exec("BEGIN")
		if err := group.ApplyAll(ctx, writes); err != nil {
			rt.Fatal(err)
		}
		group.exec("COMMIT")
		for i, w := range writes {
			if w.Done != want[i] {
				rt.Errorf("write %d, %+v: got %+v, want %+v", i, w.Event, w.Done, want[i])
			}
		}
		got, err := group.States(ctx, asked)
		if err != nil {
			rt.Fatal(err)
		}
		for i, e := range asked {
			one, err := alone.State(ctx, *e)
			if err != nil || got[i] != one {
				rt.Errorf("state of %+v: got %+v, want %+v %v", e, got[i], one, err)
			}
		}
		if d := cmp.Diff(rows(rt, alone), rows(rt, group)); d != "" {
			rt.Error(d)
		}
	})
}

// rows is all that the business tables hold.
func rows(t *rapid.T, r rig) (list []string) {
	for _, query := range []string{
		"SELECT 'dedupe', endpoint, event, seq FROM dedupe ORDER BY 2, 3",
		"SELECT 'orders', endpoint, event, seq FROM orders ORDER BY 2, 3, 4",
		"SELECT 'object', endpoint, event, seq FROM object ORDER BY 2, 3",
	} {
		found, err := r.conn.QueryContext(context.Background(), query)
		if err != nil {
			t.Fatal(err)
		}
		for found.Next() {
			var table, endpoint, event string
			var seq int64
			if err := found.Scan(&table, &endpoint, &event, &seq); err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(table, " ", endpoint, " ", event, " ", seq))
		}
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return list
}
