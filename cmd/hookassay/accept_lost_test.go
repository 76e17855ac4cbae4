package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestAcceptSaysWhatTheReceiverLost counts a journal whose disk was full twice.
func TestAcceptSaysWhatTheReceiverLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := journal.Open(t.Context(), path, journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	_, err = j.Reader().ExecContext(t.Context(), `INSERT INTO trouble (record) VALUES ('{"what":"full","lost":4}'), ('{"what":"full","lost":2}'), ('{"what":"slow"}')`)
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{
		"--lang=en": "\n  records that the receiver could not keep: 6; what is missing or pending may have been received\n",
		"--lang=zh": "有 6 条记录未能保存",
		"--json":    `"lost_records": 6`,
	} {
		var out, errs bytes.Buffer
		execute(t.Context(), []string{"accept", path, flag}, streams{out: &out, err: &errs})
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %q in\n%s%s", flag, want, out.String(), errs.String())
		}
	}
}
