package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

// assay is a run whose inputs are all read: what is left is to do it.
type assay struct {
	file     runFile
	contract *contract.Contract // effective
	adapter  *httpapi.Adapter
	vars     map[string]string
	command  string // how to do it again
}

// do runs the assay and writes the report to out as it goes.
func (a assay) do(ctx context.Context, s streams) error {
	selected, err := scenarios.Selection(scenarios.Config{Contract: a.contract, Select: a.file.Select, Labels: a.file.Labels})
	if err != nil {
		return err
	}
	state, err := os.MkdirTemp("", "hookassay-")
	if err != nil {
		return fmt.Errorf("folder for the senders' state: %w", err)
	}
	defer os.RemoveAll(state) //nolint:errcheck // temporary, and the run is over
	launcher, err := a.launcher(state)
	if err != nil {
		return err
	}
	dir, err := reports.Open(a.file.Out)
	if err != nil {
		return err
	}
	if a.file.Seed == 0 {
		a.file.Seed = rand.Uint64N(1<<53-1) + 1 // exact as a JSON number everywhere
	}
	ev, err := dir.Evidence()
	if err != nil {
		return err
	}
	if err := dir.Begin(reports.Build(reports.Input{Contract: a.contract, Command: a.command})); err != nil {
		return errors.Join(err, ev.Close())
	}
	live := newLive(s.err)
	live.say("assaying %s against %s, %d scenarios, seed %d", a.adapter.Name, a.contract.Name, len(selected), a.file.Seed)
	r, err := scenarios.Assay(ctx, scenarios.Config{
		Contract:         a.contract,
		Launcher:         launcher,
		Evidence:         ev,
		Select:           a.file.Select,
		Labels:           a.file.Labels,
		Seed:             a.file.Seed,
		AcceptanceEvents: a.file.AcceptanceEvents,
		Parallel:         a.file.Parallel,
		Suite:            version(),
		Progress:         live.progress,
	})
	live.end()
	err = errors.Join(err, ev.Close())
	if r == nil {
		return err
	}
	return finish(s, dir, r, a.command, err)
}

// finish writes the artifacts, prints the summary and turns the verdict into the command's end. trouble is what went wrong
// before; it wins over the verdict.
func finish(s streams, dir *reports.Dir, r *scenarios.Result, command string, trouble error) error {
	res, err := dir.Write(reports.Input{
		Contract: r.Contract, Run: r.Run, Verdicts: r.Verdicts, Acceptance: r.Acceptance,
		Timelines: r.Timelines, Verdict: r.Verdict, Why: r.Why, Command: command,
	})
	if err := errors.Join(trouble, err); err != nil {
		return err
	}
	width, color := terminal(s.out)
	if err := reports.Terminal(s.out, res, width, color); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nreport: %s\n", filepath.Join(dir.Path(), "report.html"))
	if r.Verdict == judge.Conformant || r.Verdict == judge.ConformantWithKnownFailures {
		return nil
	}
	return verdictError{res.ExitCode}
}
