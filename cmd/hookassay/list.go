package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/internal/words"
	"github.com/hookassay/hookassay/mockreceiver/alarm"
	"github.com/hookassay/hookassay/scenarios"
)

// lists is what can be listed, each from the code that does it.
func lists() []listing {
	return []listing{
		{"scenarios", "Situations that a sender is put into, and the checks that each feeds", listScenarios, true},
		{"checks", "Rules that evidence is judged by", listChecks, true},
		{"faults", "Faults for plans of the mock receiver", inEnglishOnly(listFaults), false},
		{"defects", "Defects of the reference sender", inEnglishOnly(listDefects), false},
		{"variants", "Harmless ways in which the reference sender can differ from its usual self", inEnglishOnly(listVariants), false},
		{"alarms", "Alarms of the mock receiver", inEnglishOnly(listAlarms), false},
		{"profiles", "Delivery contracts that come with the program", inEnglishOnly(listProfiles), false},
	}
}

type listing struct {
	name, short string
	rows        func(teller) error
	spoken      bool // in every language
}

func listCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List scenarios, checks, faults, defects, variants, schemes, handshakes, alarms or profiles",
		Args:  noArgs, // without it a misspelt list would print the help and succeed
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, l := range lists() {
		lang := ""
		sub := &cobra.Command{
			Use:   l.name,
			Short: l.short,
			Args:  noArgs,
			RunE: func(*cobra.Command, []string) error {
				language, err := languageOf(lang)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(s.text(), 0, 0, 2, ' ', 0) // two spaces between columns
				if err := l.rows(teller{w, words.In(language)}); err != nil {
					return err
				}
				return w.Flush()
			},
		}
		if l.spoken {
			addLang(sub.Flags(), &lang)
		}
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(schemesCommand(s), handshakesCommand(s))
	return cmd
}

// inEnglishOnly is a listing that has no other language yet.
func inEnglishOnly(rows func(io.Writer) error) func(teller) error {
	return func(w teller) error { return rows(w) }
}

func listScenarios(w teller) error {
	file, err := exampleRun()
	if err != nil {
		return err
	}
	c, err := effectiveContract(file.Contract, file.Compress)
	if err != nil {
		return err
	}
	for _, sc := range scenarios.All(c, 0) {
		fmt.Fprintf(w, "%s\t%s\n\t%s\n", sc.Name, w.words.Whole(sc.Title), strings.Join(sc.Checks, " "))
	}
	return nil
}

func listChecks(w teller) error {
	at := 0
	for _, c := range judge.Checks() {
		at = max(at, len(c.ID)+2)
	}
	for _, c := range judge.Checks() {
		e, err := judge.ExplainIn(string(w.words.Language), c.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\n", c.ID, cell(at, e.Title))
		if w.words.Language == words.English {
			fmt.Fprintf(w, "\t%s\n", cell(at, `"`+c.Rests+`"`)) // in another language the title says it
		}
		fmt.Fprintf(w, "\t%s\n", cell(at, w.words.Text("list.needs", e.Needs)))
	}
	return nil
}

func listAlarms(w io.Writer) error {
	for _, r := range alarm.Rules() {
		fmt.Fprintf(w, "%s\t%s\n\t%s\n", r.Name, r.Fires, r.Means)
	}
	return nil
}

func listDefects(w io.Writer) error {
	for _, d := range refsender.Defects() {
		fmt.Fprintf(w, "%s\t%s\tmust fail %s\n", d.Name, d.Title, d.MustFail)
	}
	return nil
}

func listVariants(w io.Writer) error {
	for _, v := range refsender.Variants() {
		fmt.Fprintf(w, "%s\t%s", v.Name, v.Title)
		if v.Contract != "" {
			fmt.Fprintf(w, "\tcontract %s", v.Contract)
		}
		fmt.Fprintln(w)
	}
	return nil
}

func listProfiles(w io.Writer) error {
	levels := []contract.Confidence{contract.Primary, contract.Secondary, contract.Known}
	for _, name := range contract.Profiles() {
		c, err := contract.Profile(name)
		if err != nil {
			return err
		}
		var sure []string
		for _, level := range levels {
			if n := c.Confidences()[level]; n > 0 {
				sure = append(sure, fmt.Sprintf("%s %d", level, n))
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, cmp.Or(strings.Join(sure, ", "), "-"), c.Title)
	}
	fmt.Fprintln(w, "\nHow sure the values are, and how many of each:")
	for _, level := range levels {
		fmt.Fprintf(w, "%s\t%s\n", level, level.Text())
	}
	return nil
}
