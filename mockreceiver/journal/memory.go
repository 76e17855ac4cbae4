package journal

import (
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Limits of a Memory where none are given.
const (
	// DefaultMemoryRecords is above what a person looks through and a test asks for; at 88 bytes each their index is 9 MB.
	DefaultMemoryRecords = 100_000
	// DefaultMemoryBytes holds some 16 000 webhooks of a usual size with their heads.
	DefaultMemoryBytes = 32 << 20

	chunkSize = 1 << 20
	// maxTroubles bounds the troubles that are kept: one per request that met one, at the rate of a flood, says no more.
	// It bounds the connections without a request as well.
	maxTroubles = 1000
)

// Memory keeps what a receiver received and did in memory, within bounds. When it is full it drops the oldest and counts what
// it dropped. Its methods are safe for concurrent use. The zero value keeps nothing; use NewMemory.
type Memory struct {
	maxRecords int
	maxBytes   int64
	seed       maphash.Seed

	mu       sync.Mutex
	entries  []entry // a ring: the oldest at head
	head     int
	count    int
	first    int64   // Seq of the oldest entry
	chunks   []chunk // the oldest first
	dropped  int     // chunks dropped before chunks[0]
	spare    []byte  // a dropped chunk, to be used again
	bytes    int64
	names    map[string]uint32 // of endpoints
	troubles recent[evidence.Trouble]
	// connections are those without a request.
	connections recent[evidence.Connection]
	lost        int64
}

// entry is where a request's records are. It holds no pointer, so that a hundred thousand cost the garbage collector nothing.
type entry struct {
	endpoint          uint32 // 0: forgotten
	attempt           int32
	key               uint64 // hash
	arrival           span
	keyLen, recordLen uint32
	headLen, bodyLen  uint32 // a body is 32 MiB at most by default, and 4 GiB in no machine that keeps it in memory
	outcome, effect   span
}

// span is a stretch of one chunk; length 0: none.
type span struct {
	chunk  uint32 // counted from the first chunk ever
	at     uint32
	length uint32
}

type chunk struct{ b []byte }

// recent holds the newest of some records, each with its number from 1.
type recent[T any] struct {
	list []T
	last int64 // number of the newest
}

// add keeps one more. It returns how many it dropped for that.
func (r *recent[T]) add(v T) (dropped int64) {
	r.last++
	r.list = append(r.list, v)
	if len(r.list) > maxTroubles {
		dropped = 1
		r.list = append(r.list[:0], r.list[1:]...)
	}
	return dropped
}

// page returns at most limit of those beyond after; next is 0 if there are no further ones.
func (r *recent[T]) page(after int64, limit int) (list []T, next int64) {
	first := r.last - int64(len(r.list)) + 1
	from := min(max(after+1-first, 0), int64(len(r.list)))
	to := min(from+int64(limit), int64(len(r.list)))
	if to < int64(len(r.list)) {
		next = first + to - 1
	}
	return append([]T{}, r.list[from:to]...), next
}

// NewMemory returns a journal in memory that holds at most so many requests, and bytes of them.
func NewMemory(maxRecords int, maxBytes int64) *Memory {
	return &Memory{maxRecords: maxRecords, maxBytes: maxBytes, seed: maphash.MakeSeed(), names: map[string]uint32{}, first: 1}
}

// Add keeps a record; it copies what it keeps. An arrival must have the Seq that follows the last one's. It returns how many
// requests had to be dropped for it. A record of a request that was dropped is dropped as well, and counted with it.
func (m *Memory) Add(row Row) (dropped int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.lost
	switch r := row.Record.(type) {
	case *evidence.Arrival:
		err = m.addArrival(r, row.Text)
	case *evidence.Outcome:
		m.attach(r.Of, row.Text, func(e *entry) *span { return &e.outcome })
	case *evidence.Effect:
		m.attach(r.Of, row.Text, func(e *entry) *span { return &e.effect })
	case *evidence.Trouble:
		m.lost += m.troubles.add(*r)
	case *evidence.Connection:
		m.lost += m.connections.add(*r)
	default:
		err = fmt.Errorf("record %T: has no place in the journal", r)
	}
	return m.lost - before, err
}

func (m *Memory) addArrival(a *evidence.Arrival, text []byte) error {
	if a.Seq != m.first+int64(m.count) {
		return fmt.Errorf("arrival %d: the one after %d is due", a.Seq, m.first+int64(m.count)-1)
	}
	parts := [][]byte{[]byte(a.Key), text, a.Head, a.Body}
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	for m.count > 0 && m.count >= m.maxRecords {
		m.drop()
	}
	e := entry{
		endpoint: m.name(a.Endpoint), attempt: int32(a.Attempt), key: maphash.String(m.seed, a.Key), //nolint:gosec // attempts are counted from 1
		keyLen: uint32(len(a.Key)), recordLen: uint32(len(text)), headLen: uint32(len(a.Head)), bodyLen: uint32(len(a.Body)), //nolint:gosec // see entry
		arrival: m.store(size, parts...),
	}
	m.push(e)
	for m.bytes > m.maxBytes && m.count > 1 {
		m.drop()
	}
	return nil
}

// name numbers an endpoint, from 1.
func (m *Memory) name(endpoint string) uint32 {
	if m.names[endpoint] == 0 {
		m.names[endpoint] = uint32(len(m.names)) + 1 //nolint:gosec // nobody has four billion endpoints
	}
	return m.names[endpoint]
}

func (m *Memory) attach(seq int64, text []byte, where func(*entry) *span) {
	e := m.at(seq)
	if e == nil {
		return // it was dropped with its request, or forgotten
	}
	*where(e) = m.store(len(text), text)
	for m.bytes > m.maxBytes && m.count > 1 {
		m.drop()
	}
}

// store appends the parts to the newest chunk.
func (m *Memory) store(size int, parts ...[]byte) span {
	if n := len(m.chunks); n == 0 || cap(m.chunks[n-1].b)-len(m.chunks[n-1].b) < size {
		m.grow(size)
	}
	last := &m.chunks[len(m.chunks)-1]
	s := span{chunk: uint32(m.dropped + len(m.chunks) - 1), at: uint32(len(last.b)), length: uint32(size)} //nolint:gosec // see entry
	for _, p := range parts {
		last.b = append(last.b, p...)
	}
	return s
}

func (m *Memory) grow(size int) {
	b := m.spare
	m.spare = nil
	if size > cap(b) {
		b = make([]byte, 0, max(size, min(chunkSize, int(m.maxBytes/8))))
	}
	m.chunks = append(m.chunks, chunk{b[:0]})
	m.bytes += int64(cap(b))
}

// drop forgets the oldest request, and the chunks that only older ones have something in.
func (m *Memory) drop() {
	if m.entries[m.head].endpoint != 0 {
		m.lost++
	}
	m.head = (m.head + 1) % len(m.entries)
	m.count--
	m.first++
	keep := uint32(m.dropped + len(m.chunks) - 1) //nolint:gosec // see entry
	if m.count > 0 {
		keep = m.entries[m.head].arrival.chunk
	}
	for uint32(m.dropped) < keep { //nolint:gosec // see entry
		b := m.chunks[0].b
		m.bytes -= int64(cap(b))
		if cap(b) <= chunkSize {
			m.spare = b[:0]
		}
		m.chunks = m.chunks[1:]
		m.dropped++
	}
}

func (m *Memory) push(e entry) {
	if m.count == len(m.entries) {
		grown := make([]entry, max(1024, min(2*len(m.entries), m.maxRecords+1)))
		for i := range m.count {
			grown[i] = *m.nth(i)
		}
		m.entries, m.head = grown, 0
	}
	m.entries[(m.head+m.count)%len(m.entries)] = e
	m.count++
}

func (m *Memory) nth(i int) *entry { return &m.entries[(m.head+i)%len(m.entries)] }

// at is the entry of a request; nil if it was dropped or forgotten.
func (m *Memory) at(seq int64) *entry {
	i := seq - m.first
	if i < 0 || i >= int64(m.count) || m.nth(int(i)).endpoint == 0 {
		return nil
	}
	return m.nth(int(i))
}

func (m *Memory) text(s span) []byte {
	return m.chunks[int(s.chunk)-m.dropped].b[s.at : s.at+s.length]
}

// Forget drops what is held of an endpoint. It is not counted as lost.
func (m *Memory) Forget(endpoint string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	number := m.names[endpoint]
	for i := range m.count {
		if e := m.nth(i); number != 0 && e.endpoint == number {
			e.endpoint = 0
		}
	}
}

// Lost is how many records were dropped because there was no room.
func (m *Memory) Lost() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lost
}

// Close does nothing: what is in memory goes with it.
func (m *Memory) Close() error { return nil }
