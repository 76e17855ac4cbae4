package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookassay/hookassay/harness/contract"
)

// draft is what is asked of somebody who writes a first contract.
type draft struct {
	name, scheme, header string
	retries              int
	first, longest       time.Duration
	timeout, deadline    time.Duration
	replay, log          bool
}

func contractInitCommand(s streams) *cobra.Command {
	d := draft{}
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a first contract, by a few questions",
		Long: `Write a first contract that contradicts nothing (contract lint). On a terminal it asks a few questions; flags answer them in scripts, and
what neither answers has the value that the help shows. Enter keeps the value in brackets. The waits grow from the first to the longest by equal factors. The deadline
leaves room for timeouts and jitter, and the rotation of keys outlasts it.`,
		Example: `  hookassay contract init --out contract.yaml
  hookassay contract init --name acme --retries 5 --first 1s \
    --longest 1h --timeout 10s > contract.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return d.write(s, cmd.Flags(), out, force)
		},
	}
	fl := cmd.Flags()
	d.add(fl)
	fl.StringVar(&out, "out", "", "file to write (default standard output)")
	fl.BoolVar(&force, "force", false, "write over a file that is there")
	return cmd
}

func (d *draft) add(fl *pflag.FlagSet) {
	fl.StringVar(&d.name, "name", "my-sender", "name of the contract: lower-case letters, digits, - and .")
	fl.StringVar(&d.scheme, "scheme", "timestamp-v1", "signature scheme (hookassay list schemes), or none")
	fl.StringVar(&d.header, "id-header", "X-Webhook-Id", "header with the event's id")
	fl.IntVar(&d.retries, "retries", 5, "how many retries follow the first attempt")
	fl.DurationVar(&d.first, "first", 5*time.Second, "wait before the first retry")
	fl.DurationVar(&d.longest, "longest", time.Hour, "wait before the last retry")
	fl.DurationVar(&d.timeout, "timeout", 10*time.Second, "how long a request may take")
	fl.DurationVar(&d.deadline, "deadline", 0, "when an event is given up, from its acceptance (default: as long as the schedule needs)")
	fl.BoolVar(&d.replay, "replay", true, "dead letters can be replayed by hand")
	fl.BoolVar(&d.log, "log", true, "there is a delivery log that can be asked")
}

// write asks what the flags leave open, where there is somebody to ask, and writes the contract.
func (d *draft) write(s streams, fl *pflag.FlagSet, out string, force bool) error {
	asks := onTerminal(s.in)
	if asks {
		if err := isFree(out, force); err != nil {
			return err
		}
		if err := d.ask(s, fl); err != nil {
			return err
		}
	}
	c, err := d.contract()
	if err != nil {
		return err
	}
	text, err := c.Marshal()
	if err != nil {
		return err
	}
	if out == "" {
		_, err = s.out.Write(text)
		return err
	}
	if err := writeNew(out, text, force); err != nil {
		return err
	}
	if asks {
		fmt.Fprintf(s.err, "%s is written; hookassay contract lint %s reckons it up\n", out, out)
	}
	return nil
}

// maxRetries keeps a draft readable; contracts may have more.
const maxRetries = 50

func (d *draft) contract() (*contract.Contract, error) {
	switch {
	case d.retries < 1 || d.retries > maxRetries:
		return nil, fmt.Errorf("retries are %d; write 1 to %d", d.retries, maxRetries)
	case d.first <= 0 || d.longest < d.first:
		return nil, fmt.Errorf("the waits go from %v to %v; the first must be above 0 and no longer than the longest", d.first, d.longest)
	case d.timeout <= 0:
		return nil, fmt.Errorf("a request timeout of %v is none; write one above 0", d.timeout)
	}
	const second, minute = time.Second, time.Minute
	s := &contract.Schedule{
		Waits: append([]time.Duration{0}, growing(d.first, d.longest, d.retries)...), Attempts: d.retries + 1,
		Jitter: &contract.Jitter{Plus: 0.1}, MeasuredFrom: contract.FromEnd, Timeout: d.timeout, TerminalWithin: second,
	}
	need := s.Total().Max + time.Duration(d.retries)*d.timeout
	if s.Deadline = d.deadline; d.deadline == 0 {
		s.Deadline = need.Truncate(minute) + minute
	}
	if s.Deadline < need {
		return nil, fmt.Errorf("the deadline of %v cuts the last attempt: waits and jitter take up to %v and %d timeouts of %v another %v; write %v or more",
			s.Deadline, s.Total().Max, d.retries, d.timeout, time.Duration(d.retries)*d.timeout, need.Truncate(second)+second)
	}
	c := &contract.Contract{
		Schema: contract.Schema, Name: d.name, Title: "What " + d.name + " promises of its webhooks", TimeUnit: time.Millisecond,
		Identity: &contract.Identity{Header: d.header},
		Body:     &contract.Body{Stable: contract.StableBytes, MediaType: "application/json"},
		Request:  &contract.Request{Method: "POST", Target: contract.TargetExact},
		Answers: contract.Answers{
			Success: contract.Codes{"2xx"}, Retry: contract.Codes{"429", "5xx"}, Otherwise: contract.OtherwisePermanent,
			Errors: []string{contract.ErrorTimeout, contract.ErrorConnection, contract.ErrorTLS}, Redirects: "fail",
		},
		Schedule:   s,
		RetryAfter: &contract.RetryAfter{Codes: contract.Codes{"429"}, Cap: s.Waits[d.retries], Forms: []string{"seconds", "date"}, PastDeadline: "give-up"},
		Durability: &contract.Durability{Accepted: true, NoDuplicateAfterSuccess: true},
		DeadLetter: &contract.DeadLetter{Kept: true, Fields: []string{"payload", "last_status", "attempts", "reason"}},
		Acceptance: &contract.Acceptance{Sample: 1000, Rate: 0.99},
		Order:      "none",
	}
	d.options(c)
	return c, c.Validate()
}

// options adds what was asked for.
func (d *draft) options(c *contract.Contract) {
	if d.scheme != "none" {
		c.Signature = &contract.Signature{Scheme: d.scheme, Tolerance: 5 * time.Minute, Resign: contract.ResignEach}
		c.Keys = &contract.Keys{Overlap: c.Schedule.Deadline + 15*time.Minute, Revoke: true}
	}
	if d.replay {
		c.Replay = &contract.Replay{ID: "same", Body: "same", Attempts: 1}
		c.DeadLetter.Fields = append(c.DeadLetter.Fields, "replay")
	}
	if d.log {
		c.Log = &contract.Log{Lag: time.Second, Fields: []string{"time", "status"}, Unit: time.Millisecond, State: true}
	}
}

// growing returns n waits from first to longest, each by the same factor longer than the one before, rounded to what people write.
func growing(first, longest time.Duration, n int) []time.Duration {
	waits := []time.Duration{first}
	for k := 1; k < n-1; k++ {
		w := float64(first) * math.Pow(float64(longest)/float64(first), float64(k)/float64(n-1))
		waits = append(waits, rounded(time.Duration(w)))
	}
	if n > 1 {
		waits = append(waits, longest)
	}
	return waits
}

func rounded(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Minute:
		return d.Round(time.Minute)
	case d >= time.Minute:
		return d.Round(10 * time.Second)
	case d >= 10*time.Second:
		return d.Round(time.Second)
	}
	return d.Round(100 * time.Millisecond)
}

// isFree tells before the questions what writeNew would say after them.
func isFree(path string, force bool) error {
	if path == "" || force {
		return nil
	}
	if _, err := os.Lstat(path); err == nil {
		return taken(path)
	}
	return nil
}

func taken(path string) error {
	return fmt.Errorf("--out: %s is there already; take another name, or --force to write over it", path)
}

func writeNew(path string, text []byte, force bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !force {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, 0o644) //nolint:gosec // a contract is for everybody
	if errors.Is(err, fs.ErrExist) {
		return taken(path)
	}
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
