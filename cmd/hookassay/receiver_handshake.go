package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/handshake"
)

// handshakeFlags say what a provider may ask of a receiver before it delivers.
type handshakeFlags struct {
	name, only string
	secretFile []string
	rate       int
}

func (f *handshakeFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.name, "handshake", "", "answer the handshake of a provider (hookassay list handshakes)")
	fs.StringArrayVar(&f.secretFile, "handshake-secret-file", nil, "file with the token that handshakes show (meta), or a key other than --secret-file by which they are signed")
	fs.StringVar(&f.only, "handshake-only", "", "the one origin (cloudevents) or topic (websub) that is agreed to; empty is any")
	fs.IntVar(&f.rate, "handshake-rate", 0, "requests a minute that a handshake allows (cloudevents); 0 is as many as the sender likes")
	_ = cmd.RegisterFlagCompletionFunc("handshake", handshakes) // fails only for a flag that is not there
	for _, name := range []string{"handshake-only", "handshake-rate"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	_ = cmd.RegisterFlagCompletionFunc("handshake-secret-file", anyFile)
}

// set fills in an endpoint.
func (f *handshakeFlags) set(e *mockreceiver.Endpoint) error {
	if f.name == "" {
		if len(f.secretFile) > 0 || f.only != "" || f.rate != 0 {
			return errors.New("--handshake-secret-file, --handshake-only and --handshake-rate need --handshake")
		}
		return nil
	}
	h := &mockreceiver.Handshake{Name: f.name, Only: f.only, Rate: f.rate}
	for _, path := range f.secretFile {
		secret, err := secretFrom("--handshake-secret-file", path)
		if err != nil {
			return err
		}
		h.Secrets = append(h.Secrets, secret)
	}
	if _, err := h.Check(); err != nil {
		return err
	}
	e.Handshake = h
	return nil
}

// said is how the settings are shown.
func (*handshakeFlags) said(e mockreceiver.Endpoint) string {
	if e.Handshake == nil {
		return ""
	}
	return "\nhandshake     " + e.Handshake.Name
}

// schemeOf is the scheme by which a provider signs its handshake, and what it delivers; empty: none.
func schemeOf(h *mockreceiver.Handshake) string {
	if h == nil {
		return ""
	}
	k, err := handshake.Lookup(h.Name)
	if err != nil {
		return "" // the receiver will say so
	}
	return k.Scheme
}

func handshakesCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "handshakes",
		Short: "What providers ask of a receiver before they deliver",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return listHandshakes(s.out) },
	}
}

func listHandshakes(w io.Writer) error {
	wrapped(w, 0, "hookassay receiver --handshake NAME answers one. Its request is recorded, takes no step of a plan and is no attempt of an event.")
	for _, k := range handshake.Kinds() {
		fmt.Fprintf(w, "\n%-22s%s\n", k.Name, k.Provider)
		wrapped(w, textAt, k.Reason)
		wrapped(w, textAt, "asked: "+k.Asked)
		wrapped(w, textAt, "answered: "+k.Answered)
		if proof := proofOf(&k); proof != "" {
			wrapped(w, textAt, proof)
		}
	}
	return nil
}

// proofOf says what a handshake is checked by, and what it may be bound to.
func proofOf(k *handshake.Kind) string {
	switch {
	case k.Proof == handshake.MustSign:
		return "wants a secret: what is not signed by " + k.Scheme + " gets 401"
	case k.Proof == handshake.MaySign:
		return "with a secret, what is not signed by " + k.Scheme + " gets 401"
	case k.Proof == handshake.ByToken:
		return "wants the token, by --handshake-secret-file"
	case k.Only != "":
		return "--handshake-only names the one " + k.Only + " that is agreed to"
	}
	return ""
}

func handshakes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, k := range handshake.Kinds() {
		names = append(names, cobra.CompletionWithDesc(k.Name, k.Provider))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
