package main

// This file completes words for the shell: names that the program knows, files only where a file is wanted.

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/presets"
	"github.com/hookassay/hookassay/scenarios"
)

type completer = cobra.CompletionFunc

// completions gives every command and flag of the tree its completer; a flag without one, and a command that takes no
// arguments, complete nothing.
func completions(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		completions(sub)
	}
	if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
		cmd.ValidArgsFunction = argument(cmd)
	}
	for name, c := range map[string]completer{
		"preset": presetNames, "select": scenarioNames, "contract": profiles, "var": adapterVars, "defect": defects, "variant": variants, "labels": labels,
		"config": files("yaml", "yml"), "plan-file": files("yaml", "yml"), "known-failures": files("yaml", "yml"), "write-known": files("yaml", "yml"), "out": folders, "db": anyFile, "journal": anyFile,
	} {
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, c) // fails for a flag that has one already
		}
	}
	for _, name := range []string{
		"seed", "compress", "parallel", "acceptance-events", "plan", "listen", "control", "path", "advertise", "attempt",
	} {
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
		}
	}
}

// argument completes the arguments of a command by what its usage line asks for.
func argument(cmd *cobra.Command) completer {
	switch _, what, _ := strings.Cut(cmd.Use, " "); {
	case strings.Contains(what, "NAME|FILE"):
		return first(profiles)
	case strings.Contains(what, "CHECK|SCENARIO"):
		return first(explainable)
	case strings.Contains(what, "FOLDER"):
		return first(folders)
	case strings.Contains(what, "EVIDENCE"):
		return first(files("ndjson"))
	}
	return cobra.NoFileCompletions
}

// first completes only the first argument.
func first(c completer) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return c(cmd, args, word)
	}
}

func presetNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, p := range presets.All() {
		names = append(names, cobra.CompletionWithDesc(p.Name, p.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func files(extensions ...string) completer {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

func folders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func anyFile(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// profiles completes the name of a profile, or a file if the word is the beginning of none.
func profiles(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := slices.DeleteFunc(contract.Profiles(), func(n string) bool { return !strings.HasPrefix(n, word) })
	if len(names) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// scenarioNames completes scenarios and, as globs, their families. A list goes on after its last comma.
func scenarioNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	c, err := contract.Profile("bounded-6") // scenarios have the same names under every contract
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names, families []cobra.Completion
	for _, sc := range scenarios.All(c, 0) {
		names = append(names, cobra.CompletionWithDesc(sc.Name, sc.Title))
		if glob := sc.Family() + "/*"; !slices.Contains(families, glob) {
			families = append(families, glob)
		}
	}
	return append(families, names...), cobra.ShellCompDirectiveNoFileComp
}

// labels completes the levels and families that a filter starts from.
func labels(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"MUST", "SHOULD"}, cobra.ShellCompDirectiveNoFileComp
}

// adapterVars completes the settings of the adapter that the run file on the line names; of the demo's without one.
func adapterVars(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	a, err := adapterOf(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, n := range a.VarNames() {
		names = append(names, n+"=")
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func adapterOf(cmd *cobra.Command) (*httpapi.Adapter, error) {
	config := cmd.Flags().Lookup("config")
	if config == nil {
		return exampleAdapter("")
	}
	file, err := loadRunFile(config.Value.String())
	if err != nil {
		return nil, err
	}
	return httpapi.Load(file.Sender.Adapter)
}

func defects(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, d := range refsender.Defects() {
		names = append(names, cobra.CompletionWithDesc(d.Name, d.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func variants(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, v := range refsender.Variants() {
		names = append(names, cobra.CompletionWithDesc(v.Name, v.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
