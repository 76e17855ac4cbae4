package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	shim "github.com/hookassay/hookassay/harness/sender/command"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

func adapterCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{Use: "adapter", Short: "Check what drives a sender, link by link"}
	cmd.AddCommand(adapterCheckCommand(s), adapterProtocolCommand(s))
	return cmd
}

func adapterProtocolCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use: "protocol", Short: "Print the JSON Schema of the lines between hookassay and a shim", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := s.out.Write(shim.Schema())
			return err
		},
	}
}

func adapterCheckCommand(s streams) *cobra.Command {
	var ch chainFlags
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Walk from hookassay to the sender and back with one event, and name the link that is broken",
		Long: `Reads an adapter file, or a run file, and tries one event: is the sender reachable, does it register an endpoint, does it accept
an event, does that arrive, and does its signature verify? The first link that is broken is named, with the request, the answer
and the line of the adapter, within ten seconds of the command's start; what it takes to fetch or build the images of a sender in
containers is not counted, and what it takes to remove the containers comes after that. A sender that is slow to start or to deliver,
or that stands at a breakpoint, needs a longer --within.

Exit codes: 0 every link holds, 1 one is broken, 2 bad input.`,
		Example: `  hookassay adapter check hookassay.yaml
  hookassay adapter check adapter.yaml \
    --contract standard-webhooks --var api_key=…`,
		Args: one("one run file or adapter"),
		RunE: func(cmd *cobra.Command, args []string) error {
			begun := time.Now() //nolint:forbidigo // a person waits for the answer from now on
			c, err := ch.read(args[0])
			if err != nil {
				return err
			}
			c.pace = pace{begun, ch.within}
			return c.walk(cmd.Context(), s)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ch.contract, "contract", "", "profile or contract file, for the signature; a run file names its own")
	f.IntVar(&ch.compress, "compress", 0, "divide the contract's times by this")
	f.StringArrayVar(&ch.vars, "var", nil, "value for a variable of the adapter, name=value (repeatable)")
	f.DurationVar(&ch.within, "within", 10*time.Second, "when the broken link is named at the latest, counted from the start of the command; "+
		"what it takes to fetch or build container images comes on top")
	return cmd
}

type chainFlags struct {
	contract string
	compress int
	vars     []string
	within   time.Duration
}

// read makes a chain of a run file or of an adapter file, whichever it says it is.
func (f chainFlags) read(path string) (*chain, error) {
	if f.within < time.Second {
		return nil, fmt.Errorf("--within %s: a walk takes at least a second", f.within)
	}
	file, err := f.file(path)
	if err != nil {
		return nil, err
	}
	c := &chain{contract: &contract.Contract{Name: "none"}}
	if file.Contract != "" {
		if c.contract, err = effectiveContract(file.Contract, file.Compress); err != nil {
			return nil, err
		}
	}
	if c.vars, err = file.withVars(f.vars); err != nil {
		return nil, err
	}
	if c.driver, err = file.driverOf(httpapi.Load); err != nil {
		return nil, err
	}
	return c, nil
}

func (f chainFlags) file(path string) (runFile, error) {
	text, err := readUpTo(path, maxRunFile+1)
	if err != nil {
		return runFile{}, fmt.Errorf("read the adapter: %w", err)
	}
	file := runFile{Sender: senderFile{Adapter: path}}
	if bytes.Contains(text, []byte(runSchema)) {
		if file, err = loadRunFile(path); err != nil {
			return file, err
		}
	}
	if f.contract != "" {
		file.Contract = f.contract
	}
	if f.compress > 0 {
		file.Compress = f.compress
	}
	return file, nil
}

// linkError is the link of the chain that does not hold.
type linkError struct {
	link string
	err  error
}

func (b *linkError) Error() string { return b.link + ": " + b.err.Error() }
func (b *linkError) Unwrap() error { return b.err }
