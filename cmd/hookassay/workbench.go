package main

// This file holds the commands that sign and verify single requests: a workbench for whoever builds a sender or a receiver.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/signature"
)

// exitNotVerified is the code of verify and diagnose for a signature that does not verify, or is stale.
const exitNotVerified = 1

const keyHelp = `
Keys come from a file, an environment variable or standard input. --secret takes one as well: other users of the machine can
read it in the list of processes, and the shell keeps it in its history, so use it for keys of tests alone.`

const requestHelp = `
The request comes from --header and --body, from a file with a curl command (--curl), from an HTTP Archive (--har), from the
evidence of a run or an export of the receiver (--evidence), or from the receiver's journal (--journal). With --record N it is the
N-th entry of an archive, the record N that a verdict cites, or the request #N of the receiver. Evidence of a run holds the
scheme and the keys as well.

Exit codes: 0 verified, 1 not verified or stale, 2 bad input.`

func signCommand(s streams) *cobra.Command {
	var w workbench
	cmd := &cobra.Command{
		Use:   "sign",
		Short: "Sign a request body, and print the headers",
		Long: `Sign a request body by a scheme, and print the headers that carry the signature, or the body where it holds the signature itself.
` + keyHelp,
		Example: `  hookassay sign --scheme standard-webhooks-v1 --id msg_1 \
    --secret-file key.txt --body event.json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return w.sign(s) },
	}
	w.addKeys(cmd)
	w.addRequest(cmd)
	cmd.Flags().StringVar(&w.id, "id", "", "id of the event, where the scheme signs one")
	return cmd
}

func verifyCommand(s streams) *cobra.Command {
	var w workbench
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Verify the signature of one request",
		Long:  "Verify the signature of one request by a scheme.\n" + requestHelp + "\n" + keyHelp,
		Example: `  hookassay verify --scheme github --secret-env HOOK_SECRET \
    --header "X-Hub-Signature-256: $SIG" --body event.json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return w.verify(s, false) },
	}
	w.addAll(cmd)
	return cmd
}

func diagnoseCommand(s streams) *cobra.Command {
	var w workbench
	cmd := &cobra.Command{
		Use:   "diagnose",
		Short: "Find out why a signature does not verify",
		Long: `Find out why a signature does not verify: the mistakes that people make are tried one by one, then in pairs that occur together,
1024 signatures at most. What is named was proven by an exact match. Nothing that is printed holds a key or a signature.
` + requestHelp + "\n" + keyHelp,
		Example: `  hookassay diagnose --scheme stripe --secret-file key.txt --curl failed.sh
  hookassay diagnose --evidence demo-report --record 210`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if w.list {
				return listCauses(s.out)
			}
			return w.verify(s, true)
		},
	}
	w.addAll(cmd)
	cmd.Flags().BoolVar(&w.list, "list", false, "print the causes that are known, and end")
	cmd.Flags().StringArrayVar(&w.oldFile, "old-secret-file", nil, "file with a key of old, to be named if it was used; may be repeated")
	cmd.Flags().StringArrayVar(&w.otherFile, "other-secret-file", nil, "file with the key of another endpoint, to be named if it was used; may be repeated")
	for _, name := range []string{"old-secret-file", "other-secret-file"} {
		_ = cmd.RegisterFlagCompletionFunc(name, anyFile) // fails only for a flag that is not there
	}
	return cmd
}

// workbench is what was asked for: a scheme, keys and a request.
type workbench struct {
	scheme, contract   string
	files, variables   []string
	plain              []string
	stdin              bool
	oldFile, otherFile []string

	method, url, body, id, at string
	headers                   []string
	tolerance                 time.Duration

	curl, har, evidence, journal string
	record                       int64
	list                         bool

	certificates certificateFlags
}

func (w *workbench) addAll(cmd *cobra.Command) {
	w.addKeys(cmd)
	w.addRequest(cmd)
	w.certificates.add(cmd)
	fs := cmd.Flags()
	fs.DurationVar(&w.tolerance, "tolerance", 0, "how far the signed time may lie from the arrival; 0 is the scheme's, or 5m")
	fs.StringVar(&w.curl, "curl", "", "file with a curl command that sends the request")
	fs.StringVar(&w.har, "har", "", "HTTP Archive with the request")
	fs.StringVar(&w.evidence, "evidence", "", "evidence.ndjson with the request, or the folder of its report")
	fs.StringVar(&w.journal, "journal", "", "journal of a receiver that has ended, with the request")
	fs.Int64Var(&w.record, "record", 0, "which request of the archive, the evidence or the journal")
	cmd.MarkFlagsMutuallyExclusive("curl", "har", "evidence", "journal")
	for name, c := range map[string]completer{
		"curl": anyFile, "har": files("har", "json"), "evidence": files("ndjson"), "record": cobra.NoFileCompletions, "tolerance": cobra.NoFileCompletions,
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, c) // fails only for a flag that is not there
	}
}

func (w *workbench) addKeys(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&w.scheme, "scheme", "", "signature scheme (hookassay list schemes)")
	fs.StringVar(&w.contract, "contract", "", "profile or contract file whose scheme is meant")
	fs.StringArrayVar(&w.files, "secret-file", nil, "file with a key; repeat it during a rotation")
	fs.StringArrayVar(&w.variables, "secret-env", nil, "environment variable with a key; may be repeated")
	fs.BoolVar(&w.stdin, "secret-stdin", false, "read a key from standard input")
	fs.StringArrayVar(&w.plain, "secret", nil, "the key itself: it shows in the list of processes and in the shell's history")
	for name, c := range map[string]completer{
		"scheme": schemes, "secret-file": anyFile, "secret-env": cobra.NoFileCompletions, "secret": cobra.NoFileCompletions,
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, c) // fails only for a flag that is not there
	}
}

func (w *workbench) addRequest(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&w.method, "method", "POST", "method of the request, where the scheme signs it")
	fs.StringVar(&w.url, "url", "", "whole URL of the request, as the sender was told it, where the scheme signs it")
	fs.StringVar(&w.body, "body", "", "file with the body, byte for byte; - is standard input")
	fs.StringArrayVar(&w.headers, "header", nil, "header field, as 'Name: value'; may be repeated")
	fs.StringVar(&w.at, "at", "", "time of the request, as 2006-01-02T15:04:05Z or in unix seconds; to sign, empty is now")
	for name, c := range map[string]completer{
		"method": cobra.NoFileCompletions, "url": cobra.NoFileCompletions, "body": anyFile, "header": cobra.NoFileCompletions,
		"at": cobra.NoFileCompletions, "id": cobra.NoFileCompletions,
	} {
		if fs.Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, c) // fails only for a flag that is not there
		}
	}
}

func (w *workbench) sign(s streams) error {
	c, err := w.found(s)
	if err != nil {
		return err
	}
	if c.at.IsZero() {
		c.at = time.Now() //nolint:forbidigo // a person at a terminal signs now
	}
	r := c.req
	content := signature.Content{ID: w.id, At: c.at, Body: r.Body, Method: r.Method, URL: r.URL, Header: evidence.Head{Fields: r.Fields}.Header()}
	if c.scheme.InBody() {
		body, err := c.scheme.SignBody(content, c.keys...)
		if err != nil {
			return err
		}
		_, err = s.out.Write(body)
		return err
	}
	h, err := c.scheme.Sign(content, c.keys...)
	if err != nil {
		return err
	}
	var names []string
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(s.out, "%s: %s\n", name, h.Get(name))
	}
	return nil
}

func (w *workbench) verify(s streams, closely bool) error {
	c, err := w.found(s)
	if err != nil {
		return err
	}
	if len(c.keys) == 0 && c.scheme.Keyed() {
		return errors.New("there is no key: give --secret-file, --secret-env or --secret-stdin")
	}
	f := c.scheme.Diagnose(c.req, c.hints, c.keys...)
	fresh := c.hints.Received.IsZero() || f.Fresh(c.hints.Received, c.hints.Tolerance)
	switch {
	case f.OK() && fresh:
		fmt.Fprintf(s.out, "verified by key %d of %s%s\n", f.Keys[0]+1, c.scheme.ID(), signedAt(f))
		return nil
	case f.OK():
		fmt.Fprintf(s.out, "stale: %s%s\n", f.Detail, signedAt(f))
	default:
		fmt.Fprintf(s.out, "not verified: %s: %s\n", f.Reason, f.Detail)
	}
	for _, cause := range f.Causes {
		fmt.Fprintf(s.out, "cause: %s\n", cause)
	}
	if closely {
		c.tellClosely(s.out, f)
	}
	return verdictError{exitNotVerified}
}

func signedAt(f signature.Finding) string {
	switch {
	case !f.SignedAt.IsZero():
		return ", signed at " + f.SignedAt.Format(time.RFC3339)
	case f.Timeless:
		return ", which signs no time"
	}
	return ""
}

// shownSigned is how much of the signed bytes is printed: as many lines as a person reads.
const shownSigned = 2048

// tellClosely prints what a person needs who goes on looking.
func (c *found) tellClosely(w io.Writer, f signature.Finding) {
	if len(f.Causes) == 0 && f.Tried > 0 {
		fmt.Fprintf(w, "no known mistake explains it (signatures recomputed: %d)\n", f.Tried)
	}
	fmt.Fprintf(w, "scheme: %s\n", c.scheme.Describe())
	fmt.Fprintf(w, "key: %s\n", c.scheme.Layout().Key)
	content, ok := c.scheme.SignedRequest(c.req)
	if !ok {
		return
	}
	more, shown := "", c.withoutKeys(string(content[:min(len(content), cleanedSigned)]))
	if len(shown) > shownSigned {
		more = fmt.Sprintf(" … (of %d bytes)", len(content))
		shown = shown[:shownSigned]
	}
	fmt.Fprintf(w, "signed bytes by the scheme: %q%s\n", shown, more)
}

// cleanedSigned is how much of the signed bytes is looked through for keys: what is printed, and the longest key behind it.
const cleanedSigned = 32 << 10

// withoutKeys is text from a request, which may hold a key that whoever made it knew.
func (c *found) withoutKeys(text string) string {
	var r sender.Redactor
	for _, key := range slices.Concat(c.keys, c.hints.Old) {
		r.Add(key)
	}
	for _, k := range c.hints.Foreign {
		r.Add(k.Secret)
	}
	return r.Clean(text)
}

func listCauses(w io.Writer) error {
	for _, c := range signature.Causes() {
		fmt.Fprintln(w, c.Name)
		wrapped(w, textAt, strings.TrimSpace(c.Says))
	}
	return nil
}
