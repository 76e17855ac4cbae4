package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/internal/selftest"
)

// waitingRows is how many rows are played by processes at once. Such a row takes 8 s, of which its few processes compute for half a
// second; two processors play 0.8 rows a second on virtual time, so that with fewer the processors would wait in the end. With many
// more the noise that they make for one another would show in the verdicts.
const waitingRows = 8

// defectLoad is how many events the load has for a sender with a defect: enough for a fault or two. The sample of the contract is
// half of a row's time, and brings out nothing more.
const defectLoad = 100

type selftestFlags struct {
	out    string
	sel    []string
	seed   uint64
	events int
}

func selftestCommand(s streams) *cobra.Command {
	var flags selftestFlags
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Prove the judge: put the reference sender with each of its defects to the test",
		Long: `Put the reference sender to the test with each of its defects, and without, under several contracts, and
write the kill matrix: which check failed for which defect. It takes some minutes on two cores.

Each defect must fail the check that is named for it, and no check that the defect does not explain. The
correct sender must fail nothing, a silent one must pass nothing, and each check needs a defect that proves it.
Checks of the delivery rate need as many events as the contract's sample: the rows NAME@load play these alone.
Checks of what a receiver does with an event that comes again are ones that no sender can break: the rows
receiver-* give the receiver a defect, and they must find it, and not the sender, at fault (an error).

In the folder of --out: matrix.txt, matrix.html, and matrix.json, which lists under rows, for each sender,
what must_fail and may_also, the result, why, and its cells by check: mark (wrong, caught, company, passed,
undecided), scenario, because, and the number of verdicts. The evidence of rows that do not hold is kept
beside them, for hookassay judge.

Exit codes: 0 all of that holds, 1 something does not, 2 bad input or trouble of the harness.`,
		Example: `  hookassay selftest
  hookassay selftest --select 'sig-*,limit-1' --out matrix`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd.Context(), s) },
	}
	fs := cmd.Flags()
	fs.StringVar(&flags.out, "out", "selftest-report", "folder for the matrix")
	fs.StringSliceVar(&flags.sel, "select", nil, "only rows that match these globs: defects, or contracts for the correct sender")
	fs.Uint64Var(&flags.seed, "seed", 0, "seed of every random choice; 0 draws one, which is printed")
	fs.IntVar(&flags.events, "acceptance-events", defectLoad, "how many events the load has for a sender with a defect, but for rows of a load alone; 0 is the contract's sample")
	return cmd
}

func (f selftestFlags) run(ctx context.Context, s streams) error {
	all := selftest.Rows()
	rows, err := selftest.Select(all, f.sel)
	if err != nil {
		return err
	}
	if f.seed == 0 {
		f.seed = rand.Uint64N(1<<53-1) + 1 // exact as a JSON number everywhere
	}
	state, err := os.MkdirTemp("", "hookassay-")
	if err != nil {
		return fmt.Errorf("folder for the senders' state: %w", err)
	}
	defer os.RemoveAll(state) //nolint:errcheck // temporary, and the self-test is over
	p := players{state: state}
	live := newLive(s.err)
	live.say("putting the judge to the test by %s, seed %d", number(len(rows), "row"), f.seed)
	m, err := selftest.Run(ctx, selftest.Config{
		Rows: rows, Whole: len(rows) == len(all), Seed: f.seed, AcceptanceEvents: f.events, Dir: f.dir,
		Virtual: p.virtual, Computing: runtime.GOMAXPROCS(0), Processes: p.processes, Waiting: waitingRows,
		Now:      time.Now, //nolint:forbidigo // how long it takes is for the person who waits
		Progress: live.row,
	})
	live.end()
	if err != nil {
		return err
	}
	m.Command = f.again()
	return f.report(s, m)
}

// again is the command line that does it again.
func (f selftestFlags) again() string {
	args := []string{"hookassay", "selftest", "--seed", fmt.Sprint(f.seed)}
	for _, g := range f.sel {
		args = append(args, "--select", g)
	}
	if f.events != defectLoad {
		args = append(args, "--acceptance-events", fmt.Sprint(f.events))
	}
	return commandLine(args...)
}

// dir makes the folder for one play of a row, anew.
func (f selftestFlags) dir(r selftest.Row, how string) (string, error) {
	dir := filepath.Join(f.out, "rows", r.Key(), how)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o700)
}

// report writes the matrix in all forms and prints what it says.
func (f selftestFlags) report(s streams, m *selftest.Matrix) error {
	if err := f.tidy(m); err != nil {
		return err
	}
	for name, form := range map[string]func(io.Writer) error{"matrix.txt": m.Text, "matrix.json": m.JSON, "matrix.html": m.HTML} {
		var b bytes.Buffer
		if err := form(&b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(f.out, name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	width, _ := terminal(s.out)
	if err := m.Print(s.out, width); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nmatrix: %s\n", filepath.Join(f.out, "matrix.html"))
	if !m.Holds {
		return verdictError{exitNotHolding}
	}
	return nil
}

// exitNotHolding is the code for a self-test in which something is not as it must be.
const exitNotHolding = 1

// tidy removes what the rows left that are as they must be.
func (f selftestFlags) tidy(m *selftest.Matrix) error {
	for _, r := range m.Rows {
		if r.Result.Holds() {
			if err := os.RemoveAll(filepath.Join(f.out, "rows", r.Key())); err != nil {
				return err
			}
		}
	}
	_ = os.Remove(filepath.Join(f.out, "rows")) // only if it is empty
	return nil
}
