package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/signature"
)

// schemesCommand lists all schemes in short, or tells all of those that are named.
func schemesCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:               "schemes [NAME...]",
		Short:             "Signature schemes; with names, all about them",
		ValidArgsFunction: schemes,
		RunE: func(_ *cobra.Command, names []string) error {
			if len(names) == 0 {
				return listSchemes(s.out)
			}
			for _, name := range names {
				sc, err := signature.Lookup(name)
				if err != nil {
					return err
				}
				if err := tellScheme(s.out, sc); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func listSchemes(w io.Writer) error {
	wrapped(w, 0, "Each scheme with its digest, where signatures stand, the form of the key, and what a signature covers.")
	for _, sc := range signature.Schemes() {
		fmt.Fprintln(w, sc.ID())
		wrapped(w, textAt, sc.Layout().Digest+encodingOf(sc)+"; in "+placeOf(sc))
		wrapped(w, textAt, "key: "+sc.Layout().Key)
		wrapped(w, textAt, "covers "+coveredBy(sc))
	}
	fmt.Fprintln(w)
	wrapped(w, 0, "hookassay list schemes NAME tells how one signs, by hand as well, and what it leaves open. A contract can hold a scheme of its own, under signature.record.")
	return nil
}

func encodingOf(sc *signature.Scheme) string {
	if e := sc.Record().Encoding; e != "" && e != "raw" {
		return ", " + e
	}
	return ""
}

func placeOf(sc *signature.Scheme) string {
	c := sc.Record().Carrier
	return cmp.Or(c.Header, sc.Header(), "the body at "+c.Each+c.BodyPointer)
}

func coveredBy(sc *signature.Scheme) string {
	return cmp.Or(strings.Join(sc.Covers(), ", "), "nothing")
}

func tellScheme(w io.Writer, sc *signature.Scheme) error {
	l := sc.Layout()
	fmt.Fprintln(w, sc.ID())
	wrapped(w, textAt, sc.Record().Title)
	for _, h := range l.Headers {
		fmt.Fprintf(w, "    %s\n", h)
	}
	wrapped(w, textAt, "signature: "+l.Digest+encodingOf(sc))
	if l.Signs != "" {
		fmt.Fprintf(w, "    signed bytes: %s\n", l.Signs)
	}
	wrapped(w, textAt, "key: "+l.Key)
	wrapped(w, textAt, "covers "+coveredBy(sc))
	if past, future := sc.Tolerance(); past > 0 {
		wrapped(w, textAt, "tolerance: "+toleranceText(past, future))
	}
	for _, weakness := range sc.Weaknesses() {
		wrapped(w, textAt, "open: "+weakness)
	}
	if l.Shell != "" {
		fmt.Fprintf(w, "    by hand: %s\n", l.Shell)
	}
	text, err := json.MarshalIndent(sc.Record(), "    ", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "    record: %s\n", text)
	return nil
}

func toleranceText(past, future time.Duration) string {
	if future == 0 {
		return fmt.Sprintf("%s old, by its publication", past)
	}
	return fmt.Sprintf("%s old, %s ahead, by its publication", past, future)
}
