package journal_test

import (
	"database/sql"
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
	if got := journal.Advised(path, err).Error(); !strings.Contains(got, "no space left on the disk of "+path+": free space and start again") {
		t.Errorf("got %s", got)
	}
	if got := journal.Advised(path, noIndexError{}).Error(); !strings.Contains(got, "no space left on the disk of "+path) {
		t.Errorf("no room for the index of the log: got %s", got)
	}
}

// noIndexError is what the driver says at a start on a disk that is full: only a file system of a size of its own gives it.
type noIndexError struct{}

func (noIndexError) Error() string { return "disk I/O error (4874)" }
func (noIndexError) Code() int     { return 4874 }
