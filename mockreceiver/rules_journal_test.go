package mockreceiver_test

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestRule09JournalKeepsEveryCopyAndOnlyTheDatabaseDedupes sends the same bytes at once, with the first write failing.
func TestRule09JournalKeepsEveryCopyAndOnlyTheDatabaseDedupes(t *testing.T) {
	const copies = 24
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	url, c := r.endpoint("e", "business-failure, 200"), client(t)
	// Alone, since among copies another one may reach the database before it.
	if _, _, err := try(c, url, `{"id":"evt_1"}`); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range copies - 1 {
		all.Go(func() {
			if _, _, err := try(c, url, `{"id":"evt_1"}`); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	db := open(t, path)
	if n := scan(t, db, "SELECT count(*) FROM arrival WHERE endpoint = 'e' AND body = CAST(? AS BLOB)", `{"id":"evt_1"}`); n != copies {
		t.Errorf("%d of %d requests are in the journal", n, copies)
	}
	results := map[string]int{}
	for _, e := range r.effects(copies) {
		results[e.Result]++
	}
	// A failed write leaves no claim behind, so that a later one goes through: there is nothing to check before acting.
	if results[evidence.EffectRolledBack] != 1 || results[evidence.EffectCommitted] != 1 || results[evidence.EffectAbsorbed] != copies-2 {
		t.Errorf("effects: %v", results)
	}
	if n := scan(t, db, "SELECT count(*) FROM orders WHERE endpoint = 'e'"); n != 1 {
		t.Errorf("%d business rows, want 1", n)
	}
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, "INSERT INTO dedupe SELECT * FROM dedupe"); err == nil || !strings.Contains(err.Error(), "UNIQUE") {
		t.Errorf("a second claim of the event got %v, want the database to refuse it", err)
	}
}

// TestRule18BoundsTheMemory sends more than it allows to be kept in memory: as bodies, and as ids of which each is another.
func TestRule18BoundsTheMemory(t *testing.T) {
	const (
		bodies, bodySize = 100, 128 << 10
		ids, idSize      = 600, 32 << 10
		allowed          = 6 << 20 // of 32 MB sent
	)
	// Not through start, whose rig keeps everything that it observes.
	r, err := mockreceiver.Listen(context.Background(), mockreceiver.Config{Quick: true}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	urls := map[string]string{}
	for _, name := range []string{"a", "b"} {
		if urls[name], err = r.AddEndpoint(mockreceiver.Endpoint{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	c := &http.Client{Transport: tr, Timeout: patience}
	before := heap()
	body := strings.Repeat("x", bodySize)
	for i := range bodies {
		if status, _, err := try(c, urls["a"], fmt.Sprintf(`{"id":"evt_%d","x":"%s"}`, i, body)); err != nil || status != 200 {
			t.Fatalf("got %d, %v", status, err)
		}
	}
	id := strings.Repeat("i", idSize)
	for i := range ids {
		if status, _, err := try(c, urls["b"], fmt.Sprintf(`{"id":"%d%s"}`, i, id)); err != nil || status != 200 {
			t.Fatalf("got %d, %v", status, err)
		}
	}
	if grown := int64(heap()) - int64(before); grown > allowed {
		t.Errorf("%d MiB more in memory after %d requests, want at most %d", grown>>20, bodies+ids, allowed>>20)
	}
	// All is there, on disk; and clearing is for one endpoint.
	count := func(name string) int {
		n, err := r.Wait(canceled(), name, 0, bodies+ids)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if a, b := count("a"), count("b"); a != bodies || b != ids {
		t.Errorf("the journal has %d and %d requests, want %d and %d", a, b, bodies, ids)
	}
	if err := r.ResetEndpoint(context.Background(), "a"); err != nil {
		t.Fatal(err)
	}
	if a, b := count("a"), count("b"); a != 0 || b != ids {
		t.Errorf("after one was cleared the journal has %d and %d requests", a, b)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestRule19ForgetsNothingInSilence lets the journal of a receiver fail for one request, and judges what is left. The same
// without the failure gets a verdict.
func TestRule19ForgetsNothingInSilence(t *testing.T) {
	const check = "effect.once"
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	for _, fails := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "journal.db")
		r := start(t, mockreceiver.Config{Journal: path})
		url, cl := r.endpoint("e", "503, 200"), client(t)
		const marker = "hkm0123456789abcdefghij"
		body := `{"id":"evt_1","m":"` + marker + `"}`
		want := []int{503, 200, 200, 200} // so that without the second it looks as good
		for i := range want {
			db := open(t, path)
			if fails && i == 1 {
				want[i] = 500
				alter(t, db, "ALTER TABLE arrival RENAME TO hidden")
			}
			if status, _ := post(t, cl, url, body); status != want[i] {
				t.Errorf("fails %v, request %d: got %d, want %d", fails, i, status, want[i])
			}
			if i == 0 {
				r.outcomes(1) // or it would be lost with what follows
			}
			if fails && i == 1 {
				alter(t, db, "ALTER TABLE hidden RENAME TO arrival")
			}
		}
		if fails {
			// It sent once more than was recorded, and the verdict would be about two attempts.
			r.until("the trouble", func(l []evidence.Record) bool {
				list := of[*evidence.Trouble](l)
				return len(list) == 1 && list[0].Lost > 0 && list[0].Scenario == "s/e"
			})
			r.outcomes(3)
			r.effects(2)
		} else {
			r.outcomes(4)
			r.effects(3)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if lost := r.Lost(); (lost > 0) != fails {
			t.Errorf("fails %v: %d records counted as lost", fails, lost)
		}
		run := judged(t, r.sofar(), marker, check)
		verdicts := judge.Judge(c, run)
		wanted := map[bool]judge.Outcome{true: judge.Inconclusive, false: judge.Pass}[fails]
		if len(verdicts) != 1 || verdicts[0].Outcome != wanted || strings.Contains(verdicts[0].Because, "records were lost") != fails {
			t.Errorf("fails %v: got %+v, want %s", fails, verdicts, wanted)
		}
	}
}

func alter(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		t.Fatal(err)
	}
}

// judged is the run of a scenario with one event, as a harness would have recorded it.
func judged(t *testing.T, records []evidence.Record, marker, check string) *evidence.Run {
	t.Helper()
	rec, err := evidence.NewRecorder(evidence.NewWriter(io.Discard), &evidence.Header{})
	if err != nil {
		t.Fatal(err)
	}
	all := append([]evidence.Record{
		&evidence.Scenario{Name: "s/e", Family: "s", Checks: []string{check}, WatchUntil: patience},
		&evidence.Endpoint{Name: "e", Scenario: "s/e"},
		&evidence.Act{Act: evidence.ActEmit, Scenario: "s/e", Endpoint: "e", Marker: marker, Event: "evt_1"},
	}, records...)
	for _, one := range all {
		if err := rec.Add(one); err != nil {
			t.Fatal(err)
		}
	}
	run, err := rec.Close(patience, "")
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestRule20IsOnDiskBeforeTheReply looks into the file with another connection the moment that an answer, or the want of one,
// reaches the peer.
func TestRule20IsOnDiskBeforeTheReply(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	db := open(t, path)
	for i, plan := range []string{"502", "200", "reset", "lost-ack", "business-failure", "timeout(1ms)", "200(work=20ms)"} {
		name, body := fmt.Sprintf("e%d", i), fmt.Sprintf(`{"id":"evt_%d"}`, i)
		r.endpoint(name, plan)
		w := r.dial()
		w.send(request("/hooks/"+name, body))
		if _, err := w.r.Peek(1); err != nil && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
			t.Fatalf("%s: %v", plan, err)
		}
		if n := scan(t, db, "SELECT count(*) FROM arrival WHERE endpoint = ? AND CAST(body AS TEXT) = ?", name, body); n != 1 {
			t.Errorf("%s: %d arrivals on disk, want 1", plan, n)
		}
		want := 0
		if strings.HasPrefix(plan, "200") || plan == "lost-ack" {
			want = 1
		}
		for _, table := range []string{"dedupe", "orders"} {
			if n := scan(t, db, "SELECT count(*) FROM "+table+" WHERE endpoint = ?", name); n != want {
				t.Errorf("%s: %d rows in %s, want %d", plan, n, table, want)
			}
		}
		// One who waits for what comes after the number of before needs no sleep, nor a second look.
		if n, err := r.Wait(canceled(), name, int64(i), 1); n != 1 || err != nil {
			t.Errorf("%s: a wait for what follows number %d sees %d requests, %v", plan, i, n, err)
		}
	}
}

// TestRule21JournalIsWhatWasOnTheWire reads odd requests back through the API that people and the console use.
func TestRule21JournalIsWhatWasOnTheWire(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200")
	binary := make([]byte, 256)
	for i := range binary {
		binary[i] = byte(i)
	}
	const line = "POST /hooks/e HTTP/1.1\r\nHost: h\r\n"
	for i, tc := range []struct{ name, head, sent, body string }{
		{"odd case and order", "POST /hooks/e?b=2&a=%31 HTTP/1.1\r\nZ-last: 1\r\nhOsT: H\r\ncOnTeNt-LeNgTh: 1\r\nA-first: 2\r\n\r\n", "x", "x"},
		{"a name again and again", line + "X-A: 1\r\nx-a: 2\r\nX-B: 3\r\nX-A: 1\r\nContent-Length: 1\r\n\r\n", "x", "x"},
		{"a folded line", line + "X-Fold: a\r\n\tb\r\n  c\r\nContent-Length: 1\r\n\r\n", "x", "x"},
		{"spaces around a value", line + "X-Wide: \t a  b \t \r\nX-None:\r\nX-Tight:1\r\nContent-Length: 1  \r\n\r\n", "x", "x"},
		{"no UTF-8 in a value", line + "X-Latin: caf\xe9 \xff\r\nContent-Length: 1\r\n\r\n", "x", "x"},
		{"hop-by-hop names", line + "Connection: keep-alive, X-Gone\r\nX-Gone: 1\r\nTE: trailers\r\nContent-Length: 1\r\n\r\n", "x", "x"},
		{"every byte", line + "Content-Length: 256\r\n\r\n", string(binary), string(binary)},
		{"chunks and trailers", line + "Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n", "2;q\r\nab\r\n3\r\ncde\r\n0\r\nX-T: 1\r\n\r\n", "abcde"},
		{"number tokens", line + "Content-Length: 57\r\n\r\n", `{"a":1e400,"b":12345678901234567890,"c":1.0,"d":-0,"e":1E2}`[:57], `{"a":1e400,"b":12345678901234567890,"c":1.0,"d":-0,"e":1E2}`[:57]},
		{"looks like our own form", line + "Content-Length: 11\r\n\r\n", "base64:QUJD", "base64:QUJD"},
		{"says that it is compressed", line + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n", "\x1f\x8bno", "\x1f\x8bno"},
	} {
		w := r.dial()
		w.send(tc.head + tc.sent)
		if status, _ := w.answer(); status != 200 {
			t.Errorf("%s: got %d", tc.name, status)
		}
		status, shown := r.api("GET", fmt.Sprintf("/v1/attempts/%d", i+1), "")
		if status != 200 {
			t.Fatalf("%s: got %d %v", tc.name, status, shown)
		}
		if got := unbase64(t, shown["head"]); got != tc.head {
			t.Errorf("%s: the API has head %q, sent was %q", tc.name, got, tc.head)
		}
		if got := unbase64(t, shown["body"]); got != tc.body {
			t.Errorf("%s: the API has body %q, sent was %q", tc.name, got, tc.body)
		}
		if _, got := r.fetch(fmt.Sprintf("/v1/attempts/%d/body", i+1), r.Token()); got != tc.body {
			t.Errorf("%s: the body alone is %q, sent was %q", tc.name, got, tc.body)
		}
		list, err := r.Attempts(context.Background(), journal.Query{After: int64(i), Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if a := list[0]; string(a.Head) != tc.head || string(a.Body) != tc.body {
			t.Errorf("%s: the journal has %q and %q", tc.name, a.Head, a.Body)
		}
	}
	// A number that stands for the event stays the token that it was.
	for i, token := range []string{"12345678901234567890", "1e400", "1.0", "-0", "1E2"} {
		w := r.dial()
		w.send(request("/hooks/e", `{"id":`+token+`}`))
		w.answer()
		if a := r.arrivals(12 + i)[11+i]; a.Key != token {
			t.Errorf("id %s became the key %q", token, a.Key)
		}
	}
}

func unbase64(t *testing.T, v any) string {
	t.Helper()
	text, ok := v.(string)
	b, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil {
		t.Fatalf("%v is no base64: %v", v, err)
	}
	return string(b)
}
