package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/selftest"
	"github.com/hookassay/hookassay/scenarios"
)

func explainCommand(s streams) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "explain CHECK|SCENARIO",
		Short: "Explain a check or a scenario: rule, stimulus, allowance, and how to mend a sender that fails it",
		Example: `  hookassay explain id.stable
  hookassay explain retry/timeout --contract standard-webhooks`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one check or scenario, for instance hookassay explain id.stable")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := explainedContract(name)
			if err != nil {
				return err
			}
			return explain(s.out, c, args[0])
		},
	}
	cmd.Flags().StringVar(&name, "contract", "", "profile or contract file under which to explain, instead of the examples'")
	return cmd
}

func explainedContract(name string) (*contract.Contract, error) {
	if name != "" {
		return effectiveContract(name, 1)
	}
	file, err := exampleRun()
	if err != nil {
		return nil, err
	}
	return effectiveContract(file.Contract, file.Compress)
}

func explain(w io.Writer, c *contract.Contract, name string) error {
	all := scenarios.All(c, 0)
	if i := slices.IndexFunc(all, func(sc drive.Scenario) bool { return sc.Name == name }); i >= 0 {
		explainScenario(w, all[i])
		return nil
	}
	checks := judge.Checks()
	if i := slices.IndexFunc(checks, func(ch judge.Check) bool { return ch.ID == name }); i >= 0 {
		return explainCheck(w, c, checks[i])
	}
	var names []string
	for _, ch := range checks {
		names = append(names, ch.ID)
	}
	for _, sc := range all {
		names = append(names, sc.Name)
	}
	return fmt.Errorf("no check or scenario is named %q%s; hookassay list checks and hookassay list scenarios name them", name, meant(name, names, ""))
}

func explainCheck(w io.Writer, c *contract.Contract, ch judge.Check) error {
	e, err := judge.Explain(ch.ID)
	if err != nil {
		return err
	}
	wrapped(w, 0, ch.ID+": "+ch.Title)
	section(w, "rule", e.Judged)
	section(w, "contract", `"`+ch.Rests+`" `+level(c, ch.ID))
	section(w, "needs", ch.Needs+"; not applicable without")
	section(w, "stimulus", stimulus(c, ch.ID))
	section(w, "allowance", e.Allowance)
	section(w, "proven by", proofs(ch.ID))
	section(w, "how to mend a sender that fails it", e.Fix)
	return nil
}

func level(c *contract.Contract, check string) string {
	if c.Advises(check) {
		return "SHOULD under " + c.Name + ": broken, it is a warning."
	}
	return "MUST under " + c.Name + ", where it promises this; SHOULD, and then a warning, under a contract that only advises it."
}

// stimulus names the scenarios that feed a check.
func stimulus(c *contract.Contract, check string) string {
	var played, not []string
	for _, sc := range scenarios.All(c, 0) {
		switch {
		case !slices.Contains(sc.Checks, check):
		case sc.NotRun != "":
			not = append(not, sc.Name)
		default:
			played = append(played, sc.Name)
		}
	}
	text := strings.Join(played, ", ")
	if text == "" {
		text = "none"
	}
	if len(not) > 0 {
		text += "; not played under " + c.Name + ": " + strings.Join(not, ", ")
	}
	return text
}

// proofs names the defects that the check is known to catch: those of the self-test.
func proofs(check string) string {
	var out []string
	named := map[string]bool{}
	try := ""
	for _, r := range selftest.Rows() {
		if r.MustFail != check || named[r.Name] {
			continue
		}
		named[r.Name] = true
		out = append(out, fmt.Sprintf("%s (%s)", r.Name, r.Title))
		try = r.DefectName()
	}
	text := strings.Join(out, "; ") + ". "
	if try == "" {
		return text + "Try it: hookassay selftest --select 'receiver-*'"
	}
	return text + "Try it: hookassay demo --var defect=" + try
}

func explainScenario(w io.Writer, sc drive.Scenario) {
	wrapped(w, 0, sc.Name+": "+sc.Title)
	if sc.NotRun != "" {
		section(w, "not played", sc.NotRun)
	}
	section(w, "feeds", strings.Join(sc.Checks, ", ")+". hookassay explain CHECK says what each wants.")
	var paths []string
	for _, p := range sc.Paths {
		paths = append(paths, string(p))
	}
	section(w, "paths", strings.Join(paths, ", "))
	needs := "emit and register only"
	if len(sc.Needs) > 0 {
		var names []string
		for _, a := range sc.Needs {
			names = append(names, string(a))
		}
		needs = "of the sender's driver: " + strings.Join(names, ", ")
	}
	section(w, "needs", needs)
	where := "beside the others, on the sender process that they share"
	switch {
	case sc.Alone:
		where = "in a phase of its own"
	case sc.Instance != "":
		where = "beside the others, on a sender process of its own; where the driver cannot launch one, in a phase of its own"
	}
	section(w, "played", where)
	section(w, "watched", fmt.Sprintf("for %s after the last emit", sc.Watch))
	section(w, "alone", "hookassay run -c FILE --select "+sc.Name)
}

// section prints a heading and a text below it.
func section(w io.Writer, heading, text string) {
	fmt.Fprintf(w, "\n%s\n", heading)
	wrapped(w, 2, text)
}

// explainable completes checks and scenarios.
func explainable(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, c := range judge.Checks() {
		names = append(names, cobra.CompletionWithDesc(c.ID, c.Title))
	}
	c, err := contract.Profile("bounded-6") // scenarios have the same names under every contract
	if err != nil {
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	for _, sc := range scenarios.All(c, 0) {
		names = append(names, cobra.CompletionWithDesc(sc.Name, sc.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
