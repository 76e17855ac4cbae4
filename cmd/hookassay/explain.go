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
	"github.com/hookassay/hookassay/internal/near"
	"github.com/hookassay/hookassay/internal/selftest"
	"github.com/hookassay/hookassay/internal/words"
	"github.com/hookassay/hookassay/scenarios"
)

func explainCommand(s streams) *cobra.Command {
	var name, lang string
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
			l, err := languageOf(lang)
			if err != nil {
				return err
			}
			c, err := explainedContract(name)
			if err != nil {
				return err
			}
			return explain(teller{s.out, words.In(l)}, c, args[0])
		},
	}
	addLang(cmd.Flags(), &lang)
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

// teller prints texts in a language.
type teller struct {
	io.Writer
	words words.Texts
}

func explain(w teller, c *contract.Contract, name string) error {
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
	return fmt.Errorf("no check or scenario is named %q%s; hookassay list checks and hookassay list scenarios name them", name, near.Meant(name, names))
}

func explainCheck(w teller, c *contract.Contract, ch judge.Check) error {
	e, err := judge.ExplainIn(string(w.words.Language), ch.ID)
	if err != nil {
		return err
	}
	w.wrap(0, w.words.Text("explain.titled", ch.ID, e.Title))
	w.section("explain.rule", e.Judged)
	rests := ""
	if w.words.Language == words.English {
		rests = w.words.Text("explain.rests", ch.Rests) // in another language the title says it
	}
	w.section("explain.contract", rests+w.level(c, ch.ID))
	w.section("explain.needs", w.words.Text("explain.needs-text", e.Needs))
	w.section("explain.stimulus", w.stimulus(c, ch.ID))
	w.section("explain.allowance", e.Allowance)
	w.section("explain.proven", w.proofs(ch.ID))
	w.section("explain.fix", e.Fix)
	return nil
}

func (w teller) level(c *contract.Contract, check string) string {
	if c.Advises(check) {
		return w.words.Text("explain.should", c.Name)
	}
	return w.words.Text("explain.must", c.Name)
}

// stimulus names the scenarios that feed a check.
func (w teller) stimulus(c *contract.Contract, check string) string {
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
		text = w.words.Text("explain.none")
	}
	if len(not) > 0 {
		text += w.words.Text("explain.not-under", c.Name, strings.Join(not, ", "))
	}
	return text
}

// proofs names the defects that the check is known to catch: those of the self-test. What they do is told in English alone.
func (w teller) proofs(check string) string {
	var out []string
	named := map[string]bool{}
	try := ""
	for _, r := range selftest.Rows() {
		if r.MustFail != check || named[r.Name] {
			continue
		}
		named[r.Name] = true
		proof := r.Name
		if w.words.Language == words.English {
			proof = w.words.Text("explain.proof", r.Name, r.Title)
		}
		out = append(out, proof)
		try = r.DefectName()
	}
	text := strings.Join(out, w.words.Text("list.semicolon"))
	if try == "" {
		return text + w.words.Text("explain.try-receiver")
	}
	return text + w.words.Text("explain.try", try)
}

func explainScenario(w teller, sc drive.Scenario) {
	w.wrap(0, w.words.Text("explain.titled", sc.Name, w.words.Whole(sc.Title)))
	if sc.NotRun != "" {
		w.section("explain.not-played", w.words.Whole(sc.NotRun))
	}
	w.section("explain.feeds", w.words.Text("explain.feeds-text", strings.Join(sc.Checks, ", ")))
	var paths []string
	for _, p := range sc.Paths {
		paths = append(paths, string(p))
	}
	w.section("explain.paths", strings.Join(paths, ", "))
	needs := w.words.Text("explain.least")
	if len(sc.Needs) > 0 {
		var names []string
		for _, a := range sc.Needs {
			names = append(names, string(a))
		}
		needs = w.words.Text("explain.of-driver", strings.Join(names, ", "))
	}
	w.section("explain.needs", needs)
	where := "explain.shared"
	switch {
	case sc.Alone:
		where = "explain.alone-phase"
	case sc.Instance != "":
		where = "explain.own-process"
	}
	w.section("explain.played", w.words.Text(where))
	w.section("explain.watched", w.words.Text("explain.watch-text", sc.Watch))
	w.section("explain.alone", "hookassay run -c FILE --select "+sc.Name)
}

// section prints a heading, by its key, and a text below it.
func (w teller) section(heading, text string) {
	fmt.Fprintf(w, "\n%s\n", w.words.Text(heading))
	w.wrap(2, text)
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
