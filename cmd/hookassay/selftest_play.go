package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/selftest"
	"github.com/hookassay/hookassay/scenarios"
)

// rowCommand is the hidden verb that plays one row on virtual time, in a process of its own.
const rowCommand = "selftest-row"

// What a play leaves in its folder.
const (
	evidenceFile = "evidence.ndjson"
	playedFile   = "played.json"
	outputFile   = "output.txt"
)

// players play rows of the self-test.
type players struct{ state string }

// virtual plays a row in a process of its own. A bubble of testing/synctest can only be had from package testing, which keeps its
// flags and its standing in variables of the process; and a sender that makes time stand still ends its process.
func (p players) virtual(ctx context.Context, j selftest.Job) (selftest.Played, error) {
	var played selftest.Played
	self, err := os.Executable()
	if err != nil {
		return played, fmt.Errorf("path of this program: %w", err)
	}
	text, err := json.Marshal(j)
	if err != nil {
		return played, err
	}
	cmd := exec.CommandContext(ctx, self, rowCommand)
	cmd.Stdin = bytes.NewReader(text)
	// What it leaves is removed with the rest even if it ends badly. It lives for seconds and needs little memory, so that it need not
	// look for garbage often: that is a seventh of its time. As many rows are played at once as there are processors, so that a second
	// thread of Go would only wake up for what the first has done: another twelfth.
	cmd.Env = append(os.Environ(), "TMPDIR="+p.state, "GOGC=400", "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return played, errors.Join(said(err, out), os.WriteFile(filepath.Join(j.Dir, outputFile), out, 0o600))
	}
	if text, err = os.ReadFile(filepath.Join(j.Dir, playedFile)); err != nil {
		return played, said(err, out)
	}
	if err := json.Unmarshal(text, &played); err != nil {
		return played, fmt.Errorf("%s: %w", playedFile, err)
	}
	return played, nil
}

// said is an error with the first line of what a process said, which names the trouble.
func said(err error, out []byte) error {
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "--- FAIL") {
			return fmt.Errorf("%w: %s", err, line)
		}
	}
	return err
}

// processes plays a row by the contract in five seconds, as `hookassay run` does.
func (p players) processes(ctx context.Context, j selftest.Job) (selftest.Played, error) {
	var played selftest.Played
	file, err := exampleRun()
	if err != nil {
		return played, err
	}
	a := assay{file: file}
	if a.driver, err = file.driverOf(exampleAdapter); err != nil {
		return played, err
	}
	if a.contract, err = quickContractOf(j.Row); err != nil {
		return played, err
	}
	if a.vars, err = file.withVars([]string{"defect=" + j.Row.DefectName(), "variant=" + j.Row.VariantName()}); err != nil {
		return played, err
	}
	launcher, err := a.launcher(ctx, p.state, nil)
	if err != nil {
		return played, err
	}
	ev, err := os.Create(filepath.Join(j.Dir, evidenceFile))
	if err != nil {
		return played, err
	}
	r, err := scenarios.Assay(ctx, scenarios.Config{
		Contract: a.contract, Launcher: launcher, Evidence: ev, Select: j.Select, Seed: j.Seed, Suite: version(),
		ReceiverDefect: j.Row.ReceiverDefect(),
	})
	if err = errors.Join(err, ev.Close()); err != nil {
		return played, err
	}
	return selftest.Played{Verdicts: r.Verdicts, Verdict: r.Verdict, Why: r.Why, Evidence: ev.Name()}, nil
}

func quickContractOf(r selftest.Row) (*contract.Contract, error) {
	c, err := selftest.Contract(r.Contract)
	if err != nil {
		return nil, err
	}
	return selftest.Quick(c)
}
