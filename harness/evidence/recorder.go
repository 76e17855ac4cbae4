package evidence

import (
	"sync"
	"time"
)

// Recorder writes records to a file as they come and keeps them as a Run. It is safe for concurrent use.
type Recorder struct {
	mu  sync.Mutex
	w   *Writer
	b   builder
	err error
}

// NewRecorder returns a Recorder whose first record is h.
func NewRecorder(w *Writer, h *Header) (*Recorder, error) {
	r := &Recorder{w: w, b: newBuilder()}
	h.Schema = Schema
	if err := r.Add(h); err != nil {
		return nil, err
	}
	return r, nil
}

// Add numbers rec, writes it and keeps it. A record that could not be written is not kept either: what is judged is what
// the file says. The first error is also what Close returns.
func (r *Recorder) Add(rec Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.w.Write(rec); err != nil {
		if r.err == nil {
			r.err = err
		}
		return err
	}
	return r.b.add(rec)
}

// Run returns what was recorded so far. The slices are the caller's; what records point to is shared and must not be changed.
func (r *Recorder) Run() *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.run()
}

// Close writes the footer and returns the whole run. The error is the first that any write met.
func (r *Recorder) Close(ended time.Duration, interrupted string) (*Run, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, err := r.w.Close(ended, interrupted)
	if r.err == nil {
		r.err = err
	}
	if f != nil {
		if err := r.b.add(f); err != nil && r.err == nil {
			r.err = err
		}
	}
	return r.b.run(), r.err
}
