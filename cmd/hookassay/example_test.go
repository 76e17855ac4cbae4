package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hookassay/hookassay/internal/conformtest"
	"github.com/hookassay/hookassay/reports"
)

// TestMinimalExample follows examples/minimal as its reader would: build the sender, then run it.
func TestMinimalExample(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/minimal")); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "minimal"), "../../examples/minimal")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report := filepath.Join(dir, "report")
	code, stdout, stderr := hookassay(t, "run", "-c", filepath.Join(dir, "hookassay.yaml"), "--out", report)
	res, err := reports.ReadResults(filepath.Join(report, "results.json"))
	if err != nil {
		t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
	}
	for _, c := range conformtest.Complaints(report, code) {
		t.Errorf("%s\n%s\n%s", c, stdout, stderr)
	}
	if res.Acceptance != nil || res.Counts.Pass < 20 {
		t.Errorf("%d checks passed, acceptance %+v; want many, and no acceptance, which the contract leaves out", res.Counts.Pass, res.Acceptance)
	}
}
