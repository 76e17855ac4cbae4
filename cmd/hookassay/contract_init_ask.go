package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
	"golang.org/x/term"
)

func onTerminal(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) //nolint:gosec // a file descriptor fits
}

// ask asks for what no flag has answered, until each answer is one that a contract can hold; an empty answer keeps the value that is
// shown.
func (d *draft) ask(s streams, flags *pflag.FlagSet) error {
	// Nothing is written before the last answer. A read from a terminal cannot be called off, so that ctrl-C ends the process here
	// as it ends any other, instead of waiting for a line.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	open := !flags.Changed("longest")
	if err := d.sound(open); err != nil {
		return err
	}
	in := bufio.NewReader(io.LimitReader(s.in, 1<<16)) // a few answers
	for _, flag := range []string{"name", "scheme", "id-header", "retries", "first", "longest", "timeout", "replay", "log"} {
		f := flags.Lookup(flag)
		if f.Changed || flag == "longest" && d.retries == 1 { // one wait is the first and the longest
			continue
		}
		if flag == "longest" {
			open, d.longest = false, max(d.longest, d.first)
		}
		for {
			line, err := answerTo(s, in, f)
			if err != nil {
				return err
			}
			if err = d.answer(f, line, open); err == nil {
				break
			}
			fmt.Fprintln(s.err, err)
		}
	}
	return nil
}

func answerTo(s streams, in *bufio.Reader, f *pflag.Flag) (string, error) {
	fmt.Fprintf(s.err, "%s [%s]: ", f.Usage, spoken(f.Value.String()))
	line, err := in.ReadString('\n')
	line = strings.TrimSpace(line)
	if err == nil || line != "" {
		return line, nil
	}
	fmt.Fprintln(s.err)
	if errors.Is(err, io.EOF) {
		return "", fmt.Errorf("the answers ended before --%s, and nothing was written; Enter keeps the value in brackets, and flags answer as well", f.Name)
	}
	return "", err
}

// answer takes an answer, or leaves all as it was and says what is wrong with it.
func (d *draft) answer(f *pflag.Flag, line string, open bool) error {
	if line == "" {
		return nil
	}
	before := *d // a value that cannot be read may have been set all the same
	value := line
	if f.Value.Type() == "bool" {
		value = unspoken(line)
	}
	if err := f.Value.Set(value); err != nil {
		*d = before
		return fmt.Errorf("%q: want %s", line, wanted(f))
	}
	if err := d.sound(open); err != nil {
		*d = before
		return err
	}
	return nil
}

// sound tells whether a contract can hold what is known by now. While open, the longest wait may still be asked for; the deadline
// is measured against all of it in the end.
func (d *draft) sound(open bool) error {
	trial := *d
	trial.deadline = 0
	if open {
		trial.longest = max(trial.longest, trial.first)
	}
	_, err := trial.contract()
	return err
}

func wanted(f *pflag.Flag) string {
	if f.Value.Type() == "bool" {
		return "yes or no"
	}
	return kindOf(f)
}

// spoken words a truth value as people do.
func spoken(value string) string {
	switch value {
	case "true":
		return "yes"
	case "false":
		return "no"
	}
	return value
}

func unspoken(answer string) string {
	switch strings.ToLower(answer) {
	case "y", "yes":
		return "true"
	case "n", "no":
		return "false"
	}
	return answer
}
