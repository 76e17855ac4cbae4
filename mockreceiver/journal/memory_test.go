package journal_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestMemoryAnswersAsTheFileDoes puts the same records into both and asks both the same.
func TestMemoryAnswersAsTheFileDoes(t *testing.T) {
	ctx := context.Background()
	var records []evidence.Record
	for i := range int64(60) {
		a := arrival(i+1, fmt.Sprint("e", i%3), fmt.Sprint("k", i%7), int(i/21)+1)
		a.Body = make(evidence.Raw, i)
		records = append(records, a)
		if i%2 == 0 {
			records = append(records, &evidence.Outcome{Of: i + 1, Fault: "status", Status: int(200 + i), End: evidence.EndComplete})
		}
		if i%5 == 0 {
			records = append(records, &evidence.Effect{Of: i + 1, Endpoint: a.Endpoint, Key: a.Key, Result: evidence.EffectCommitted, Rows: 1})
			records = append(records, &evidence.Trouble{What: fmt.Sprint("trouble ", i)})
		}
	}
	file := fill(t, filepath.Join(t.TempDir(), "j.db"), func(ctx context.Context, w *journal.Writer) error {
		return w.Write(ctx, rows(t, records...))
	})
	memory := journal.NewMemory(100, 1<<20)
	for _, r := range rows(t, records...) {
		if _, err := memory.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		q := journal.Query{
			Endpoint: rapid.SampledFrom([]string{"", "e0", "e1", "unknown"}).Draw(t, "endpoint"),
			Key:      rapid.SampledFrom([]string{"k1", "k2", "unknown"}).Draw(t, "key"),
			ByKey:    rapid.Bool().Draw(t, "by key"), Newest: rapid.Bool().Draw(t, "newest"), First: rapid.Bool().Draw(t, "first"),
			NoEffect: rapid.Bool().Draw(t, "no effect"),
			After:    rapid.Int64Range(0, 70).Draw(t, "after"), Before: rapid.Int64Range(0, 70).Draw(t, "before"),
			Limit: rapid.IntRange(1, 70).Draw(t, "limit"), MaxBody: rapid.SampledFrom([]int64{-1, 0, 20}).Draw(t, "body"),
		}
		want, err := file.Attempts(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := memory.Attempts(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.Comparer(func(a, b evidence.Raw) bool { return string(a) == string(b) })); d != "" {
			t.Errorf("%+v: %s", q, d)
		}
		n, err := memory.Count(ctx, q)
		if m, _ := file.Count(ctx, q); n != m || err != nil {
			t.Errorf("%+v: counted %d %v, want %d", q, n, err, m)
		}
		wantTroubles, wantNext, err := file.Troubles(ctx, q.After, q.Limit)
		if err != nil {
			t.Fatal(err)
		}
		troubles, next, err := memory.Troubles(ctx, q.After, q.Limit)
		if d := cmp.Diff(wantTroubles, troubles); d != "" || next != wantNext || err != nil {
			t.Errorf("%+v: next %d %v, want %d; %s", q, next, err, wantNext, d)
		}
		reached, err := memory.Reached(ctx, "e1", q.Key)
		if want, _ := file.Reached(ctx, "e1", q.Key); reached != want || err != nil {
			t.Errorf("reached %d %v, want %d", reached, err, want)
		}
	})
}

// TestMemoryDropsTheOldestAndSaysSo adds requests of all sizes to a journal of any size.
func TestMemoryDropsTheOldestAndSaysSo(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		most, room := rapid.IntRange(1, 40).Draw(t, "records"), rapid.Int64Range(1000, 50_000).Draw(t, "bytes")
		m := journal.NewMemory(most, room)
		var lost int64
		n := rapid.IntRange(1, 150).Draw(t, "requests")
		for i := range int64(n) {
			a := arrival(i+1, "e", fmt.Sprint(i), 1)
			a.Body = make(evidence.Raw, rapid.IntRange(0, 5000).Draw(t, "body"))
			late := max(1, i+1-rapid.Int64Range(0, 50).Draw(t, "late"))
			for _, r := range []evidence.Record{a, &evidence.Outcome{Of: late, Status: 200}} {
				text, err := journal.Encode(r)
				if err != nil {
					t.Fatal(err)
				}
				dropped, err := m.Add(journal.Row{Record: r, Text: text})
				if err != nil {
					t.Fatal(err)
				}
				lost += dropped
			}
		}
		list, err := m.Attempts(ctx, journal.Query{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 || len(list) > most || int64(len(list))+lost != int64(n) || m.Lost() != lost {
			t.Fatalf("%d of %d are there, at most %d may be; %d counted as lost", len(list), n, most, lost)
		}
		size := 0
		for i, a := range list {
			if a.Seq != lost+int64(i)+1 || a.Key != fmt.Sprint(a.Seq-1) {
				t.Fatalf("number %d with key %s is at place %d: want the newest, in order", a.Seq, a.Key, i)
			}
			size += len(a.Body)
		}
		if len(list) > 1 && int64(size) > room {
			t.Errorf("holds %d bytes of bodies, want %d at most", size, room)
		}
	})
}

func TestMemoryForgets(t *testing.T) {
	ctx := context.Background()
	m := journal.NewMemory(10, 1<<20)
	for i := range int64(6) {
		for _, r := range rows(t, arrival(i+1, []string{"a", "b"}[i%2], "k", 1)) {
			if _, err := m.Add(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	m.Forget("a")
	m.Forget("unknown")
	list, err := m.Attempts(ctx, journal.Query{Limit: 10})
	if err != nil || len(list) != 3 || list[0].Endpoint != "b" || m.Lost() != 0 {
		t.Errorf("got %d requests %v, %d lost; want those of b, and none lost", len(list), err, m.Lost())
	}
}
