package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/selftest"
)

// TestSelftestHolds plays some rows of each kind: the correct sender under two contracts, a variant, defects that show on virtual time,
// in processes, over TLS, in timing, under a contract of their own and by a load, a receiver with a defect, and the silent sender. The
// whole self-test plays all, which takes minutes.
func TestSelftestHolds(t *testing.T) {
	t.Parallel()
	names := []string{
		selftest.Default, "limit-1", "lower-case-headers",
		"sig-reserialised", "loss-on-kill", "tls-not-verified", "ra-ignored", "order-overtake@*", "id-new-on-retry@load", "receiver-mark-stays", "silent",
	}
	out := filepath.Join(t.TempDir(), "report")
	code, stdout, stderr := hookassay(t, "selftest", "--seed", "7", "--select", strings.Join(names, ","), "--out", out)
	if code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	if !strings.HasPrefix(stderr, "putting the judge to the test by ") || strings.Count(stderr, "\n") != len(names)+1 {
		t.Errorf("the progress is not one line for each row:\n%s", stderr)
	}
	text, err := os.ReadFile(filepath.Join(out, "matrix.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m selftest.Matrix
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Rows) != len(names) || !m.Holds || m.Complete || !strings.HasPrefix(m.Command, "hookassay selftest --seed 7 --select ") {
		t.Errorf("%d rows, holds %t, complete %t, %s", len(m.Rows), m.Holds, m.Complete, m.Command)
	}
	left, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(left) != 3 {
		t.Errorf("in the folder are %q (%v); want the matrix in three forms and nothing else", left, err)
	}
}

func TestSelftestThatDoesNotHold(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "report")
	flags := selftestFlags{out: out, seed: 7, events: defectLoad}
	row := selftest.Row{Kind: selftest.Defect, Name: "no-ids", Contract: selftest.Default, MustFail: "id.present"}
	if _, err := flags.dir(row, "virtual"); err != nil {
		t.Fatal(err)
	}
	m := &selftest.Matrix{Rows: []selftest.Found{
		selftest.Judge(row, 0, selftest.Played{Verdicts: []judge.Verdict{{Scenario: "a/b", Check: "id.present", Outcome: judge.Pass}}}),
	}}
	var stdout bytes.Buffer
	err := flags.report(streams{out: &stdout}, m)
	if v, ok := errors.AsType[verdictError](err); !ok || v.code != 1 {
		t.Errorf("got %v, want exit code 1", err)
	}
	if want := "DOES NOT HOLD: no-ids missed\n"; !strings.Contains(stdout.String(), want) {
		t.Errorf("it does not say %q:\n%s", want, stdout.String())
	}
	if _, err := os.Stat(filepath.Join(out, "rows", "no-ids", "virtual")); err != nil {
		t.Errorf("what the row left is gone: %v", err)
	}
}

func TestSelftestRowOfNoJob(t *testing.T) {
	t.Parallel()
	if code, _, stderr := hookassay(t, rowCommand); code != 2 || !strings.Contains(stderr, "the job on standard input") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestRowThatEndsBadly shows what the process of a row has said as the row's trouble, and keeps all of it.
func TestRowThatEndsBadly(t *testing.T) {
	t.Parallel()
	p := players{state: t.TempDir()}
	dir := t.TempDir()
	row := selftest.Row{Kind: selftest.Correct, Name: "no-such", Contract: "no-such"}
	_, err := p.virtual(t.Context(), selftest.Job{Row: row, Dir: dir})
	if err == nil || !strings.Contains(err.Error(), `contract "no-such" is none of the self-test's set`) {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, outputFile)); err != nil || !strings.Contains(string(text), "FAIL") {
		t.Errorf("%q %v", text, err)
	}
}
