package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the module's version as the go command stamped it: a tag for an installed release, "(devel)" for a checkout.
func version() string { return built().Version }

// build is what the program was made of.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the checkout; empty where the go command did not know it
	Modified bool   `json:"modified,omitempty"` // the checkout held more than the revision
	Go       string `json:"go"`
}

func built() build {
	b := build{Version: "(devel)", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = cmp.Or(info.Main.Version, b.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func versionCommand(s streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, the revision and the Go version that the program was built from", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			b := built()
			if asJSON {
				return json.NewEncoder(s.out).Encode(b)
			}
			changed := ""
			if b.Modified {
				changed = ", with changes"
			}
			_, err := fmt.Fprintf(s.out, "hookassay %s\nrevision %s%s\nbuilt with %s\n", b.Version, cmp.Or(b.Revision, "not known"), changed, b.Go)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
