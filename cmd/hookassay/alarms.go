package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/alarm"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

func alarmsCommand(s streams) *cobra.Command {
	var profile string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "alarms FILE",
		Short: "Show what the five alarms would have said over a run or a journal",
		Long: `Show what the five alarms of a receiver (hookassay list alarms) would have said over the evidence of a run, the folder of its report, or a
receiver's journal: their state at the end, and when each first fired. They are evaluated minute by minute. Compressed times are
stretched to those of the published contract, since the alarms speak of minutes and hours.

Exit codes: 0 none fires at the end, 1 one does, 2 bad input.`,
		Example: `  hookassay alarms demo-report
  hookassay alarms journal.db --contract bounded-6`,
		Args: one("one journal, or the folder of a report"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var h *history
			err := s.reading(cmd.Context(), args[0], func(path string) (err error) {
				h, err = alarmHistory(cmd.Context(), path, profile)
				return err
			})
			if err != nil {
				return err
			}
			seen := h.evaluate()
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				err = enc.Encode(seen)
			} else {
				w := s.text()
				for _, a := range seen {
					fmt.Fprintf(w, "%-8s %-20s %s; fires %s%s\n", a.State, a.Name, a.Because, a.Fires, a.when())
				}
			}
			if err == nil && slices.ContainsFunc(seen, func(a seenAlarm) bool { return a.State == alarm.Firing }) {
				return verdictError{exitFiring}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&profile, "contract", "bounded-6", "whose deadline says when an event of a journal was given up; evidence has its own")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

const exitFiring = 1

// seenAlarm is an alarm at the end, with its past.
type seenAlarm struct {
	alarm.Alarm
	// FirstFired is how long after the first request it fired first; Fired in how many of the minutes.
	FirstFired time.Duration `json:"first_fired_ns,omitempty"`
	Fired      int           `json:"fired_minutes"`
}

func (a seenAlarm) when() string {
	if a.Fired == 0 {
		return ""
	}
	return fmt.Sprintf("; fired in %d of the minutes, first after %v", a.Fired, a.FirstFired.Round(time.Second))
}

// past is an attempt as the alarms count it.
type past struct {
	event     string // with its endpoint
	from, at  time.Duration
	ok, badly bool // badly: its signature was missing or wrong
}

type history struct {
	attempts []past // by their ends
	deadline time.Duration
	keyed    bool // whether signatures could be looked at
}

func alarmHistory(ctx context.Context, path, profile string) (*history, error) {
	kind, err := storedKind(path)
	if err != nil {
		return nil, err
	}
	var h *history
	switch kind {
	case kindEvidence:
		h, err = evidenceHistory(path)
	case kindJournal:
		h, err = journalHistory(ctx, path, profile)
	default:
		return nil, fmt.Errorf("%s is neither a journal nor evidence", path)
	}
	if err == nil && len(h.attempts) == 0 {
		err = fmt.Errorf("%s holds no attempts", path)
	}
	if err != nil {
		return nil, err
	}
	sortEnds(h)
	return h, nil
}

func sortEnds(h *history) {
	slices.SortStableFunc(h.attempts, func(a, b past) int { return cmp.Compare(a.at, b.at) })
}

func evidenceHistory(path string) (*history, error) {
	file, err := evidenceIn(path)
	if err != nil {
		return nil, err
	}
	run, c, err := runAndContract(file)
	if err != nil {
		return nil, err
	}
	stretched := func(d time.Duration) time.Duration { return time.Duration(int64(d) * int64(max(1, c.CompressedBy))) }
	h := &history{}
	if c.Schedule != nil {
		h.deadline = stretched(c.Schedule.Deadline)
	}
	var scheme *signature.Scheme
	if c.Signature != nil {
		if scheme, err = c.Signature.Lookup(); err != nil {
			return nil, err
		}
		h.keyed = true
	}
	for i := range run.Attempts {
		a := &run.Attempts[i]
		if !a.Handled() || a.Origin == evidence.OriginHarness || a.Outcome == nil {
			continue
		}
		one := endedAttempt(&a.Arrival, a.Outcome, stretched(a.FirstByte), stretched(max(a.FirstByte, a.Outcome.ReplyEnd, a.Outcome.Closed)))
		if scheme != nil {
			one.badly = badlySigned(run, &a.Arrival, scheme)
		}
		h.attempts = append(h.attempts, one)
	}
	return h, nil
}

func endedAttempt(a *evidence.Arrival, o *evidence.Outcome, from, at time.Duration) past {
	return past{event: a.Endpoint + "\x00" + a.Key, from: from, at: at, ok: o.End == evidence.EndComplete && o.Status/100 == 2}
}

// badlySigned tells whether none of the keys that were valid verifies a request. Keys that the sender issued are not in the
// evidence, which says which of them verify it.
func badlySigned(run *evidence.Run, a *evidence.Arrival, scheme *signature.Scheme) bool {
	src, err := arrivalSource(a)
	if err != nil || len(a.VerifiedBy) > 0 {
		return false
	}
	src.keyed(run, a)
	return len(src.keys) > 0 && len(scheme.Verifies(src.req, src.keys...)) == 0
}

// journalPage is how many requests are read at once, without their bodies.
const journalPage = 1000

func journalHistory(ctx context.Context, path, profile string) (_ *history, err error) {
	c, err := effectiveContract(profile, 1)
	if err != nil {
		return nil, err
	}
	h := &history{}
	if c.Schedule != nil {
		h.deadline = c.Schedule.Deadline
	}
	j, err := journal.Open(ctx, path, journal.Normal)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	var start time.Time
	for after := int64(0); ; {
		rows, err := j.Attempts(ctx, journal.Query{After: after, Limit: journalPage, MaxBody: -1})
		if err != nil || len(rows) == 0 {
			return h, j.Trouble(err)
		}
		for i := range rows {
			a := &rows[i]
			after = a.Seq
			if start.IsZero() {
				start = a.Wall
			}
			if !a.Handled() || a.Origin == evidence.OriginHarness || a.Outcome == nil {
				continue
			}
			from := a.Wall.Sub(start)
			took := max(0, a.Outcome.ReplyEnd-a.FirstByte, a.Outcome.Closed-a.FirstByte)
			h.attempts = append(h.attempts, endedAttempt(&a.Arrival, a.Outcome, from, from+took))
		}
	}
}

// mostMinutes bounds the minutes that are looked at one by one, a month; a longer journal is looked at in larger steps.
const mostMinutes = 31 * 24 * 60

// evaluate goes through the history in steps of a minute and evaluates the alarms after each.
func (h *history) evaluate() []seenAlarm {
	start, end := h.attempts[0].from, h.attempts[len(h.attempts)-1].at
	step := max(time.Minute, (end-start)/mostMinutes)
	open := map[string]time.Duration{} // events whose last attempt failed, with their first
	counts := &alarm.Series{}
	status := alarm.Status{Since: start, LastSuccess: -1, Counts: counts}
	var seen []seenAlarm
	next := 0
	for now := start; ; now += step {
		now = min(now, end)
		for ; next < len(h.attempts) && h.attempts[next].at <= now; next++ {
			h.count(h.attempts[next], open, &status)
		}
		status.Now = now
		status.Backlog, status.GivenUp = h.waiting(open, now)
		seen = merge(seen, alarm.Evaluate(status), now-start)
		if now == end {
			break
		}
	}
	for i := range seen {
		if seen[i].Name == alarm.SignatureFailures && !h.keyed {
			seen[i] = seenAlarm{Alarm: alarm.Alarm{
				Name: seen[i].Name, State: alarm.Unknown, Fires: seen[i].Fires, Because: "there are no keys to verify with",
			}}
		}
	}
	return seen
}

func (h *history) count(a past, open map[string]time.Duration, s *alarm.Status) {
	c := alarm.Counts{Failures: 1}
	if a.ok {
		c = alarm.Counts{Successes: 1}
		s.LastSuccess = a.at
		delete(open, a.event)
	} else if _, known := open[a.event]; !known {
		open[a.event] = a.from
	}
	if a.badly {
		c.BadSignatures = 1
	}
	s.Counts.Add(a.at, c)
}

// waiting counts the events that may still be retried, and those whose window is over.
func (h *history) waiting(open map[string]time.Duration, now time.Duration) (backlog, givenUp int) {
	for _, first := range open {
		if h.deadline > 0 && now-first > h.deadline {
			givenUp++
		} else {
			backlog++
		}
	}
	return backlog, givenUp
}

func merge(seen []seenAlarm, now []alarm.Alarm, at time.Duration) []seenAlarm {
	if seen == nil {
		seen = make([]seenAlarm, len(now))
	}
	for i, a := range now {
		seen[i].Alarm = a
		if a.State == alarm.Firing {
			if seen[i].Fired == 0 {
				seen[i].FirstFired = at
			}
			seen[i].Fired++
		}
	}
	return seen
}
