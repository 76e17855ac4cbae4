package main

import (
	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/examples"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/internal/refsender"
)

// demoCommand is `run` on the files of examples/refsender, which the program carries.
func demoCommand(s streams) *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Assay the reference sender that comes with hookassay",
		Example: `  hookassay demo --out demo-report
  hookassay demo --var defect=ra-ignored`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, err := exampleRun()
			if err != nil {
				return err
			}
			a, err := flags.assay(file, exampleAdapter)
			if err != nil {
				return err
			}
			a.again = func(seed uint64) string {
				return commandLine(append([]string{"hookassay", "demo"}, flags.again(cmd.Flags(), seed, a.driver.secret)...)...)
			}
			return a.do(cmd.Context(), s)
		},
	}
	flags.add(cmd.Flags(), "demo-report")
	return cmd
}

// exampleRun is the run file of the reference sender.
func exampleRun() (runFile, error) {
	text, err := examples.Refsender.ReadFile("refsender/hookassay.yaml")
	if err != nil {
		return runFile{}, err
	}
	file, err := parseRunFile("examples/refsender/hookassay.yaml", text)
	file.Sender.Adapter = "examples/refsender/adapter.yaml" // where people find it
	return file, err
}

func exampleAdapter(string) (*httpapi.Adapter, error) {
	text, err := examples.Refsender.ReadFile("refsender/adapter.yaml")
	if err != nil {
		return nil, err
	}
	return httpapi.Parse("examples/refsender/adapter.yaml", text)
}

// knownFlaws refuses a defect or a variant that the reference sender does not have, before any is launched. Other senders' variables
// of these names are their own.
func knownFlaws(d driver, vars map[string]string) error {
	a, ok := d.(adapterDriver)
	if !ok || !a.Runs("hookassay", "sender") {
		return nil
	}
	return refsender.Known(vars["defect"], vars["variant"])
}
