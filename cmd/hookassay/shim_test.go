package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hookassay/hookassay/internal/conformtest"
	"github.com/hookassay/hookassay/reports"
)

// TestShimExamples runs the example shims as their reader would.
func TestShimExamples(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		programs []string
		args     []string // of the run, to keep it short
		passes   int
	}{
		{"shim-python", []string{"python3"}, nil, 25},
		{"shim-shell", []string{"sh", "curl", "openssl"}, []string{"--select", "delivery/*,retry/transient-status,body/every-kind-of-content,budget/always-failing"}, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, p := range tt.programs {
				if _, err := exec.LookPath(p); err != nil {
					t.Skipf("there is no %s here", p)
				}
			}
			out := filepath.Join(t.TempDir(), "report")
			args := append([]string{"run", "-c", filepath.Join("../../examples", tt.name, "hookassay.yaml"), "--out", out}, tt.args...)
			code, stdout, stderr := hookassay(t, args...)
			res, err := reports.ReadResults(filepath.Join(out, "results.json"))
			if err != nil {
				t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
			}
			for _, c := range conformtest.Complaints(out, code) {
				t.Errorf("%s\n%s\n%s", c, stdout, stderr)
			}
			if res.Counts.Pass < tt.passes {
				t.Errorf("%d checks passed, want at least %d", res.Counts.Pass, tt.passes)
			}
		})
	}
}
