package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/presets"
)

func presetsCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "presets",
		Short:   "List the senders that there are files to start from for, and what each needs",
		Example: `  hookassay presets`,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(s.text(), 0, 0, 2, ' ', 0) // two spaces between columns
			at := 0
			for _, p := range presets.All() {
				at = max(at, len(p.Name)+2)
			}
			for _, p := range presets.All() {
				fmt.Fprintf(w, "%s\t%s\n\t%s\n", p.Name, p.Title, cell(at, "contract "+p.Profile+"; needs "+p.Needs))
				required, err := requiredBy(p)
				if err != nil {
					return err
				}
				for _, r := range required {
					fmt.Fprintf(w, "\t%s\n", cell(at, "requires "+r))
				}
			}
			return w.Flush()
		},
	}
}

// requiredBy is what a preset's adapter says must be true of the sender.
func requiredBy(p presets.Preset) ([]string, error) {
	files, err := p.Files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Name != adapterFile {
			continue
		}
		a, err := httpapi.Parse(p.Name+"/"+f.Name, f.Text)
		if err != nil {
			return nil, err
		}
		return a.Requires, nil
	}
	return nil, nil
}

const adapterFile = "adapter.yaml"

func initCommand(s streams) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write files to start from: contract, adapter, run file and a README for a sender",
		Long: `Write files to start from: contract, adapter, run file and a README for a sender, into a folder, the current one if
none is named. It is made if it is not there. No file is overwritten: if one of them is there already, nothing is written.`,
		Example: `  hookassay init --preset refsender && hookassay run
  hookassay init --preset outpost outpost-assay`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			if name == "" {
				return errors.New("--preset is missing; hookassay presets lists them")
			}
			p, err := presets.Get(name)
			if err != nil {
				return err
			}
			files, err := p.Files()
			if err != nil {
				return err
			}
			if err := writeAll(folder, files); err != nil {
				return err
			}
			for _, f := range files {
				fmt.Fprintln(s.out, filepath.Join(folder, f.Name))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "preset", "", "the sender to write them for (hookassay presets)")
	return cmd
}

// writeAll writes files that are not there yet, all of them or none.
func writeAll(folder string, files []presets.File) error {
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(folder, f.Name)); err == nil {
			return fmt.Errorf("%s is there already; name another folder, or move it away", filepath.Join(folder, f.Name))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	const anyoneReads, anyoneEnters = 0o644, 0o755
	if err := os.MkdirAll(folder, anyoneEnters); err != nil {
		return err
	}
	for i, f := range files {
		if err := writeUnless(filepath.Join(folder, f.Name), f.Text, anyoneReads); err != nil {
			for _, done := range slices.Backward(files[:i]) {
				err = errors.Join(err, os.Remove(filepath.Join(folder, done.Name)))
			}
			return err
		}
	}
	return nil
}

func writeUnless(path string, text []byte, mode fs.FileMode) error {
	// It fails if somebody has made the file meanwhile.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
