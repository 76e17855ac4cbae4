package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract/page"
)

func contractDocCommand(s streams) *cobra.Command {
	var lang, out string
	var asHTML bool
	cmd := &cobra.Command{
		Use:   "doc NAME|FILE",
		Short: "Write the public page of a contract, for those who receive",
		Long: `Write the public page of a contract, for those who receive: what they get, what to answer, when it comes again, keys, dead letters, and
what is not promised. In English or Chinese, as Markdown or as one HTML file.`,
		Example: `  hookassay contract doc bounded-6 > webhooks.md
  hookassay contract doc ./my-sender.yaml --lang zh --html --out webhooks.html`,
		Args: one("one contract, a profile or a file"),
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := languageOf(lang)
			if err != nil {
				return err
			}
			c, err := effectiveContract(args[0], 1)
			if err != nil {
				return err
			}
			text := page.Markdown(c, l)
			if asHTML {
				text = page.HTML(c, l)
			}
			if out == "" {
				_, err = fmt.Fprint(s.out, text)
				return err
			}
			if err := os.WriteFile(out, []byte(text), 0o644); err != nil { //nolint:gosec // a page for everybody
				return fmt.Errorf("--out: %w", err)
			}
			return nil
		},
	}
	addLang(cmd.Flags(), &lang)
	cmd.Flags().BoolVar(&asHTML, "html", false, "write HTML")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default standard output)")
	return cmd
}
