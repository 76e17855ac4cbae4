package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/simulate"
)

type simulateFlags struct {
	cfg     simulate.Config
	outages []string
	svg     string
}

func contractSimulateCommand(s streams) *cobra.Command {
	f := &simulateFlags{}
	cmd := &cobra.Command{
		Use:   "simulate NAME|FILE",
		Short: "Play the schedule with chance: outages, jitter, timeouts, backlog",
		Long: `Play the schedule with chance (Monte Carlo): outages of several lengths, jitter and ranges, attempts that fail, a sender that can start
only so many requests. For each outage it prints what share is delivered, after what time, and the load on recovery (the retry storm)
as a multiple of the pace at which events were accepted; then how often the deadline cuts the last attempt, by how long a failing
attempt takes; then the load over time of the longest outage. The same seed gives the same numbers.`,
		Example: `  hookassay contract simulate bounded-6
  hookassay contract simulate bounded-6 --outage 10m,1h \
    --attempt 30s --service 2 --svg load.svg`,
		Args: one("one contract, a profile or a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := effectiveContract(args[0], 1)
			if err != nil {
				return err
			}
			if c.Schedule != nil && !cmd.Flags().Changed("attempt") {
				f.cfg.Attempt = c.Schedule.RequestTime()
			}
			return f.run(s, c)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.outages, "outage", []string{"0s", "1m", "10m", "1h", "2h"}, "how long the receiver is down, one length or several")
	fl.IntVar(&f.cfg.Events, "events", 2000, "how many events are accepted in each outage")
	fl.Uint64Var(&f.cfg.Seed, "seed", 1, "of every draw")
	fl.DurationVar(&f.cfg.Attempt, "attempt", 0, "how long an attempt takes that fails in the outage (default the contract's request timeout)")
	fl.Float64Var(&f.cfg.Fail, "fail", 0, "share of attempts that fail outside of the outage, 0 to 1")
	fl.Float64Var(&f.cfg.Service, "service", 0, "requests that the sender can start, as a multiple of the pace of new events (default any number)")
	fl.IntVar(&f.cfg.Backlog, "backlog", 0, "requests that are queued at the start; with --service")
	fl.StringVar(&f.svg, "svg", "", "also draw the load of the longest outage into this file")
	return cmd
}

// maxOutages bounds the table.
const maxOutages = 20

func (f *simulateFlags) run(s streams, c *contract.Contract) error {
	if len(f.outages) == 0 || len(f.outages) > maxOutages {
		return fmt.Errorf("--outage: write 1 to %d lengths, as 1m,10m,1h", maxOutages)
	}
	results, err := f.play(c)
	if err != nil {
		return err
	}
	s.out = s.text()
	longest := results[0]
	fmt.Fprintf(s.out, "%d events each, seed %d, a failing attempt takes %v\n\n", f.cfg.Events, f.cfg.Seed, f.cfg.Attempt)
	fmt.Fprintf(s.out, "%8s  %9s  %8s  %9s  %9s  %9s  %9s\n", "outage", "delivered", "attempts", "p50", "p90", "p99", "longest")
	for _, r := range results {
		if r.Outage >= longest.Outage {
			longest = r
		}
		fmt.Fprintln(s.out, outageLine(r))
	}
	fmt.Fprintln(s.out, "\nload on recovery, as a multiple of the pace of new events:")
	for _, r := range results {
		fmt.Fprintf(s.out, "%8v  %s\n", r.Outage, storm(r))
	}
	if err := f.cuts(s, c); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\nload over time, outage of %v (x: the receiver is down)\n%s", longest.Outage, simulate.Plot(longest, 50))
	if f.svg == "" {
		return nil
	}
	title := fmt.Sprintf("%s: load over time, outage of %v", c.Name, longest.Outage)
	if err := os.WriteFile(f.svg, []byte(simulate.SVG(longest, title)), 0o644); err != nil { //nolint:gosec // a drawing to be shown around
		return errors.Join(errors.New("--svg: the drawing was not written"), err)
	}
	return nil
}

// play plays each outage before anything is printed: a table's head above a refusal would look like a result.
func (f *simulateFlags) play(c *contract.Contract) ([]simulate.Result, error) {
	outages := make([]time.Duration, len(f.outages))
	for i, text := range f.outages {
		var err error
		if outages[i], err = time.ParseDuration(text); err != nil {
			return nil, fmt.Errorf("--outage %q is no duration; write one with its unit, as 10m", text)
		}
	}
	results := make([]simulate.Result, len(outages))
	for i, outage := range outages {
		cfg := f.cfg
		cfg.Outage = outage
		var err error
		if results[i], err = simulate.Run(c, cfg); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func outageLine(r simulate.Result) string {
	span := func(p float64) time.Duration {
		d := r.Percentile(p)
		if d >= time.Hour { // so that the table has room in 80 columns
			return d.Round(time.Second)
		}
		return d.Round(10 * time.Millisecond)
	}
	return fmt.Sprintf("%8v  %9s  %8.2f  %9v  %9v  %9v  %9v",
		r.Outage, share(r.Share()), float64(r.Attempts)/float64(r.Events), span(0.5), span(0.9), span(0.99), span(1))
}

func storm(r simulate.Result) string {
	if times, at := r.Storm(); times > 0 {
		return fmt.Sprintf("%.1f, at %v", times, at.Round(time.Second))
	}
	return "-"
}

// cuts prints how often the deadline cuts the last attempt, for attempts as long as the sums of the contract speak of.
func (f *simulateFlags) cuts(s streams, c *contract.Contract) error {
	if c.Schedule.Deadline == 0 {
		return f.lasts(s, c)
	}
	w := c.Window(0)
	fmt.Fprintf(s.out, "\nwhere every attempt fails, the deadline of %v cuts the last one:\n", c.Schedule.Deadline)
	seen := map[time.Duration]bool{}
	for _, attempt := range []time.Duration{0, f.cfg.Attempt, w.BreakEvenEnd, w.BreakEven, 30 * time.Second} {
		if attempt = attempt.Round(time.Millisecond); seen[attempt] {
			continue
		}
		seen[attempt] = true
		cfg := f.cfg
		cfg.Attempt, cfg.Outage, cfg.Forever = attempt, 0, true
		r, err := simulate.Run(c, cfg)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%10v an attempt: %s of %d events%s\n", attempt, share(r.LastCutShare()), r.LastDue, earlier(r))
	}
	return nil
}

// lasts prints how far the schedule reaches where no deadline ends it, beside what the contract claims.
func (f *simulateFlags) lasts(s streams, c *contract.Contract) error {
	cfg := f.cfg
	cfg.Outage, cfg.Forever = 0, true
	r, err := simulate.Run(c, cfg)
	if err != nil {
		return err
	}
	claim := ""
	if c.Schedule.ClaimedWindow > 0 {
		claim = fmt.Sprintf("; the contract claims %v", c.Schedule.ClaimedWindow)
	}
	at := func(i int) time.Duration { return r.Lasts[i].Round(10 * time.Millisecond) }
	fmt.Fprintf(s.out, "\nno deadline cuts an attempt; where every attempt fails, the last one starts %v to %v after acceptance, half of them by %v%s\n",
		at(0), at(len(r.Lasts)-1), at((len(r.Lasts)-1)/2), claim)
	return nil
}

// earlier tells of events that the deadline ended before their last attempt was due.
func earlier(r simulate.Result) string {
	if n := r.Cut - r.LastCut; n > 0 {
		return strings.TrimSpace(fmt.Sprintf("; %d more were cut before that", n))
	}
	return ""
}
