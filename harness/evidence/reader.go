package evidence

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
)

// ErrAltered is wrapped by the errors of Read for a file that is not what a Writer wrote: a count or digest of the footer
// is wrong, a line is not a record, or lines are missing from the middle. A file that merely ends early is no error.
var ErrAltered = errors.New("evidence was altered")

// errNoEvidence is for a file whose first line is no record at all. Who names the file puts its name before it.
var errNoEvidence = errors.New("is not an evidence file: its first line is no record; name the evidence.ndjson of a run")

// Read reads an evidence file. A file cut short, even in the middle of its last line, gives the Run of what is there, with a
// nil Footer. The errors are those of r, a file that does not begin as evidence does, an unknown schema, and ErrAltered with
// the line where the file stops making sense.
func Read(r io.Reader) (*Run, error) {
	d := newDecoder()
	if err := d.read(r); err != nil {
		return nil, err
	}
	return d.b.run(), nil
}

func newDecoder() *decoder {
	return &decoder{b: newBuilder(), digest: sha256.New(), counts: map[Kind]int{}}
}

func (d *decoder) read(r io.Reader) error {
	in := bufio.NewReaderSize(r, 1<<16) // most records are below 2 KiB; larger ones only cost a copy
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read evidence: %w", err)
		}
		if err != nil { // what follows the last line end was cut in the writing, if there is anything
			return d.finish(line)
		}
		if err := d.line(line); err != nil {
			return err
		}
	}
}

type decoder struct {
	b      builder
	n      int
	digest hash.Hash
	counts map[Kind]int
	size   int64 // of the lines before the footer
	footer *Footer
}

func (d *decoder) line(line []byte) error {
	d.n++
	if d.footer != nil {
		return d.altered("there is more after the footer")
	}
	rec, err := decode(line)
	if err != nil && d.n == 1 {
		return errNoEvidence
	}
	if err != nil {
		return d.altered(err.Error())
	}
	m := rec.meta()
	if m.N != d.n {
		return d.altered(fmt.Sprintf("record says that it is number %d; lines are missing or were moved", m.N))
	}
	h, isHeader := rec.(*Header)
	switch {
	case d.n == 1 && !isHeader:
		return d.altered("the first record is not a header")
	case d.n > 1 && isHeader:
		return d.altered("a second header")
	case isHeader && h.Schema != Schema:
		return fmt.Errorf("evidence line 1: schema %q; this version reads %q", h.Schema, Schema)
	}
	if f, ok := rec.(*Footer); ok {
		if err := d.check(f); err != nil {
			return err
		}
	}
	if d.footer == nil { // which counts nothing of itself
		d.counts[m.Kind]++
		d.digest.Write(line) // a hash never returns an error
		d.size += int64(len(line))
	}
	if err := d.b.add(rec); err != nil {
		return d.altered(err.Error())
	}
	return nil
}

func (d *decoder) check(f *Footer) error {
	if !maps.Equal(f.Counts, d.counts) {
		return d.altered(fmt.Sprintf("the footer counts %v, the file holds %v", f.Counts, d.counts))
	}
	if got := hex.EncodeToString(d.digest.Sum(nil)); got != f.SHA256 {
		return d.altered(fmt.Sprintf("the footer's digest is %.12s…, that of the file is %.12s…", f.SHA256, got))
	}
	d.footer = f
	return nil
}

func (d *decoder) finish(rest []byte) error {
	if len(bytes.TrimSpace(rest)) > 0 && d.footer != nil {
		d.n++
		return d.altered("there is more after the footer")
	}
	if d.n == 0 {
		return errNoEvidence
	}
	return nil
}

func (d *decoder) altered(why string) error {
	return fmt.Errorf("evidence line %d: %s: %w", d.n, why, ErrAltered)
}

func decode(line []byte) (Record, error) {
	var m Meta
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, fmt.Errorf("not a record: %w", err)
	}
	rec := empty(m.Kind)
	if rec == nil {
		return nil, fmt.Errorf("unknown kind of record %q", m.Kind)
	}
	if err := json.Unmarshal(line, rec); err != nil {
		return nil, fmt.Errorf("%s record: %w", m.Kind, err)
	}
	return rec, nil
}

func empty(k Kind) Record {
	switch k {
	case KindHeader:
		return &Header{}
	case KindScenario:
		return &Scenario{}
	case KindEndpoint:
		return &Endpoint{}
	case KindAct:
		return &Act{}
	case KindArrival:
		return &Arrival{}
	case KindOutcome:
		return &Outcome{}
	case KindEffect:
		return &Effect{}
	case KindLog:
		return &LogEntry{}
	case KindDeadLetter:
		return &DeadLetter{}
	case KindOutput:
		return &Output{}
	case KindNoise:
		return &Noise{}
	case KindTrouble:
		return &Trouble{}
	case KindConnection:
		return &Connection{}
	case KindFooter:
		return &Footer{}
	}
	return nil
}
