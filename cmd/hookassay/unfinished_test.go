package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestNoRunTakesTheFolderOfAnother wants the folder of a run that is under way left alone, and that of one that ended cleared.
func TestNoRunTakesTheFolderOfAnother(t *testing.T) {
	report, state := t.TempDir(), filepath.Join(t.TempDir(), "hookassay-1")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(report, unfinishedFile), fmt.Sprintf(`{"schema":%q,"state":%q}`, unfinishedSchema, state))
	write(filepath.Join(state, settingsFile), fmt.Sprintf("schema: %s\nreport: %q\n", unfinishedSchema, report))
	j, err := journal.Open(t.Context(), filepath.Join(state, journalFile), journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	err = dropUnfinished(t.Context(), report)
	if err == nil || !strings.HasSuffix(err.Error(), ": a run is under way in it; wait for its end, or name another folder with --out") {
		t.Errorf("while it is under way: got %v", err)
	}
	if _, err := os.Stat(filepath.Join(report, unfinishedFile)); err != nil {
		t.Error(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := dropUnfinished(t.Context(), report); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(state); err == nil {
		t.Error("what the run kept is still there")
	}
}
