package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// businessFlags say how a receiver verifies requests, and what it does about their events. A secret is never an argument:
// other users of the machine can read those.
type businessFlags struct {
	scheme               string
	secretFile, secretIn []string
	reject               bool

	business string
	types    []string
	fail     int
}

// usualScheme verifies where nothing else is said: the one of the built-in reference contract.
const usualScheme = "timestamp-v1"

func (f *businessFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.scheme, "scheme", "", "signature scheme (hookassay list schemes); empty is the contract's, or "+usualScheme)
	fs.StringArrayVar(&f.secretFile, "secret-file", nil, "file with a signing secret to verify with; repeat it during a rotation")
	fs.StringArrayVar(&f.secretIn, "secret-env", nil, "environment variable with a signing secret; may be repeated")
	fs.BoolVar(&f.reject, "reject", false, "answer 401 to a missing, bad or stale signature; needs a secret")
	fs.StringVar(&f.business, "business", "", "what a 2xx stands for: transaction, inbox or none; empty is transaction, and none with --memory")
	fs.StringSliceVar(&f.types, "types", nil, "event types that are known, as payment.succeeded or payment.*; others are ignored with a 2xx")
	fs.IntVar(&f.fail, "fail-effects", 0, "make so many tries of the inbox's worker fail for each event; -1 is all of them")
	for name, c := range map[string]completer{
		"scheme": schemes, "secret-file": anyFile, "secret-env": cobra.NoFileCompletions, "business": modes,
		"types": cobra.NoFileCompletions, "fail-effects": cobra.NoFileCompletions,
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, c) // fails only for a flag that is not there
	}
}

// set fills in an endpoint. c may be nil.
func (f *businessFlags) set(e *mockreceiver.Endpoint, c *contract.Contract, memory bool) error {
	e.Business, e.Types = business.Mode(f.business), f.types
	switch {
	case f.business == "" && memory:
		e.Business = business.None
	case f.business == "":
		e.Business = business.Transaction
	}
	if f.fail != 0 && e.Business != business.Inbox {
		return errors.New("--fail-effects needs --business inbox: only its worker calls an effect")
	}
	e.Worker.FailFirst = f.fail
	secrets, err := f.secrets()
	if err != nil {
		return err
	}
	if len(secrets) == 0 {
		if f.reject || f.scheme != "" {
			return errors.New("--scheme and --reject need a secret: give --secret-file or --secret-env")
		}
		return nil
	}
	e.Verify = &mockreceiver.Verify{Scheme: f.scheme, Secrets: secrets, Reject: f.reject}
	provider := schemeOf(e.Handshake)
	if c == nil {
		e.Verify.Scheme = cmp.Or(f.scheme, provider, usualScheme)
		return nil
	}
	if s := c.Signature; s != nil {
		e.Verify.Tolerance = s.Tolerance
		e.Verify.Scheme = cmp.Or(f.scheme, s.SchemeText(), provider)
	}
	if e.Verify.Scheme == "" {
		return errors.New("--scheme: give one, since the contract names none (hookassay list schemes)")
	}
	return nil
}

// maxSecret bounds a secret: the longest that a scheme takes has 64 bytes.
const maxSecret = 4096

func (f *businessFlags) secrets() ([]string, error) {
	var list []string
	for _, path := range f.secretFile {
		secret, err := secretFrom("--secret-file", path)
		if err != nil {
			return nil, err
		}
		list = append(list, secret)
	}
	for i, name := range f.secretIn {
		secret := os.Getenv(name)
		if secret == "" {
			// What was given is not repeated: it may be the secret itself.
			return nil, fmt.Errorf("--secret-env, number %d: there is no such variable, or it is empty; give its name, not the secret", i+1)
		}
		list = append(list, secret)
	}
	return list, nil
}

// said is how the settings are shown.
func (f *businessFlags) said(e mockreceiver.Endpoint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nbusiness      %s", e.Business)
	if len(e.Types) > 0 {
		fmt.Fprintf(&b, ", of %s", strings.Join(e.Types, ", "))
	}
	if v := e.Verify; v != nil {
		fmt.Fprintf(&b, "\nsignatures    %s, by %s", v.Scheme, number(len(v.Secrets), "secret"))
		if v.Reject {
			b.WriteString("; what does not verify gets 401")
		}
	}
	return b.String()
}

func schemes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, s := range signature.Schemes() {
		names = append(names, cobra.CompletionWithDesc(s.ID(), s.Describe()))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func modes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, m := range business.Modes() {
		names = append(names, string(m))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
