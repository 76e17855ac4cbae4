package journal_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// fill opens a journal at path and lets write work in a transaction.
func fill(t *testing.T, path string, write func(context.Context, *journal.Writer) error) *journal.Journal {
	t.Helper()
	ctx := context.Background()
	j, err := journal.Open(ctx, path, journal.Full)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	conn, err := j.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	w, err := j.Writer(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	if err := write(ctx, w); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	return j
}

func rows(t *testing.T, list ...evidence.Record) []journal.Row {
	t.Helper()
	var out []journal.Row
	for _, r := range list {
		text, err := journal.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, journal.Row{Record: r, Text: text})
	}
	return out
}

func arrival(seq int64, endpoint, key string, attempt int) *evidence.Arrival {
	return &evidence.Arrival{
		Seq: seq, Endpoint: endpoint, Scenario: "s", Key: key, KeyFrom: "sha256", Attempt: attempt, Chosen: "200",
		Conn: evidence.Conn{ID: 1, Request: 2, Local: "a", Remote: "b", Proto: "HTTP/1.1"}, FirstByte: 5, BodyEnd: 6,
		Wall: time.Date(2026, 3, 1, 12, 0, 0, 7, time.UTC),
		Head: evidence.Raw("POST / HTTP/1.1\r\nx: \xff\r\n\r\n"), Body: evidence.Raw("\x00\xff"), BodySize: 2,
	}
}

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd ?#%20 name.db")
	want := journal.Attempt{
		Arrival: *arrival(1, "e", "k", 1),
		Outcome: &evidence.Outcome{
			Of: 1, Fault: "status", Status: 502, End: evidence.EndComplete, ReplyStart: 7, ReplyEnd: 8,
			Header: [][2]string{{"X-B", "1"}, {"X-A", "2"}}, Body: evidence.Raw("\xfe"),
		},
		Effect: &evidence.Effect{Of: 1, Endpoint: "e", Key: "k", Result: evidence.EffectCommitted, At: 9, Dedupe: true, Rows: 1},
	}
	j := fill(t, path, func(ctx context.Context, w *journal.Writer) error {
		return w.Write(ctx, rows(t, want.Outcome, &want.Arrival, want.Effect, &evidence.Trouble{What: "odd", Lost: 3}))
	})
	got, err := j.Attempts(context.Background(), journal.Query{Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	want.Kind, want.Outcome.Kind, want.Effect.Kind = evidence.KindArrival, evidence.KindOutcome, evidence.KindEffect
	if d := cmp.Diff([]journal.Attempt{want}, got); d != "" {
		t.Error(d)
	}
	troubles, next, err := j.Troubles(context.Background(), 0, 5)
	if err != nil || next != 0 || len(troubles) != 1 || troubles[0].Lost != 3 {
		t.Errorf("troubles: got %+v %v", troubles, err)
	}
}

func TestQueries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.db")
	j := fill(t, path, func(ctx context.Context, w *journal.Writer) error {
		var list []evidence.Record
		for i := range int64(10) {
			list = append(list, arrival(i+1, []string{"even", "odd"}[i%2], []string{"k", "l"}[i/5], int(i)))
		}
		return w.Write(ctx, rows(t, list...))
	})
	ctx := context.Background()
	for _, tc := range []struct {
		q    journal.Query
		want []int64
	}{
		{journal.Query{Limit: 3}, []int64{1, 2, 3}},
		{journal.Query{After: 8, Limit: 3}, []int64{9, 10}},
		{journal.Query{Endpoint: "odd", Limit: 2}, []int64{2, 4}},
		{journal.Query{Endpoint: "odd", After: 4, Limit: 9}, []int64{6, 8, 10}},
		{journal.Query{Endpoint: "none", Limit: 9}, nil},
	} {
		list, err := j.Attempts(ctx, tc.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, a := range list {
			got = append(got, a.Seq)
			if a.Outcome != nil || a.Effect != nil {
				t.Errorf("%+v: has an outcome that nobody wrote", a)
			}
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%+v: %s", tc.q, d)
		}
	}
	if n, err := j.Count(ctx, journal.Query{Endpoint: "even", After: 1, Limit: 3}); n != 3 || err != nil {
		t.Errorf("count: got %d %v, want 3 and no more", n, err)
	}
	if n, err := j.Count(ctx, journal.Query{Endpoint: "even", After: 1, Limit: 5000}); n != 4 || err != nil {
		t.Errorf("count with a large limit: got %d %v, want all", n, err)
	}
	if n, err := j.Last(ctx); n != 10 || err != nil {
		t.Errorf("last: got %d %v, want 10", n, err)
	}
	for key, want := range map[string]int{"k": 4, "l": 8, "m": 0} {
		if n, err := j.Reached(ctx, "even", key); n != want || err != nil {
			t.Errorf("attempt number of %s: got %d %v, want %d", key, n, err, want)
		}
	}
	if keys, err := j.Keys(ctx, "even", "k", 5); !slices.Equal(keys, []string{"l"}) || err != nil {
		t.Errorf("keys: got %q %v, want the one beyond the first", keys, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.db")
	j := fill(t, path, func(context.Context, *journal.Writer) error { return nil })
	conn, err := j.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(context.Background(), path, journal.Full); err == nil || !strings.Contains(err.Error(), "give another file") {
		t.Errorf("a file of another version: got %v", err)
	}
}

func TestOneWriter(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "odd ?#%20 name.db")
	first, err := journal.Open(ctx, path, journal.Full)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(ctx, path, journal.Full); err == nil || !strings.Contains(err.Error(), "another receiver writes to it: give each receiver a file of its own, ") {
		t.Errorf("a second writer: got %v", err)
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(ctx, link, journal.Full); err == nil || !strings.Contains(err.Error(), "another receiver writes to it") {
		t.Errorf("a second writer by a link: got %v", err)
	}
	hard := filepath.Join(filepath.Dir(path), "hard.db")
	if err := os.Link(path, hard); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(ctx, hard, journal.Full); err == nil || !strings.Contains(err.Error(), "the file has 2 names (hard links)") {
		t.Errorf("a second writer by a hard link: got %v", err)
	}
	if err := os.Remove(hard); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := journal.Open(ctx, path, journal.Full)
	if err != nil {
		t.Fatalf("after the first has closed it: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// TestLogOfSmallRowsIsBounded writes one small row after the other, as a sender makes it that waits for each answer.
func TestLogOfSmallRowsIsBounded(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "j.db")
	j, err := journal.Open(ctx, path, journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := j.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	w, err := j.Writer(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	for seq := range int64(50_000) {
		a := arrival(seq+1, "e", strconv.FormatInt(seq*7919%50_000, 10), 1)
		for _, step := range []func() error{
			func() error { return w.Begin(ctx) }, func() error { return w.Write(ctx, rows(t, a)) }, func() error { return w.Commit(ctx) }, w.Tidy,
		} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	// It is some 600 MB if only the rows' own bytes count. On a disk that cannot follow, 32 MB are written before it begins anew, up
	// to 8 more and 32 while that is under way.
	if most := int64(100 << 20); info.Size() > most {
		t.Errorf("the write-ahead log grew to %d bytes, want %d at most", info.Size(), most)
	}
	for _, end := range []func() error{w.Close, conn.Close, j.Close} {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}

// TestWriteAheadLogIsBounded writes far more than the log may hold, with a reader at work as the console would have one.
func TestWriteAheadLogIsBounded(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "j.db")
	j, err := journal.Open(ctx, path, journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := j.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	w, err := j.Writer(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	var largest int64
	for seq := range int64(300) {
		a := arrival(seq+1, "e", "k", int(seq))
		a.Body = make(evidence.Raw, 1<<20)
		for _, step := range []func() error{
			func() error { return w.Begin(ctx) }, func() error { return w.Write(ctx, rows(t, a)) }, func() error { return w.Commit(ctx) }, w.Tidy,
		} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := j.Count(ctx, journal.Query{Endpoint: "e", Limit: 10}); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path + "-wal"); err == nil {
			largest = max(largest, info.Size())
		}
	}
	// Just below 32 MB when a disk that cannot follow begins to carry over, 32 more until that is done, 32 again while all of it
	// is; and a third for the transactions at each end and the pages and frames that rows take. Without bound it is all 300 MB.
	if most := int64(128 << 20); largest > most {
		t.Errorf("the write-ahead log grew to %d bytes, want %d at most", largest, most)
	}
	for _, end := range []func() error{w.Close, conn.Close, j.Close} {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}
