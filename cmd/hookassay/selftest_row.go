package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/internal/selftest"
	"github.com/hookassay/hookassay/scenarios"
)

// rowCommandOf is what `hookassay selftest` starts for each row: a selftest.Job as JSON on standard input, and files in its folder as the
// answer. It ends the process, as package testing does.
func rowCommandOf(s streams) *cobra.Command {
	return &cobra.Command{
		Use:    rowCommand,
		Short:  "Play one row of the self-test on virtual time",
		Hidden: true,
		Args:   noArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := io.ReadAll(s.in)
			if err != nil {
				return err
			}
			var j selftest.Job
			if err := json.Unmarshal(text, &j); err != nil {
				return fmt.Errorf("the job on standard input: %w", err)
			}
			every := func(string, string) (bool, error) { return true, nil }
			testing.Main(every, []testing.InternalTest{{Name: j.Row.Key(), F: func(t *testing.T) { playVirtual(t, j) }}}, nil, nil)
			return nil
		},
	}
}

// playVirtual plays one row on virtual time and writes down what it has shown.
func playVirtual(t *testing.T, j selftest.Job) {
	t.Helper()
	c, err := selftest.Contract(j.Row.Contract)
	if err != nil {
		t.Fatal(err)
	}
	ev, err := os.Create(filepath.Join(j.Dir, evidenceFile))
	if err != nil {
		t.Fatal(err)
	}
	made := inprocess.Virtual(j.Row.DefectName())
	if v := j.Row.VariantName(); v != "" {
		made = inprocess.VirtualVariant(v)
	}
	r := virtual.Run(t, virtual.Config{
		Contract: c, NewSender: made, Restarts: true, Name: "reference sender",
		Select: selected(j, c), Seed: j.Seed, AcceptanceEvents: j.AcceptanceEvents, Suite: version(), Evidence: ev,
		ReceiverDefect: j.Row.ReceiverDefect(),
	})
	if err := ev.Close(); err != nil {
		t.Fatal(err)
	}
	promised := map[string]string{}
	for _, sc := range scenarios.All(c, 0) {
		promised[sc.Name] = sc.NotRun
	}
	played := selftest.Played{Verdicts: r.Verdicts, Verdict: r.Verdict, Why: r.Why, Evidence: ev.Name()}
	for _, sc := range r.Run.Scenarios {
		if lacks(sc, promised) {
			played.Unplayed = append(played.Unplayed, sc.Name)
		}
	}
	text, err := json.Marshal(played)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(j.Dir, playedFile), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// selected lists the scenarios of a job; empty is all.
func selected(j selftest.Job, c *contract.Contract) []string {
	if !j.Unloaded && !j.OnlyLoad {
		return j.Select
	}
	var names []string
	for _, sc := range scenarios.All(c, 0) {
		if load := sc.Family() == "acceptance"; load == j.OnlyLoad {
			names = append(names, sc.Name)
		}
	}
	return names
}

// lacks tells whether the contract asks for a scenario and virtual time has not what it needs.
func lacks(sc evidence.Scenario, promised map[string]string) bool {
	return sc.NotRun != "" && sc.NotRun != promised[sc.Name]
}
