package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
)

func contractCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{Use: "contract", Short: "Write, show, check, simulate or publish a delivery contract"}
	cmd.AddCommand(contractShowCommand(s), contractWindowCommand(s), contractLintCommand(s), contractSimulateCommand(s), contractDocCommand(s), contractInitCommand(s))
	return cmd
}

func contractShowCommand(s streams) *cobra.Command {
	var compress int
	cmd := &cobra.Command{
		Use:   "show NAME|FILE",
		Short: "Print a contract as senders and judge take it",
		Example: `  hookassay contract show bounded-6 --compress 200
  hookassay contract show ./my-sender.yaml`,
		Args: one("one contract, a profile or a file"),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := compressed(args[0], compress)
			if err != nil {
				return err
			}
			text, err := c.Marshal()
			if err != nil {
				return err
			}
			_, err = s.out.Write(text)
			return err
		},
	}
	addCompress(cmd, &compress)
	return cmd
}

func contractWindowCommand(s streams) *cobra.Command {
	var compress int
	var attempt time.Duration
	cmd := &cobra.Command{
		Use:   "window NAME|FILE",
		Short: "Print when each attempt starts, and whether the deadline leaves room for the last",
		Example: `  hookassay contract window bounded-6 --attempt 30s
  hookassay contract window bounded-6 --compress 200`,
		Args: one("one contract, a profile or a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := compressed(args[0], compress)
			switch {
			case err != nil:
				return err
			case c.Schedule == nil || !c.Schedule.Stepped():
				return fmt.Errorf("contract %s promises no waits before attempts, so there is no window to reckon with", c.Name)
			case attempt < 0:
				return fmt.Errorf("--attempt %v is negative; write how long each attempt takes, as 10s", attempt)
			case !cmd.Flags().Changed("attempt"):
				attempt = c.Schedule.Timeout
			}
			fmt.Fprint(s.text(), c.Window(attempt))
			return nil
		},
	}
	addCompress(cmd, &compress)
	cmd.Flags().DurationVar(&attempt, "attempt", 0, "how long each attempt takes (default the contract's request timeout)")
	return cmd
}

func contractLintCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "lint NAME|FILE",
		Short: "Check a contract, and hint at what is allowed but rarely meant",
		Long: `Check a contract, and hint at what is allowed but rarely meant: a claimed window that the waits do not add up to, an
attempt that timeouts push past the deadline, jitter that is wider than the wait, retries that outlive their key. First
the sums of the schedule are shown, then each hint with its arithmetic.

Exit codes: 0 nothing to say, 1 hints, 2 not valid.`,
		Example: `  hookassay contract lint ./my-sender.yaml
  hookassay contract lint minutes-8`,
		Args: one("one contract, a profile or a file"),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := effectiveContract(args[0], 1)
			if err != nil {
				return err
			}
			w := s.text()
			for _, line := range contract.Reckon(c) {
				fmt.Fprintln(w, line)
			}
			hints := contract.Lint(c)
			for _, h := range hints {
				fmt.Fprintf(w, "%s: %s\n", args[0], h)
			}
			if len(hints) > 0 {
				return verdictError{exitHints}
			}
			fmt.Fprintf(w, "%s: nothing to say\n", args[0])
			return nil
		},
	}
}

// exitHints is the code of lint for a contract that is valid and yet deserves a look.
const exitHints = 1

func addCompress(cmd *cobra.Command, n *int) {
	cmd.Flags().IntVar(n, "compress", 1, "divide the contract's times by this")
}

func compressed(name string, n int) (*contract.Contract, error) {
	if n < 1 {
		return nil, fmt.Errorf("--compress %d: write a whole number from 1", n)
	}
	return effectiveContract(name, n)
}
