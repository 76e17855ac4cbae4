package accept

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Source says how to read a log.
type Source struct {
	Format  Format
	Columns Map
	// Latest is how many events are taken: those whose first attempt is the latest.
	Latest int
	// Expected are the events that must be there, by id and, where the log tells endpoints apart, endpoint; the last Latest of them are
	// taken, and no others. Empty: whatever is in the log.
	Expected []Name
}

// Name names an event at an endpoint, which may be empty.
type Name struct{ ID, Endpoint string }

// Log is what was read of a log.
type Log struct {
	Rows, All int // how many rows and how many events there are in all
	// Events are those that were taken, oldest first.
	Events []Event
	// States, Reasons and Replays tell whether the log says them: what it does not say is not held against it.
	States, Reasons, Replays bool
}

// maxEvents bounds the events of a log: some 50 bytes are kept of each.
const maxEvents = 20_000_000

// Import reads a log twice: to find the latest events, then all their rows, which may lie anywhere. Its memory is that of one
// number for each event and of the rows that are taken. An error names the line.
func Import(r io.ReadSeeker, s Source) (*Log, error) {
	if s.Latest < 1 {
		return nil, errors.New("at least one event must count")
	}
	s.Expected = lastOf(s.Expected, s.Latest)
	p := picker{seed: maphash.MakeSeed(), firsts: map[uint64]first{}}
	p.byID = len(s.Expected) > 0 && !slices.ContainsFunc(s.Expected, func(n Name) bool { return n.Endpoint != "" })
	log := &Log{}
	err := each(r, s, func(_ rows, row *row) error {
		log.Rows++
		return p.note(row, log.Rows)
	})
	if err != nil {
		return nil, err
	}
	log.All = len(p.firsts)
	taken := p.latest(s.Latest)
	if len(s.Expected) > 0 {
		taken = p.wanted(s.Expected)
	}
	g := gatherer{p: &p, taken: taken, events: make([]gathered, len(taken)), log: log}
	if err := each(r, s, g.add); err != nil {
		return nil, err
	}
	if log.Rows > 0 && !g.tells {
		return nil, errors.New("no row has a status or a state, so nothing says what was delivered; say with --columns status=NAME where it is")
	}
	g.finish(s.Expected)
	return log, nil
}

// lastOf returns the last n names, each once.
func lastOf(names []Name, n int) []Name {
	seen := map[Name]bool{}
	var out []Name
	for _, name := range slices.Backward(names) {
		if !seen[name] && len(out) < n {
			seen[name] = true
			out = append(out, name)
		}
	}
	slices.Reverse(out)
	return out
}

// each reads the log from its start.
func each(r io.ReadSeeker, s Source, do func(rows, *row) error) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	rs, err := open(s.Format, r, s.Columns)
	if err != nil {
		return err
	}
	var row row
	for {
		err := rs.next(&row)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(rs, &row)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", rs.line(), err)
		}
	}
}

// first is the first attempt of an event.
type first struct {
	at    int64 // Unix time in ns, or the number of its row where the log has no times
	order int   // number of the row in which the event was met first
}

type picker struct {
	seed   maphash.Seed
	firsts map[uint64]first
	byID   bool // events are told apart by their ids alone
	text   []byte
}

// hash stands for an event: two of a million events share one once in forty million logs.
func (p *picker) hash(id, endpoint string) uint64 {
	if p.byID {
		endpoint = ""
	}
	p.text = append(append(append(p.text[:0], id...), 0), endpoint...)
	return maphash.Bytes(p.seed, p.text)
}

func (p *picker) note(r *row, n int) error {
	if r.event == "" {
		return errors.New("has no event id; say with --columns event=NAME where it is")
	}
	at := int64(n)
	if r.at != "" {
		t, err := instant(r.at)
		if err != nil {
			return err
		}
		at = t.UnixNano()
	}
	key := p.hash(r.event, r.endpoint)
	f, known := p.firsts[key]
	switch {
	case !known && len(p.firsts) >= maxEvents:
		return fmt.Errorf("there are over %d events; give the end of the log", maxEvents)
	case !known:
		p.firsts[key] = first{at, n}
	case at < f.at:
		p.firsts[key] = first{at, f.order}
	}
	return nil
}

// latest returns the place of each of the latest n events, oldest first.
func (p *picker) latest(n int) map[uint64]int {
	h := &firsts{}
	for key, f := range p.firsts {
		if h.Len() < n {
			heap.Push(h, keyed{key, f})
		} else if (*h)[0].before(keyed{key, f}) {
			(*h)[0] = keyed{key, f}
			heap.Fix(h, 0)
		}
	}
	slices.SortFunc(*h, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	places := make(map[uint64]int, len(*h))
	for i, k := range *h {
		places[k.key] = i
	}
	return places
}

func (p *picker) wanted(names []Name) map[uint64]int {
	places := make(map[uint64]int, len(names))
	for i, n := range names {
		places[p.hash(n.ID, n.Endpoint)] = i
	}
	return places
}

type keyed struct {
	key uint64
	first
}

func (k keyed) before(o keyed) bool { return k.at < o.at || k.at == o.at && k.order < o.order }

// firsts is a heap with the oldest on top.
type firsts []keyed

func (f firsts) Len() int           { return len(f) }
func (f firsts) Less(i, j int) bool { return f[i].before(f[j]) }
func (f firsts) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }

// Push implements heap.Interface.
func (f *firsts) Push(x any) { *f = append(*f, x.(keyed)) } //nolint:errcheck,forcetypeassert // ours alone

// Pop implements heap.Interface; nothing is ever taken off.
func (f *firsts) Pop() any { return nil }

// gathered is an event whose rows are being read.
type gathered struct {
	name   Name
	rows   []said
	state  string
	told   said // the row that says the state, where it says no more
	reason string
}

// said is what one row says of an attempt.
type said struct {
	at      time.Time
	status  int
	attempt int
	replay  bool
}

type gatherer struct {
	p      *picker
	taken  map[uint64]int
	events []gathered
	log    *Log
	n      int
	tells  bool // whether the log says what became of attempts or events
}

func (g *gatherer) add(rs rows, r *row) error {
	g.n++
	g.tells = g.tells || rs.has(ColumnStatus) || rs.has(ColumnState)
	g.log.States, g.log.Reasons, g.log.Replays = rs.has(ColumnState), rs.has(ColumnReason), rs.has(ColumnReplay)
	i, ok := g.taken[g.p.hash(r.event, r.endpoint)]
	if !ok {
		return nil
	}
	e := &g.events[i]
	e.name = Name{r.event, r.endpoint}
	s := said{at: time.Unix(int64(g.n), 0)}
	var err [4]error
	if r.at != "" {
		s.at, _ = instant(r.at) // the first reading has read it
	}
	s.status, err[0] = status(r.status)
	s.attempt, err[1] = attemptNumber(r.attempt)
	s.replay, err[2] = yes(r.replay)
	var st string
	st, err[3] = state(r.state)
	if err := errors.Join(err[:]...); err != nil {
		return err
	}
	if st != "" {
		e.state = st
	}
	if r.reason != "" {
		e.reason = r.reason
	}
	// A row that only says a state is no attempt.
	if r.status != "" || r.attempt != "" || r.state == "" {
		if len(e.rows) >= 2*mostAttempts {
			return fmt.Errorf("event %s has over %d rows; is %q the column of its id?", short(r.event), 2*mostAttempts, r.event)
		}
		e.rows = append(e.rows, s)
	} else {
		e.told = s
	}
	return nil
}

func (g *gatherer) finish(expected []Name) {
	for i := range g.events {
		e := &g.events[i]
		if e.name == (Name{}) && i < len(expected) {
			e.name = expected[i]
		}
		g.log.Events = append(g.log.Events, e.event())
	}
}

func answered(rows []said) bool {
	return slices.ContainsFunc(rows, func(s said) bool { return s.status != 0 })
}

func (e *gathered) event() Event {
	out := Event{Endpoint: e.name.Endpoint, ID: e.name.ID}
	if e.state == evidence.StateDelivered && len(e.rows) == 0 {
		e.rows = []said{e.told} // a log of events, not of attempts: what was delivered had one that succeeded
	}
	slices.SortStableFunc(e.rows, func(a, b said) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.attempt, b.attempt)) })
	last, own := 0, 0
	for _, s := range e.rows {
		if s.replay {
			out.Replays = append(out.Replays, s.at)
		} else {
			for own++; own < s.attempt; own++ { // it was made, and is not told of
				out.Attempts = append(out.Attempts, Attempt(s.at, 0))
			}
			last = s.status
		}
		out.Attempts = append(out.Attempts, Attempt(s.at, s.status))
	}
	if n := len(out.Attempts); e.state == evidence.StateDelivered && n > 0 && !answered(e.rows) {
		out.Attempts[n-1] = Attempt(e.rows[len(e.rows)-1].at, http.StatusOK) // the log knows no statuses
	}
	if e.state == evidence.StateDead || e.reason != "" && e.state == "" {
		out.Dead = &evidence.DeadLetter{Reason: e.reason, Attempts: own, LastStatus: last}
	}
	return out
}
