package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/internal/words"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

// assay is a run whose inputs are all read: what is left is to do it.
type assay struct {
	file     runFile
	contract *contract.Contract // effective
	driver   driver
	vars     map[string]string
	again    func(seed uint64) string // the command line that does it again
	known    []judge.KnownFailure
	// writeKnown is where to write the failures as known ones; empty: nowhere.
	writeKnown string
	timings    bool
	lang       words.Language // of the report
	handshake  *drive.Handshake
	noTimeouts bool // calls of the sender are waited for without end
	// path is that of the run file; empty for files that the program carries, whose runs cannot be gone on with.
	path    string
	earlier *earlierRun // that is gone on with; nil: the run begins
}

// do runs the assay and writes the report to out as it goes.
func (a assay) do(ctx context.Context, s streams) error {
	selected, err := scenarios.Selection(scenarios.Config{Contract: a.contract, Select: a.file.Select, Labels: a.file.Labels})
	if err != nil {
		return err
	}
	state, err := a.stateFolder()
	if err != nil {
		return err
	}
	keep := a.earlier != nil // until the run has begun again, what it kept stays
	defer func() {
		if !keep {
			_ = os.RemoveAll(state) // temporary, and the run is over
		}
	}()
	engine, end, err := containersOf(ctx, a.driver)
	if err != nil {
		return err
	}
	defer end() //nolint:errcheck // what it leaves are images, and the report is written
	launcher, err := a.launcher(ctx, state, engine)
	if err != nil {
		return err
	}
	keep, err = a.record(ctx, s, launcher, state, len(selected))
	return err
}

// record plays the scenarios, writes what is seen into the report's folder and ends with what a run ends with. keep tells whether the state
// of the senders is to stay, so that the run can be gone on with.
func (a assay) record(ctx context.Context, s streams, launcher sender.Launcher, state string, selected int) (keep bool, err error) {
	keep = a.earlier != nil
	dir, err := reports.Open(a.file.Out)
	if err != nil {
		return keep, err
	}
	if a.file.Seed == 0 {
		a.file.Seed = rand.Uint64N(1<<53-1) + 1 // exact as a JSON number everywhere
	}
	command := a.commandLine()
	ev, err := a.evidence(ctx, dir, state, command)
	if err != nil {
		return keep, err
	}
	live := newLive(s.err)
	cfg := a.config(launcher, ev, live)
	if a.keepable() {
		cfg.State = state
	}
	r, err := a.play(ctx, cfg, selected, live)
	err = errors.Join(a.explain(err, launcher), ev.Close())
	if r == nil {
		return keep, err
	}
	e := ending{dir: dir, result: r, again: command, flags: knownFlags(a.file.KnownFailures), writeKnown: a.writeKnown, timings: a.timings, lang: a.lang}
	keep = cfg.State != "" && a.canGoOn(ctx, r.Run, err)
	if keep {
		e.goOn = commandLine("hookassay", "run", "--resume", a.file.Out)
	} else {
		err = errors.Join(err, forgetUnfinished(a.file.Out))
	}
	return keep, finish(s, e, err)
}

// play says what is about to run, and runs it.
func (a assay) play(ctx context.Context, cfg scenarios.Config, selected int, live *live) (*scenarios.Result, error) {
	live.say("%s %s against %s, %s, seed %d", a.verb(), cfg.Launcher.Info().Name, a.contract.Name, number(selected, "scenario"), a.file.Seed)
	a.warn(live)
	a.unshared(live)
	defer live.end()
	stop := context.AfterFunc(ctx, func() {
		live.say("stopping: %v; a second signal ends the program at once, without a report", context.Cause(ctx))
	})
	defer stop()
	if err := a.byHand(ctx, &cfg, live); err != nil {
		return nil, err
	}
	playing := ctx
	if cfg.Observe > 0 {
		playing = context.WithoutCancel(ctx) // a signal is how a watch ends, and no interruption
	}
	return scenarios.Assay(playing, cfg)
}

func (a assay) config(l sender.Launcher, ev io.Writer, live *live) scenarios.Config {
	cfg := scenarios.Config{
		Contract:         a.contract,
		Launcher:         l,
		Evidence:         ev,
		Select:           a.file.Select,
		Labels:           a.file.Labels,
		Seed:             a.file.Seed,
		AcceptanceEvents: a.file.AcceptanceEvents,
		Parallel:         a.file.Parallel,
		Known:            a.known,
		Suite:            version(),
		Progress:         live.progress,
		Handshake:        a.handshake,
	}
	if a.earlier != nil {
		cfg.Resume = a.earlier.evidence
	}
	return cfg
}

// evidence opens the file that the run writes, in a folder whose other contents say from now on that the run has not ended.
func (a assay) evidence(ctx context.Context, dir *reports.Dir, state, command string) (io.WriteCloser, error) {
	begun := reports.Build(reports.Input{Contract: a.contract, Command: command})
	if a.earlier != nil {
		// As long as it is not certain that the run can be gone on with, its report stays as it is.
		return &lateFile{open: func() (io.WriteCloser, error) {
			f, err := dir.Resume(a.earlier.evidence.Size)
			if err != nil {
				return nil, err
			}
			return f, dir.Begin(begun)
		}}, nil
	}
	if err := dropUnfinished(ctx, a.file.Out); err != nil {
		return nil, err
	}
	ev, err := dir.Evidence()
	if err != nil {
		return nil, err
	}
	err = dir.Begin(begun)
	if err == nil && a.keepable() {
		err = a.keepSettings(state, command)
	}
	if err != nil {
		return nil, errors.Join(err, ev.Close())
	}
	return ev, nil
}

// warn says what makes a sender fail that is in order.
func (a assay) warn(l *live) {
	if n := a.contract.CompressedBy; n > 1 && !a.driver.usesContract() {
		l.say("warning: the times of the contract are divided by %d, but the adapter hands the sender none of them; "+
			"give it ${file.contract.yaml} or the ${contract.NAME} that it needs", n)
	}
}

// unshared warns of signatures that nobody could verify.
func (a assay) unshared(l *live) {
	if d, ok := a.driver.(adapterDriver); ok && a.contract.Signature != nil && !d.SharesKeys() {
		l.say("warning: the contract promises signatures, but op register of %s neither hands ${endpoint.secret} over nor extracts secret", d.path)
	}
}

// explain says of a sender that did not start where to look. Of one that was to run already the driver says it.
func (a assay) explain(err error, l sender.Launcher) error {
	_, ok := errors.AsType[*drive.LaunchError](err)
	if !ok || !slices.Contains(l.Info().Abilities, string(sender.CanLaunch)) {
		return err
	}
	return fmt.Errorf("%w; run the command by hand, or %s", err, a.driver.mend())
}

// ending is what is left to do when a run is judged.
type ending struct {
	dir    *reports.Dir
	result *scenarios.Result
	again  string   // the command line of the run
	flags  []string // of judge, that lead to the same verdicts
	// writeKnown is where to write the failures as known ones; empty: nowhere.
	writeKnown string
	timings    bool // are to be printed
	// effective is the text of the contract where it is not the evidence's own.
	effective string
	lang      words.Language // of the report
	// goOn is the command line that goes on with the run; empty if none does.
	goOn string
}

// knownFlags are the flags of judge that lead to the same verdict on known failures.
func knownFlags(path string) []string {
	if path == "" {
		return nil
	}
	return []string{"--known-failures", path}
}

// finish writes the artifacts, prints the summary and turns the verdict into the command's end. trouble is what went wrong
// before; it wins over the verdict.
func finish(s streams, e ending, trouble error) error {
	r, path := e.result, e.dir.Path()
	if trouble != nil {
		trouble = errors.New(oneLine(trouble))
		r.Verdict, r.Why = judge.RunError, trouble.Error()
	}
	res, err := e.dir.Write(reports.Input{
		Contract: r.Contract, Run: r.Run, Verdicts: r.Verdicts, Known: r.Known, Acceptance: r.Acceptance,
		Timelines: r.Timelines, Verdict: r.Verdict, Why: r.Why, Command: e.again, Effective: e.effective, Language: e.lang,
		Rejudge: commandLine(append([]string{"hookassay", "judge", filepath.Join(path, "evidence.ndjson")}, e.flags...)...),
	})
	switch {
	case trouble != nil && err != nil:
		return fmt.Errorf("%w; and the report in %s is not complete", trouble, path)
	case trouble != nil:
		return fmt.Errorf("%w; what was recorded is in %s", trouble, path)
	case err != nil:
		return errors.New(oneLine(err))
	}
	// A job without its summary is still a job with a report.
	if err := appendJobSummary(path); err != nil {
		fmt.Fprintf(s.err, "warning: %v\n", err)
	}
	if err := e.tell(s, res); err != nil {
		return err
	}
	if res.ExitCode == 0 {
		return nil
	}
	return verdictError{res.ExitCode}
}

// tell prints the summary, and what was written where.
func (e ending) tell(s streams, res reports.Results) error {
	width, color := terminal(s.out)
	if err := reports.Terminal(s.out, res, width, color); err != nil {
		return err
	}
	if e.timings {
		if err := reports.Timings(s.out, e.result.Run); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.out, "\nreport: %s\n", filepath.Join(e.dir.Path(), "report.html"))
	if e.goOn != "" {
		fmt.Fprintf(s.out, "go on: %s\n", e.goOn)
	}
	if e.writeKnown != "" {
		if err := writeKnown(e.writeKnown, res); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "known failures: %s; fill in the reasons\n", e.writeKnown)
	}
	return nil
}

// oneLine shows at most two of the errors that are joined in err: what follows tends to follow from them.
func oneLine(err error) string {
	var lines []string
	for l := range strings.SplitSeq(inWords(err), "\n") {
		if !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	const shown = 2
	if more := len(lines) - shown; more > 0 {
		return fmt.Sprintf("%s; and %d more of the kind", strings.Join(lines[:shown], "; "), more)
	}
	return strings.Join(lines, "; ")
}

// number writes a count with its noun, in the plural where it is not one.
func number(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
