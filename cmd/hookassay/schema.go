package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/internal/near"
	"github.com/hookassay/hookassay/reports"
)

func schemaCommand(s streams) *cobra.Command {
	names := reports.SchemaNames()
	return &cobra.Command{
		Use:   "schema " + strings.ToUpper(strings.Join(names, "|")),
		Short: "Print the JSON Schema of a file that hookassay writes",
		Long: `Print the JSON Schema (2020-12) of a file that hookassay writes: ` + strings.Join(names, ", ") + `.

Within one number of a schema, such as hookassay.results/1, fields are only added, and none changes its meaning or goes; lists may get
new words for outcomes and verdicts. A reader ignores fields that it does not know, and takes a word that it does not know for an
error. Anything else is a new number, and a reader refuses a number that it does not know.`,
		Example:   `  hookassay schema results`,
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one schema; there are: %s", strings.Join(names, ", "))
			}
			if !slices.Contains(names, args[0]) {
				return fmt.Errorf("schema %q is unknown%s; there are: %s", args[0], near.Meant(args[0], names), strings.Join(names, ", "))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := s.out.Write(reports.JSONSchema(args[0]))
			return err
		},
	}
}
