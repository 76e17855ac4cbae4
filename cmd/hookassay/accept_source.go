package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/accept"
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// Kinds of file beside the forms of logs.
const (
	kindJournal  = "journal"
	kindEvidence = "evidence"
)

// kindOf tells a file by its beginning, and a log by its name.
func (f *acceptFlags) kindOf(path string) (string, error) {
	if f.format != "" {
		return f.format, nil // the reader of logs says it if it is none
	}
	head, err := storedKind(path)
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case err != nil || head != "":
		return head, err
	case ext == ".csv":
		return string(accept.CSV), nil
	case ext == ".ndjson" || ext == ".jsonl":
		return string(accept.NDJSON), nil
	}
	return "", fmt.Errorf("%s is neither a journal nor evidence, and its name does not say what log it is; say --format csv or ndjson", path)
}

// storedKind tells a journal and evidence by their beginning; empty: neither.
func storedKind(path string) (string, error) {
	file, err := evidenceIn(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(file); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return "", fmt.Errorf("%s: is a pipe, of which a look at its beginning would take that away; say --format csv or ndjson, or write it to a file", path)
	}
	head, err := readUpTo(file, 64)
	switch {
	case err != nil:
		return "", unreadable(err, "name a journal, evidence or a log")
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return kindJournal, nil
	case bytes.HasPrefix(head, []byte(`{"n":1,"kind":"header"`)) || file != path:
		return kindEvidence, nil
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return "", fmt.Errorf("%s is packed by gzip; unpack it first", path)
	}
	return "", nil
}

func (f *acceptFlags) fromFile(path string, format accept.Format) (*tallied, error) {
	m, err := f.byContract()
	if err != nil {
		return nil, err
	}
	columns, err := accept.ParseMap(f.columns)
	if err != nil {
		return nil, fmt.Errorf("--columns: %w", err)
	}
	expected, err := f.expected()
	if err != nil {
		return nil, err
	}
	src, err := openEvidence(path)
	if err != nil {
		return nil, err
	}
	defer src.close()
	log, err := accept.Import(src.file, accept.Source{Format: format, Columns: columns, Latest: m.last, Expected: expected})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := &tallied{sample: m.last, Source: path, Rows: log.Rows, All: max(log.All, len(expected)), Contract: m.c.Name}
	t.Acceptance = countNamed(m, log.Events)
	return t.tally(log.Reasons, log.Replays), nil
}

// countNamed counts events and puts their ids where their places stand.
func countNamed(m accepting, events []accept.Event) *judge.Acceptance {
	a := accept.Count(m.c, events)
	name := func(id string) string {
		n, ok := accept.Place(id, events)
		switch {
		case !ok:
			return id
		case events[n].Endpoint != "":
			return events[n].ID + " at " + events[n].Endpoint
		}
		return events[n].ID
	}
	for i := range a.MissingIDs {
		a.MissingIDs[i] = name(a.MissingIDs[i])
	}
	for i := range a.DeadLetters {
		a.DeadLetters[i].ID = name(a.DeadLetters[i].ID)
	}
	return a
}

func (f *acceptFlags) fromEvidence(path string) (*tallied, error) {
	file, err := evidenceIn(path)
	if err != nil {
		return nil, err
	}
	run, c, err := runAndContract(file)
	if err != nil {
		return nil, err
	}
	m := f.measured(c)
	t := &tallied{sample: m.last, Source: file, Contract: c.Name, Acceptance: judge.Accept(m.c, run)}
	if t.Acceptance == nil {
		return nil, fmt.Errorf("%s holds no events of an acceptance scenario; play one with --select 'acceptance/*'", file)
	}
	t.All = t.Acceptance.Events
	t.tally(len(run.DeadLetters) > 0, len(run.DeadLetters) > 0)
	if !run.Complete() { // what is pending may have been delivered later, and more events may have followed
		t.CutShort, t.Verdict = true, acceptUnknown
	}
	return t, nil
}

// runAndContract reads evidence, with its contract.
func runAndContract(path string) (*evidence.Run, *contract.Contract, error) {
	src, err := openEvidence(path)
	if err != nil {
		return nil, nil, err
	}
	defer src.close()
	run, err := src.read()
	if err != nil {
		return nil, nil, err
	}
	c, err := contract.Parse("the contract in "+path, []byte(run.Header.Contract))
	return run, c, err
}

func (f *acceptFlags) fromJournal(ctx context.Context, path string) (*tallied, error) {
	m, err := f.byContract()
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(ctx, path, journal.Normal)
	if err != nil {
		return nil, err
	}
	events, err := journal.LastEvents(ctx, j, f.endpoint, m.last)
	lost := 0
	if err == nil {
		lost, err = lostRecords(ctx, j)
	}
	if err := errors.Join(j.Trouble(err), j.Close()); err != nil {
		return nil, err
	}
	got := accepted(m.c, lastSeen(events), events)
	a := got.Acceptance
	for _, e := range got.PendingEvents {
		a.MissingIDs = append(a.MissingIDs, e.ID+" at "+e.Endpoint)
	}
	for _, d := range got.DeadLetters {
		a.DeadLetters = append(a.DeadLetters, judge.AcceptanceDeadLetter{
			ID: d.ID + " at " + d.Endpoint, Reason: d.Reason, Attempts: d.Attempts, LastStatus: d.LastStatus,
		})
	}
	t := &tallied{sample: m.last, Source: path, All: len(events), Contract: m.c.Name, Acceptance: a, Lost: lost}
	return t.tally(false, false), nil // a receiver alone knows of no reason of the sender's
}

// lostRecords is how many records the receiver could not keep, as on a disk that was full.
func lostRecords(ctx context.Context, j *journal.Journal) (lost int, err error) {
	for after := int64(0); ; {
		troubles, next, err := j.Troubles(ctx, after, journalPage)
		for _, t := range troubles {
			lost += t.Lost
		}
		if err != nil || next == 0 {
			return lost, err
		}
		after = next
	}
}

// lastSeen is the time of the last request: a journal is read as of its end, whenever that is.
func lastSeen(events [][]journal.Attempt) time.Time {
	var last time.Time
	for _, attempts := range events {
		for i := range attempts {
			if attempts[i].Wall.After(last) {
				last = attempts[i].Wall
			}
		}
	}
	return last
}

// maxExpected bounds the file of --expect.
const maxExpected = 1_000_000

// expected reads the file of --expect: an id in each line, and an endpoint after it.
func (f *acceptFlags) expected() ([]accept.Name, error) {
	if f.expect == "" {
		return nil, nil
	}
	file, err := os.Open(f.expect)
	if err != nil {
		return nil, fmt.Errorf("--expect: %w", err)
	}
	defer file.Close() //nolint:errcheck // opened for reading
	return expectedIn(f.expect, file)
}

func expectedIn(name string, r io.Reader) ([]accept.Name, error) {
	var out []accept.Name
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 0:
			continue
		case len(fields) > 2:
			return nil, fmt.Errorf("--expect: %s:%d: write an event id, and an endpoint after it if need be", name, n)
		case len(out) == maxExpected:
			return nil, fmt.Errorf("--expect: %s has over %d lines", name, maxExpected)
		}
		out = append(out, accept.Name{ID: fields[0], Endpoint: strings.Join(fields[1:], "")})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--expect: %s: %w", name, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--expect: %s holds no ids", name)
	}
	return out, nil
}
