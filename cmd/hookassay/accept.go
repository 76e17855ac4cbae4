package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/accept"
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
)

type acceptFlags struct {
	last                                              int
	threshold                                         float64
	contract, format, columns, expect, endpoint, lang string
	adapter                                           string
	vars                                              []string
	json                                              bool
}

func acceptCommand(s streams) *cobra.Command {
	f := &acceptFlags{}
	cmd := &cobra.Command{
		Use:   "accept [FILE]",
		Short: "Count the delivery rate over the latest events, from any source",
		Long: `Count the delivery rate over the latest events: (delivered at first try + delivered after retry) / all, from
  - a receiver's journal (receiver --journal FILE), which must not be in use,
  - the evidence of a run, or the folder of its report,
  - a log in CSV or NDJSON, one row for each attempt (or event), with the names of its columns by --columns,
  - the sender's own delivery log, asked through an adapter for the events that --expect lists.
The output states the exact definitions, the ids that are missing, the 95 % interval (Wilson), duplicates, and the dead letters
that state no reason or were not replayed.

Columns of a log: event, endpoint, at, status, attempt, state, reason, replay. Needed are event, and status or state: a log of events,
one row each, may say "delivered" or "dead" alone, and what it calls delivered then counts as delivered at first try. Fields stand
between commas, semicolons or tabs; at is RFC 3339 or a Unix time. - is standard input; of a log say --format there.

Exit codes: 0 reached, 1 missed, 2 bad input, 3 cannot be said: too few events, or a run that was cut short.`,
		Example: `  hookassay accept journal.db
  hookassay accept demo-report
  hookassay accept deliveries.csv \
    --columns event=event_id,at=sent_at,status=code --last 1000 --threshold 0.99
  hookassay accept deliveries.ndjson \
    --columns status=response.status --expect accepted-ids.txt
  hookassay accept --adapter adapter.yaml \
    --var base=http://127.0.0.1:8080 --expect events.txt`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return f.run(cmd, s, "")
			}
			return s.reading(cmd.Context(), args[0], func(path string) error { return f.run(cmd, s, path) })
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&f.last, "last", 0, "how many of the latest events count (default the contract's sample, 1000)")
	fl.Float64Var(&f.threshold, "threshold", 0, "the share that must be delivered, 0 to 1 (default the contract's rate, 0.99)")
	fl.StringVar(&f.contract, "contract", "bounded-6", "profile or file that says which status is a success; evidence has its own")
	fl.StringVar(&f.format, "format", "", "csv or ndjson (default by the file's name)")
	fl.StringVar(&f.columns, "columns", "", "names of a log's columns where they are others, as event=event_id,status=response.status")
	fl.StringVar(&f.expect, "expect", "", "file with an event id in each line, and an endpoint after it if need be: these events must be there")
	fl.StringVar(&f.endpoint, "endpoint", "", "count one endpoint of a journal")
	fl.StringVar(&f.adapter, "adapter", "", "ask the delivery log of a sender, by this adapter file")
	fl.StringArrayVar(&f.vars, "var", nil, "set a variable of the adapter: name=value, any number of times")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	addLang(fl, &f.lang)
	return cmd
}

// accepting is what is counted, and by which measure.
type accepting struct {
	c *contract.Contract
	// last is the size of the sample.
	last int
}

func (f *acceptFlags) run(cmd *cobra.Command, s streams, path string) error {
	words, err := acceptWordsIn(f.lang)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("last") && (f.last < 1 || f.last > maxEvents) {
		return fmt.Errorf("--last %d: write a number from 1 to %d", f.last, maxEvents)
	}
	if cmd.Flags().Changed("threshold") && !(f.threshold > 0 && f.threshold <= 1) {
		return fmt.Errorf("--threshold %v: write a share above 0 and up to 1, as 0.99", f.threshold)
	}
	got, err := f.count(cmd.Context(), path)
	if err != nil {
		return err
	}
	if cmd.Flags().Arg(0) == stdinMark {
		got.Source = stdinName
	}
	if f.json {
		enc := json.NewEncoder(s.out)
		enc.SetIndent("", "  ")
		err = enc.Encode(got)
	} else {
		_, err = fmt.Fprint(s.text(), got.text(words))
	}
	if code := got.code(); err == nil && code != 0 {
		return verdictError{code}
	}
	return err
}

func (f *acceptFlags) count(ctx context.Context, path string) (*tallied, error) {
	switch {
	case f.adapter != "" && path != "":
		return nil, errors.New("both a file and --adapter were given; count one source at a time")
	case f.adapter != "":
		return f.fromSender(ctx)
	case path == "":
		return nil, errors.New("name a journal, the evidence of a run, or a log in CSV or NDJSON; or ask a sender with --adapter")
	}
	kind, err := f.kindOf(path)
	if err != nil {
		return nil, err
	}
	switch kind {
	case kindJournal:
		return f.fromJournal(ctx, path)
	case kindEvidence:
		return f.fromEvidence(path)
	}
	return f.fromFile(path, accept.Format(kind))
}

// measured applies the flags to the contract.
func (f *acceptFlags) measured(c *contract.Contract) accepting {
	a := contract.Acceptance{Sample: 1000, Rate: 0.99} // what people agree on where a contract says nothing
	if c.Acceptance != nil {
		a = *c.Acceptance
	}
	if f.last > 0 {
		a.Sample = f.last
	}
	if f.threshold > 0 {
		a.Rate = f.threshold
	}
	out := *c
	out.Acceptance = &a
	return accepting{&out, a.Sample}
}

func (f *acceptFlags) byContract() (accepting, error) {
	c, err := effectiveContract(f.contract, 1)
	if err != nil {
		return accepting{}, err
	}
	return f.measured(c), nil
}

// tallied is what was counted, with what can be said of it.
type tallied struct {
	sample     int               // how many events the rate is promised over
	Source     string            `json:"source"`
	Rows       int               `json:"rows,omitempty"`
	All        int               `json:"all_events,omitempty"` // in the source; the latest of them count
	Contract   string            `json:"contract"`
	Acceptance *judge.Acceptance `json:"acceptance"`
	Interval   judge.Interval    `json:"interval"`
	Verdict    string            `json:"verdict"` // reached, missed or unknown
	// CutShort tells that the run did not come to its end, so that nothing can be said.
	CutShort bool `json:"cut_short,omitempty"`
	// Lost is how many records the receiver could not keep: what they told is missing from the count.
	Lost int `json:"lost_records,omitempty"`
	// Unreasoned and Unreplayed are dead letters that state no reason, and that nobody replayed; null where the source does not say.
	Unreasoned []string `json:"dead_letters_without_reason"`
	Unreplayed []string `json:"dead_letters_without_replay"`
}

// What a count comes to.
const (
	acceptReached = "reached"
	acceptMissed  = "missed"
	acceptUnknown = "unknown"
)

// tally says what a count comes to. reasons and replays tell whether the source says those.
func (t *tallied) tally(reasons, replays bool) *tallied {
	a := t.Acceptance
	delivered := a.DeliveredFirstTry + a.DeliveredAfterRetry
	t.Interval = judge.Wilson(delivered, a.Events)
	if reasons {
		t.Unreasoned = deadWithout(a, func(d judge.AcceptanceDeadLetter) bool { return strings.TrimSpace(d.Reason) == "" })
	}
	if replays {
		t.Unreplayed = deadWithout(a, func(d judge.AcceptanceDeadLetter) bool { return d.Replay == "" })
	}
	switch {
	case !a.SampleSufficient:
		t.Verdict = acceptUnknown
	case a.Rate < a.Threshold || len(t.Unreasoned)+len(t.Unreplayed) > 0:
		t.Verdict = acceptMissed
	default:
		t.Verdict = acceptReached
	}
	return t
}

func deadWithout(a *judge.Acceptance, without func(judge.AcceptanceDeadLetter) bool) []string {
	ids := []string{}
	for _, d := range a.DeadLetters {
		if without(d) {
			ids = append(ids, d.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func (t *tallied) code() int {
	switch t.Verdict {
	case acceptReached:
		return 0
	case acceptMissed:
		return exitMissed
	}
	return exitUnknown
}

// Exit codes of a count, as those of a run.
const (
	exitMissed  = 1
	exitUnknown = 3
)
