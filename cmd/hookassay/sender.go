package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

func senderCommand(s streams) *cobra.Command {
	var cfg refsender.Config
	var profile string
	var compress int
	cmd := &cobra.Command{
		Use:   "sender",
		Short: "Run the reference sender: a good webhook sender, with defects on request",
		Long: `Run the reference sender: a good webhook sender, with defects on request. It prints "ready URL" when its HTTP
API answers, and stops gracefully at SIGTERM. It is what hookassay proves itself with; it is not for production.`,
		Example: `  hookassay sender --db sender.db --compress 200
  hookassay sender --db sender.db --compress 200 --defect ra-ignored`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if compress < 1 {
				return fmt.Errorf("--compress %d: want 1 or more", compress)
			}
			c, err := effectiveContract(profile, compress)
			if err != nil {
				return err
			}
			if err := databaseAt(cfg.DB); err != nil {
				return err
			}
			cfg.Contract, cfg.Log = c, s.err
			return ofDatabase(cfg.DB, refsender.Run(cmd.Context(), cfg, s.out))
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&cfg.DB, "db", "sender.db", "SQLite file that holds events, deliveries and dead letters")
	fs.StringVar(&cfg.Listen, "listen", "127.0.0.1:0", "address of the HTTP API")
	fs.StringVar(&profile, "contract", "bounded-6", "profile or contract file to keep")
	fs.IntVar(&compress, "compress", 1, "divide the contract's times by this")
	fs.StringVar(&cfg.Defect, "defect", "", "break one promise on purpose (hookassay list defects)")
	fs.StringVar(&cfg.Variant, "variant", "", "differ from it in one way that breaks no promise (hookassay list variants)")
	fs.StringVar(&cfg.TrustFile, "ca", "", "PEM file with certificate authorities to trust in deliveries, beside the system's")
	fs.Uint64Var(&cfg.Seed, "seed", 0, "seed of the jitter; 0 draws one")
	return cmd
}

// ofDatabase puts into words what SQLite says by a number of the database at path; other errors stay as they are.
func ofDatabase(path string, err error) error {
	if err == nil {
		return nil
	}
	if worded := journal.Advised(path, "a sender's database", err); !errors.Is(worded, err) {
		return fmt.Errorf("--db %s: %w", path, worded)
	}
	return err
}

// databaseAt says what keeps a database from lying at path, which SQLite would say by a number.
func databaseAt(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("--db %s: is a folder; name a file", path)
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("--db %s: there is no folder %s; make it first", path, folder)
	}
	return nil
}
