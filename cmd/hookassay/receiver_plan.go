package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/match"
)

// planFlags say what a receiver does with what arrives.
type planFlags struct {
	plan, file string
	given      func() bool // --plan was on the command line
	seed       uint64
}

func (f *planFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.plan, "plan", "200", "what to do with each event's attempts (hookassay list faults)")
	fs.StringVar(&f.file, "plan-file", "", "YAML file with a plan, plans by event, and rules by match")
	fs.Uint64Var(&f.seed, "seed", 0, "what random faults are drawn from; 0 draws one, which is printed")
	f.given = func() bool { return cmd.Flags().Changed("plan") }
}

// drawn is the seed, drawn if none was given.
func (f *planFlags) drawn() uint64 {
	if f.seed == 0 {
		f.seed = rand.Uint64N(1<<53-1) + 1 // exact as a JSON number everywhere
	}
	return f.seed
}

// maxPlanFile is what a plan file may have; fault.ParseFile refuses as much.
const maxPlanFile = 64 << 10

// read returns the plans of either flag.
func (f *planFlags) read() (fault.File, error) {
	if f.file == "" && !f.given() {
		return fault.File{}, nil // the plan that answers 200, unless a journal keeps another
	}
	if f.file == "" {
		p, err := fault.Parse(f.plan)
		if err != nil {
			return fault.File{}, fmt.Errorf("--plan: %w", err)
		}
		return fault.File{Plan: p}, nil
	}
	if f.given() {
		return fault.File{}, errors.New("--plan and --plan-file: give one of them, the file has a place for the plan")
	}
	text, err := readUpTo(f.file, maxPlanFile+1)
	if err != nil {
		return fault.File{}, fmt.Errorf("--plan-file: %w", err)
	}
	file, err := fault.ParseFile(text, func(expr string) error {
		_, err := match.Compile(expr)
		return err
	})
	if err != nil {
		return fault.File{}, fmt.Errorf("--plan-file %s: %w", f.file, err)
	}
	return file, nil
}

// planned adds the endpoint with its plans.
func planned(r *mockreceiver.Receiver, e mockreceiver.Endpoint, file fault.File) (url string, err error) {
	e.Plan, e.Rules = file.Plan, file.Rules
	if url, err = r.AddEndpoint(e); err != nil {
		return "", err
	}
	for key, p := range file.Events {
		if err := r.SetPlan(e.Name, key, p); err != nil {
			return "", err
		}
	}
	return url, nil
}

// restored brings back what the journal keeps of an earlier run, and returns the plans that hold now with a line for the start. An endpoint
// that cannot come back keeps nobody from working, and is told of.
func restored(r *mockreceiver.Receiver, hook string, file fault.File) (fault.File, string) {
	names, err := r.Restore()
	var b strings.Builder
	for _, name := range names {
		if name != hook {
			fmt.Fprintf(&b, "\nfrom journal  endpoint %s", name)
			continue
		}
		b.WriteString("\nfrom journal  the plans above")
		file.Plan, file.Rules, file.Events = r.Plans(hook)
	}
	if err != nil {
		fmt.Fprintf(&b, "\nfrom journal  not back: %s", printable(err.Error()))
	}
	return file, b.String()
}

// said is how the plans are shown: a random fault can be repeated only by its seed.
func (f *planFlags) said(r *mockreceiver.Receiver, file fault.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan          %s", file.Plan)
	var more []string
	if n := len(file.Events); n > 0 {
		more = append(more, number(n, "event")+" with plans of their own")
	}
	if n := len(file.Rules); n > 0 {
		more = append(more, number(n, "rule"))
	}
	if len(more) > 0 {
		fmt.Fprintf(&b, "  (and %s)", strings.Join(more, ", "))
	}
	fmt.Fprintf(&b, "\nseed          %d", r.Seed())
	if r.Random() {
		fmt.Fprintf(&b, "  (--seed %d repeats the random faults)", r.Seed())
	}
	return b.String()
}
