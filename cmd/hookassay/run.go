package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// usualRunFile is what a run goes by where no file is named.
const usualRunFile = "hookassay.yaml"

func hasUsualRunFile() bool {
	info, err := os.Stat(usualRunFile)
	return err == nil && info.Mode().IsRegular()
}

func runCommand(s streams) *cobra.Command {
	var flags runFlags
	var path, resume string
	cmd := &cobra.Command{
		Use:   "run [-c FILE]",
		Short: "Assay a sender as a run file says",
		Example: `  hookassay run -c hookassay.yaml --out report
  hookassay run -c hookassay.yaml --select 'retry/*' --seed 7
  hookassay run -c hookassay.yaml --write-known known.yaml
  hookassay run -c hookassay.yaml --known-failures known.yaml
  hookassay run --resume report`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("resume") {
				return flags.resume(cmd.Context(), cmd.Flags(), resume, s)
			}
			if path == "" && hasUsualRunFile() {
				path = usualRunFile
			}
			if path == "" {
				return fmt.Errorf("no run file; name one with -c, for instance -c examples/refsender/hookassay.yaml")
			}
			file, err := loadRunFile(path)
			if err != nil {
				return err
			}
			a, err := flags.assay(file, httpapi.Load)
			if err != nil {
				return err
			}
			a.path = path
			a.again = func(seed uint64) string {
				return commandLine(append([]string{"hookassay", "run", "-c", path}, flags.again(cmd.Flags(), seed, a.driver.secret)...)...)
			}
			return a.do(cmd.Context(), s)
		},
	}
	cmd.Flags().StringVarP(&path, "config", "c", "", "the run file (default "+usualRunFile+" of this folder, if it is there)")
	cmd.Flags().StringVar(&resume, "resume", "", "go on with the run whose report is in this folder, which was interrupted at most an hour ago")
	flags.add(cmd.Flags(), "hookassay-report")
	return cmd
}

// runFlags are the flags that demo and run share. Each overrides the run file where it is given.
type runFlags struct {
	out      string
	contract string
	compress int
	vars     []string
	sel      []string
	labels   string
	seed     uint64
	parallel int
	events   int
	known    string
	write    string
	timings  bool
	lang     string
	patient  bool
	given    func(name string) bool
}

// add defines the flags; out is the folder of the report if neither flag nor run file names one.
func (f *runFlags) add(fs *pflag.FlagSet, out string) {
	fs.StringVar(&f.out, "out", out, "folder for the report")
	fs.StringVar(&f.contract, "contract", "", "profile or contract file, instead of the run file's")
	fs.IntVar(&f.compress, "compress", 0, "divide the contract's times by this")
	fs.StringArrayVar(&f.vars, "var", nil, "value for a variable of the adapter, name=value (repeatable)")
	fs.StringSliceVar(&f.sel, "select", nil, "only scenarios that match these globs, such as 'retry/*'")
	fs.StringVar(&f.labels, "labels", "", "only checks that match this label filter, such as 'retry && MUST'")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of every random choice; 0 draws one, which is printed")
	fs.IntVar(&f.parallel, "parallel", 0, "at most so many scenarios at once; 0 is all")
	fs.IntVar(&f.events, "acceptance-events", 0, "how many events the acceptance scenario emits; 0 is the contract's sample")
	addKnown(fs, &f.known, &f.write)
	fs.BoolVar(&f.timings, "timings", false, "print how long the run, its phases and its scenarios took")
	fs.BoolVar(&f.patient, "no-timeouts", false, "wait without end for answers of a sender that is being debugged; its adapter needs a probe")
	addViewLang(fs, &f.lang)
	f.given = func(name string) bool { return fs.Changed(name) }
}

func addKnown(fs *pflag.FlagSet, known, write *string) {
	fs.StringVar(known, "known-failures", "", "file of failures that are known and put up with; an entry that is stale fails the run")
	fs.StringVar(write, "write-known", "", "write the failures as such a file, whose reasons are then to be filled in")
}

// override puts the given flags over the run file.
func (f *runFlags) override(file runFile) runFile {
	if file.Out == "" || f.given("out") {
		file.Out = f.out
	}
	if f.given("contract") {
		file.Contract = f.contract
	}
	if f.given("compress") {
		file.Compress = f.compress
	}
	if f.given("select") {
		file.Select = f.sel
	}
	if f.given("labels") {
		file.Labels = f.labels
	}
	if f.given("seed") {
		file.Seed = f.seed
	}
	if f.given("parallel") {
		file.Parallel = f.parallel
	}
	if f.given("acceptance-events") {
		file.AcceptanceEvents = f.events
	}
	if f.given("known-failures") {
		file.KnownFailures = f.known
	}
	return file
}

// assay reads everything else that the run file names.
func (f *runFlags) assay(file runFile, load func(path string) (*httpapi.Adapter, error)) (assay, error) {
	file = f.override(file)
	if err := file.inBounds(); err != nil {
		return assay{}, err
	}
	c, err := effectiveContract(file.Contract, file.Compress)
	if err != nil {
		return assay{}, err
	}
	vars, err := file.withVars(f.vars)
	if err != nil {
		return assay{}, err
	}
	driver, err := file.driverOf(load)
	if err != nil {
		return assay{}, err
	}
	if err := knownFlaws(driver, vars); err != nil {
		return assay{}, err
	}
	known, err := loadKnown(file.KnownFailures)
	if err != nil {
		return assay{}, err
	}
	if err := checkKnownTarget(f.write, file.KnownFailures); err != nil {
		return assay{}, err
	}
	greets, err := file.Handshake.settings()
	if err != nil {
		return assay{}, err
	}
	lang, err := languageOf(f.lang)
	if err != nil {
		return assay{}, err
	}
	return assay{lang: lang, handshake: greets, file: file, contract: c, driver: driver, vars: vars, known: known, writeKnown: f.write, timings: f.timings, noTimeouts: f.patient}, nil
}

// profileNorFile adds to the error of a name that is no profile how to write it where it is a file.
func profileNorFile(name string, err error) error {
	if info, failed := os.Stat(name); failed == nil && info.Mode().IsRegular() && !isPath(name) {
		return fmt.Errorf("%w; for the file of that name write ./%s", err, name)
	}
	return err
}

// effectiveContract reads a profile or a contract file and compresses it.
func effectiveContract(name string, n int) (*contract.Contract, error) {
	get := contract.Profile
	if isPath(name) {
		get = contract.Load
	}
	c, err := get(name)
	if err != nil {
		return nil, profileNorFile(name, err)
	}
	if n <= 1 {
		return c, nil
	}
	return c.Compress(n)
}

// launcher makes the driver of the sender under test. Its processes keep their state under dir.
func (a assay) launcher(ctx context.Context, dir string, engine httpapi.Containers) (sender.Launcher, error) {
	o := driverOptions{contract: a.contract, vars: a.vars, dir: dir, keep: a.keepable(), engine: engine}
	if a.noTimeouts {
		o.calls = -1
	}
	return a.driver.launcher(ctx, o)
}
