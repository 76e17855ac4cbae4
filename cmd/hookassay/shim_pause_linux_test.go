package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/hookassay/hookassay/internal/conformtest"
	"github.com/hookassay/hookassay/reports"
)

// TestAPausedShimIsNotBlamed stops a shim that delivers itself and answers ping while the third attempts are due, and nothing else.
func TestAPausedShimIsNotBlamed(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3 here")
	}
	const beforeThird = 2 * time.Second // after the first event: they are due 2.7 s after it
	out := filepath.Join(t.ArtifactDir(), "report")
	r := startRun(t, "run", "-c", "../../examples/shim-python/hookassay.yaml", "--compress", "30", "--select", "delivery/*,retry/transient-status", "--out", out)
	r.awaitEvent(t, out)
	<-time.After(beforeThird)
	r.stop(t, children(t, r.cmd.Process.Pid)...)
	<-time.After(paused)
	r.resume()
	r.wait(t)
	res, err := reports.ReadResults(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, r.stderr.String())
	}
	for _, a := range conformtest.Alarms(res) {
		t.Error(a)
	}
	var worst time.Duration
	for _, n := range readEvidence(t, filepath.Join(out, "evidence.ndjson")).Noise {
		if n.Source != "probe:shared" {
			continue
		}
		for _, us := range n.LateUS {
			worst = max(worst, time.Duration(us)*time.Microsecond)
		}
	}
	if worst < paused*3/4 {
		t.Errorf("the evidence does not know of the shim's pause: at most it was late by %s", worst)
	}
}
