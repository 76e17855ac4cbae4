package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"time"
)

// Writer writes records as lines of JSON. It is not safe for concurrent use; Recorder is.
type Writer struct {
	w      io.Writer
	n      int
	counts map[Kind]int
	digest hash.Hash
	closed bool
}

// NewWriter returns a Writer on w. The caller closes w, after Close of the Writer.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, counts: map[Kind]int{}, digest: sha256.New()}
}

// errClosed is what a write after the footer gets: a line behind the footer would make the file invalid.
var errClosed = errors.New("evidence is closed: its footer is written")

// Write numbers rec and writes it as one line, in one call of the underlying Write.
func (w *Writer) Write(rec Record) error {
	if w.closed {
		return errClosed
	}
	m := rec.meta()
	m.N, m.Kind = w.n+1, rec.kind()
	line, err := encode(rec)
	if err != nil {
		return fmt.Errorf("evidence record %d: %w", m.N, err)
	}
	if _, err := w.w.Write(line); err != nil {
		return fmt.Errorf("write evidence record %d: %w", m.N, err)
	}
	w.n++
	w.counts[m.Kind]++
	w.digest.Write(line)
	return nil
}

// Close writes the footer. interrupted says why the run stopped early; it is empty for a run that came to its end.
func (w *Writer) Close(ended time.Duration, interrupted string) (*Footer, error) {
	f := &Footer{
		Ended:       ended,
		Interrupted: interrupted,
		Counts:      maps.Clone(w.counts),
		SHA256:      hex.EncodeToString(w.digest.Sum(nil)),
	}
	if err := w.Write(f); err != nil {
		return nil, err
	}
	w.closed = true
	return f, nil
}

// encode returns v as a line of JSON.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	// Payloads are full of <, > and &; escaping them would only make the evidence harder to read.
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
