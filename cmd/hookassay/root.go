package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// streams are where a verb reads and writes. What a script may want goes to out: verdicts, lists, URLs. What is for a person
// who watches goes to err: progress, and the one sentence that says what is wrong.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	root := &cobra.Command{
		Use:   "hookassay",
		Short: "Put a webhook sender to the test",
		Long: `hookassay makes a webhook sender deliver real events to a receiver that misbehaves on purpose, records
everything, judges the record against the sender's delivery contract, and leaves an acceptance report
that anyone can check again.

Exit codes: 0 conformant, 1 non-conformant, 2 bad input or trouble of the harness, 3 incomplete.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		demoCommand(s), runCommand(s), receiverCommand(s), senderCommand(s), judgeCommand(s), alarmsCommand(s), acceptCommand(s), reportCommand(s), schemaCommand(s), contractCommand(s), listCommand(s), explainCommand(s),
		signCommand(s), verifyCommand(s), diagnoseCommand(s),
		selftestCommand(s), rowCommandOf(s),
		adapterCommand(s), versionCommand(s),
	)
	root.AddCommand(initCommand(s), presetsCommand(s), referenceCommand())
	root.SetFlagErrorFunc(badFlag)
	root.SetHelpCommand(helpOf(root))
	root.SetHelpFunc(help)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	groups(root)
	completions(root)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	return exitCode(root.ExecuteContext(ctx), s.err)
}

// verdictError carries the exit code of a run that came to a verdict other than conformant: not a mistake of the user's, so
// nothing more is printed.
type verdictError struct{ code int }

func (e verdictError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// exitBadInput is the code for bad input and harness trouble.
const exitBadInput = 2

func exitCode(err error, w io.Writer) int {
	if err == nil {
		return 0
	}
	if v, ok := errors.AsType[verdictError](err); ok {
		return v.code
	}
	fmt.Fprintln(folding(w), "hookassay: "+strings.TrimSuffix(inWords(err), "\n"))
	return exitBadInput
}
