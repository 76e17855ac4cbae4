package journal_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestAdvisedOfAFullDisk fills a file that may not grow, for which SQLite has the same error.
func TestAdvisedOfAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // the limit is one connection's
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE t (v BLOB); PRAGMA max_page_count = 2"); err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), "INSERT INTO t VALUES (zeroblob(1000000))")
	if err == nil {
		t.Fatal("a file grew that may not")
	}
	if got := journal.Advised(path, "a journal", err).Error(); !strings.Contains(got, "no space left on the disk of "+path+": free space and start again") {
		t.Errorf("got %s", got)
	}
	if got := journal.Advised(path, "a journal", noIndexError{}).Error(); !strings.Contains(got, "no space left on the disk of "+path) {
		t.Errorf("no room for the index of the log: got %s", got)
	}
}

// TestTroubleOfAFullDisk fills the journal itself while it is open.
func TestTroubleOfAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	j, err := journal.Open(t.Context(), path, journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	conn, err := j.Conn(t.Context()) // the limit is one connection's
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1; INSERT INTO trouble (record) VALUES (zeroblob(1000000))")
	if err == nil {
		t.Fatal("a file grew that may not")
	}
	if got := j.Trouble(err).Error(); !strings.HasPrefix(got, "no space left on the disk of ") || !strings.HasSuffix(got, "x.db: free space, and it goes on") {
		t.Errorf("got %s", got)
	}
	if j.Trouble(nil) != nil {
		t.Error("there is a trouble without an error")
	}
}

// TestDamagedJournal cuts a journal short, and overwrites pages in another's middle, which can be opened.
func TestDamagedJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	j, err := journal.Open(t.Context(), path, journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = "x.db: is damaged or was cut short: give a copy of it that is whole, or another file"
	opened := func(text []byte) (*journal.Journal, error) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return journal.Open(t.Context(), path, journal.Normal)
	}
	if _, err := opened(whole[:len(whole)/2]); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("half of it: got %v", err)
	}
	// The first page holds the list of tables, the others nothing yet but that they are empty.
	for i := 4096; i < len(whole); i++ {
		whole[i] = 0x55
	}
	if j, err = opened(whole); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := j.Attempts(t.Context(), journal.Query{Limit: 1}); err == nil || !strings.HasSuffix(j.Trouble(err).Error(), want) {
		t.Errorf("damaged pages: got %v", err)
	}
}

// TestJournalOfAnotherVersion says so, not that it is none.
func TestJournalOfAnotherVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	j, err := journal.Open(t.Context(), path, journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	_, err = j.Reader().ExecContext(t.Context(), "PRAGMA user_version = 99")
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(t.Context(), path, journal.Normal); err == nil || !strings.Contains(err.Error(), "x.db: is a journal of version 99, and this hookassay reads version 2: ") {
		t.Errorf("got %v", err)
	}
}

// noIndexError is what the driver says at a start on a disk that is full: only a file system of a size of its own gives it.
type noIndexError struct{}

func (noIndexError) Error() string { return "disk I/O error (4874)" }
func (noIndexError) Code() int     { return 4874 }
