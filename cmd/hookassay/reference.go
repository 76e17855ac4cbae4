package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// referenceCommand writes the pages under docs/cli. It is for whoever changes the command line, so that no list shows it.
func referenceCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "reference FOLDER",
		Short:  "Write the command line's reference, in Markdown",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			const anyoneEnters, anyoneReads = 0o755, 0o644
			if err := os.MkdirAll(args[0], anyoneEnters); err != nil {
				return err
			}
			pages := reference(cmd.Root())
			for name, text := range pages {
				if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), anyoneReads); err != nil {
					return err
				}
			}
			return withoutOthers(args[0], pages)
		},
	}
}

// withoutOthers removes the pages of commands that are gone.
func withoutOthers(folder string, pages map[string]string) error {
	there, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return err
	}
	for _, path := range there {
		if _, wanted := pages[filepath.Base(path)]; wanted {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// reference has a page for each command that people see, by file name, and one that lists them.
func reference(root *cobra.Command) map[string]string {
	pages := map[string]string{}
	var index strings.Builder
	fmt.Fprintf(&index, "# %s\n\n%s\n\n", root.Name(), inText(root.Long))
	for _, sub := range root.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		name := sub.Name() + ".md"
		var b strings.Builder
		commandPage(&b, sub, 1)
		pages[name] = b.String()
		fmt.Fprintf(&index, "- [%s](%s): %s\n", sub.CommandPath(), name, inText(sub.Short))
	}
	index.WriteString("\nThese pages are made from the program: `make reference`.\n")
	pages["README.md"] = index.String()
	return pages
}

// commandPage writes a command and those below it.
func commandPage(b *strings.Builder, cmd *cobra.Command, level int) {
	if level > 1 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s %s\n\n", strings.Repeat("#", level), cmd.CommandPath())
	long := cmd.Long
	if long == "" {
		long = cmd.Short
	}
	b.WriteString(inText(long) + "\n")
	if cmd.Runnable() {
		fmt.Fprintf(b, "\n```\n%s\n```\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n\n```\n%s\n```\n", cmd.Example)
	}
	cmd.InitDefaultHelpFlag()
	if flags := strings.TrimRight(cmd.LocalFlags().FlagUsages(), "\n"); flags != "" {
		fmt.Fprintf(b, "\n```\n%s\n```\n", flags)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			commandPage(b, sub, level+1)
		}
	}
}

// inText keeps Markdown from reading < and > as markup. Texts are indented where they show what to type, which Markdown takes as it is.
func inText(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "\t") {
			line = strings.NewReplacer("<", "&lt;", ">", "&gt;", "*", `\*`).Replace(line)
		}
		out = append(out, line)
	}
	return strings.Join(out, "")
}
