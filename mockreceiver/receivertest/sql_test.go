package receivertest_test

import (
	"database/sql"
	"testing"
)

// exec runs a statement on a journal behind the receiver's back. The driver is the journal's.
func exec(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}
