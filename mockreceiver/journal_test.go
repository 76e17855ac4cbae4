package mockreceiver_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// open opens a journal file past the receiver's back.
func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func scan(t *testing.T, db *sql.DB, query string, args ...any) int {
	t.Helper()
	var n int
	if err := db.QueryRowContext(context.Background(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestObservedBeforeTheReply relies on the order of events in one goroutine each: the observer has seen the arrival when
// the client has the answer.
func TestObservedBeforeTheReply(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("e", "200"), client(t)
	for i := range 50 {
		post(t, c, url, "x")
		if n := len(of[*evidence.Arrival](r.sofar())); n != i+1 {
			t.Fatalf("after answer %d: %d arrivals were observed", i+1, n)
		}
	}
}

func TestReopenedJournalGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	first := start(t, mockreceiver.Config{Journal: path})
	url := first.endpoint("e", "501, 502, 503, 504")
	post(t, client(t), url, `{"id":"evt_1"}`)
	post(t, client(t), url, `{"id":"evt_1"}`)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := start(t, mockreceiver.Config{Journal: path})
	url = second.endpoint("e", "501, 502, 503, 504")
	if status, _ := post(t, client(t), url, `{"id":"evt_1"}`); status != 503 {
		t.Errorf("got %d, want the third step", status)
	}
	if a := second.arrivals(1)[0]; a.Seq != 3 || a.Attempt != 3 {
		t.Errorf("arrival: %+v, want number 3", a)
	}
	second.outcomes(1)
	list, err := second.Attempts(context.Background(), journal.Query{Endpoint: "e", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 {
		t.Fatalf("got %d attempts, want 3", len(list))
	}
	for i, a := range list {
		if a.Seq != int64(i+1) || a.Outcome == nil || a.Outcome.Status != 501+i || string(a.Body) != `{"id":"evt_1"}` || len(a.Head) == 0 {
			t.Errorf("attempt %d: %+v, outcome %+v", i+1, a, a.Outcome)
		}
	}
}

// TestJournalAfterAKill copies the files of a running receiver, which is what a kill leaves behind.
func TestJournalAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	url := r.endpoint("e", "200")
	post(t, client(t), url, `{"id":"evt_1"}`)
	left := filepath.Join(t.TempDir(), "journal.db")
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(left+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	after := start(t, mockreceiver.Config{Journal: left})
	post(t, client(t), after.endpoint("e", "200"), `{"id":"evt_1"}`)
	if a := after.arrivals(1)[0]; a.Seq != 2 || a.Attempt != 2 {
		t.Errorf("arrival: %+v, want the second", a)
	}
	if e := after.effects(1)[0]; e.Result != evidence.EffectAbsorbed || e.Rows != 1 {
		t.Errorf("effect: %+v, want the event to be known", e)
	}
}

func TestJournalOfSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	db := open(t, path)
	if _, err := db.ExecContext(context.Background(), "CREATE TABLE mine (x)"); err != nil {
		t.Fatal(err)
	}
	r, err := mockreceiver.New(mockreceiver.Config{Journal: path})
	if err == nil {
		_ = r.Close()
		t.Fatal("opened a database of somebody else")
	}
	if !strings.Contains(err.Error(), "give another file") {
		t.Errorf("got %v", err)
	}
}

func TestJournalThatCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	url, c := r.endpoint("e", "200, 201, 202, 203"), client(t)
	if status, _ := post(t, c, url, `{"id":"1"}`); status != 200 {
		t.Fatalf("got %d", status)
	}
	r.effects(1)
	r.outcomes(1)
	db := open(t, path)
	exec := func(text string) {
		t.Helper()
		if _, err := db.ExecContext(context.Background(), text); err != nil {
			t.Fatal(err)
		}
	}
	exec("ALTER TABLE arrival RENAME TO hidden")
	if status, _ := post(t, c, url, `{"id":"1"}`); status != 500 {
		t.Errorf("got %d, want 500", status)
	}
	troubles := of[*evidence.Trouble](r.until("a trouble", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) > 0 }))
	if tr := troubles[0]; tr.Scenario != "s/e" || tr.Lost == 0 || !strings.Contains(tr.What, "journal cannot be written") {
		t.Errorf("trouble: %+v", tr)
	}
	if r.Lost() == 0 {
		t.Error("nothing is counted as lost")
	}
	exec("ALTER TABLE hidden RENAME TO arrival")
	if status, _ := post(t, c, url, `{"id":"1"}`); status != 202 {
		t.Errorf("got %d, want the third step: it works again", status)
	}
	if a := r.arrivals(2)[1]; a.Seq != 2 {
		t.Errorf("number %d, want 2: a number that was not written is not used up", a.Seq)
	}
	r.until("the trouble on disk", func([]evidence.Record) bool { return scan(t, db, "SELECT count(*) FROM trouble") == 1 })
}

func TestRecordsAreJSON(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	post(t, client(t), r.endpoint("e", "200"), "\xff\x00")
	r.effects(1)
	r.outcomes(1)
	list, err := r.Attempts(context.Background(), journal.Query{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(list[0])
	if err != nil {
		t.Fatal(err)
	}
	var back journal.Attempt
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if string(back.Body) != "\xff\x00" || back.Effect == nil || back.Outcome == nil || back.Kind != evidence.KindArrival {
		t.Errorf("got %s", b)
	}
}

// TestOutcomeThatCannotBeWritten loses the end of a request: the request must not count as in flight for ever.
func TestOutcomeThatCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	url := r.endpoint("e", "timeout")
	db := open(t, path)
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	gone := make(chan error, 1)
	go func() {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"id":"1"}`))
		if err == nil {
			_, err = client(t).Do(req)
		}
		gone <- err
	}()
	r.arrivals(1)
	if _, err := db.ExecContext(t.Context(), "ALTER TABLE outcome RENAME TO hidden"); err != nil {
		t.Fatal(err)
	}
	hangUp()
	if err := <-gone; err == nil {
		t.Fatal("got an answer")
	}
	r.until("the loss", func([]evidence.Record) bool { return r.Lost() > 0 })
	if _, err := db.ExecContext(t.Context(), "ALTER TABLE hidden RENAME TO outcome"); err != nil {
		t.Fatal(err)
	}
	status, a := r.api("GET", "/v1/attempts/1", "")
	if status != 200 || a["open"] != false {
		t.Errorf("a request whose end was lost: got %d, open %v", status, a["open"])
	}
}
