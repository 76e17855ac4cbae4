package evidence

import (
	"hash"
	"io"
	"time"
)

// Unfinished is a file whose run is to be gone on with.
type Unfinished struct {
	// Run is what the file holds.
	Run *Run
	// Size is how many bytes of the file stay, from its beginning: all but the footer, or a last line that was cut. Who goes on cuts the
	// file there first.
	Size int64

	b      builder
	n      int
	counts map[Kind]int
	digest hash.Hash
}

// ReadUnfinished reads a file as Read does, so that it can be gone on with.
func ReadUnfinished(r io.Reader) (*Unfinished, error) {
	d := newDecoder()
	if err := d.read(r); err != nil {
		return nil, err
	}
	u := &Unfinished{Run: d.b.run(), Size: d.size, b: d.b, n: d.n, counts: d.counts, digest: d.digest}
	if d.footer != nil {
		u.n--
		u.b.r.Footer = nil
	}
	return u, nil
}

// Recorder goes on with the records on w, which writes behind the first Size bytes of the file. It is to be called once.
func (u *Unfinished) Recorder(w io.Writer) *Recorder {
	return &Recorder{w: &Writer{w: w, n: u.n, counts: u.counts, digest: u.digest}, b: u.b}
}

// Last is the latest instant that a record of the run tells of.
func (r *Run) Last() time.Duration {
	var last time.Duration
	see := func(at time.Duration) { last = max(last, at) }
	for i := range r.Scenarios {
		see(max(r.Scenarios[i].WatchUntil, r.Scenarios[i].Ended))
	}
	for i := range r.Acts {
		see(r.Acts[i].Returned)
	}
	for i := range r.Attempts {
		a := &r.Attempts[i]
		see(max(a.FirstByte, a.BodyEnd))
		if o := a.Outcome; o != nil {
			see(max(o.ReplyEnd, o.Closed))
		}
	}
	for i := range r.Connections {
		see(r.Connections[i].Closed)
	}
	for i := range r.Logs {
		see(r.Logs[i].Read)
	}
	for i := range r.Output {
		see(r.Output[i].At)
	}
	for i := range r.Noise {
		n := &r.Noise[i]
		see(n.From + time.Duration(len(n.LateUS)-1)*n.Step)
	}
	if r.Footer != nil {
		see(r.Footer.Ended)
	}
	return last
}

// Interruption is a stretch in which nothing listened, since the run was interrupted.
type Interruption struct {
	From, To time.Duration
	// N is the record of its beginning, and Why says what it was.
	N   int
	Why string
}

// Interruptions lists the stretches that are over.
func (r *Run) Interruptions() []Interruption {
	var out []Interruption
	var open *Interruption
	for i := range r.Acts {
		switch a := &r.Acts[i]; {
		case a.Scenario != "" || a.Endpoint != "":
		case a.Act == ActDown:
			open = &Interruption{From: a.Called, N: a.N, Why: a.Note}
		case a.Act == ActUp && open != nil:
			open.To = a.Returned
			out, open = append(out, *open), nil
		}
	}
	return out
}
