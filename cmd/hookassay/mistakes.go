package main

// This file words what is wrong with a command line: one sentence each, with what was probably meant where that can be told.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookassay/hookassay/internal/near"
)

// badFlag says what is wrong with a flag.
func badFlag(cmd *cobra.Command, err error) error {
	if v, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		name := "--" + v.GetFlag().Name
		return fmt.Errorf("%s %q: want %s; see %s --help", name, v.GetValue(), kindOf(v.GetFlag()), cmd.CommandPath())
	}
	if n, ok := errors.AsType[*pflag.NotExistError](err); ok && n.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return fmt.Errorf("unknown flag --%s%s; see %s --help", n.GetSpecifiedName(), near.Prefixed(n.GetSpecifiedName(), names, "--"), cmd.CommandPath())
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// one is for a command with one argument, which the error names.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("name %s; see %s --help", what, cmd.CommandPath())
		}
		return nil
	}
}

// noArgs is for a command without arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no argument, and got %q; see %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())
	}
	return nil
}

// kindOf says which values a flag takes.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "uint64":
		return "a whole number from 0"
	case "int":
		return "a whole number"
	case "duration":
		return "a time such as 10s or 1m30s"
	case "bool":
		return "true or false"
	}
	return "a " + f.Value.Type()
}

// groups makes every command that only holds others refuse an argument that names none of them: cobra would print its help
// and succeed.
func groups(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		groups(sub)
	}
	if !cmd.HasSubCommands() {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknown(cmd, args[0])
	}
	if !cmd.Runnable() {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

func unknown(cmd *cobra.Command, arg string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %q%s; there are: %s", arg, cmd.CommandPath(), near.Meant(arg, names), strings.Join(names, ", "))
}

// helpOf is the command help, which fails for what does not exist.
func helpOf(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 && cmd.HasSubCommands() {
				return unknown(cmd, args[len(args)-max(1, len(rest))])
			}
			cmd.InitDefaultHelpFlag() // so that the help lists it
			return cmd.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			cmd, _, err := root.Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, sub := range cmd.Commands() {
				if sub.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
