package mockreceiver

import "encoding/binary"

// counter counts the requests of an endpoint by key, in bounded memory. It knows the latest keys; of the others it knows that
// they were there, and has the journal tell how often.
type counter struct {
	counts *recent[int32]
	seen   *bloom // all keys, once some are not in counts any more; nil: there are no others
	// unread tells that the journal may hold keys from an earlier run that are not in seen yet.
	unread bool
	// reached asks the journal for the highest attempt number of a key.
	reached func(key string) int
}

// maxYoung is how many keys a generation holds: a megabyte. An event that comes back after 32 000 others costs a look into the
// journal.
const maxYoung = 32 << 10

func newCounter(reached func(string) int) *counter {
	return &counter{counts: newRecent[int32](maxYoung), reached: reached}
}

// of is how many requests with a key there were.
func (c *counter) of(key string) int { return c.ofHash(key, c.counts.hash(key)) }

func (c *counter) ofHash(key string, h uint64) int {
	may := c.unread || c.seen != nil && c.seen.may(h)
	if !may && c.seen != nil {
		return 0 // a new event, as most are
	}
	if n, ok := c.counts.get(h); ok {
		return int(n)
	}
	if may {
		return c.reached(key)
	}
	return 0
}

// next counts one more and returns its number.
func (c *counter) next(key string) int {
	h := c.counts.hash(key)
	n := c.ofHash(key, h) + 1
	if forgotten := c.counts.set(h, int32(n)); forgotten != nil { //nolint:gosec // no event has two thousand million attempts
		c.note(forgotten)
	}
	if c.seen != nil {
		c.seen.add(h)
	}
	return n
}

// known notes keys of an earlier run.
func (c *counter) known(keys []string) {
	if c.seen == nil {
		c.note(nil)
	}
	for _, k := range keys {
		c.seen.add(c.counts.hash(k))
	}
}

// note begins to note which keys there were, with those that are forgotten. From then on each is noted as it comes: many at once
// would keep requests waiting.
func (c *counter) note(forgotten map[uint64]int32) {
	if c.seen != nil {
		return
	}
	c.seen = new(bloom)
	for _, keys := range []map[uint64]int32{forgotten, c.counts.old, c.counts.young} {
		for h := range keys {
			c.seen.add(h)
		}
	}
}

// restart forgets all.
func (c *counter) restart() {
	c.counts.forget()
	c.seen, c.unread = nil, false
}

// bloom is a Bloom filter: it knows what was never added, and of the rest almost all. With a million keys in its megabyte it
// is wrong about one new key in forty, which then costs a look into the journal.
type bloom [1 << 17]uint64

const bloomBits = 1 << 23

// places are four places of a hash, which is as good as random already.
func places(h uint64) [4]uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], h*0x9e3779b97f4a7c15) // the golden ratio spreads the bits once more
	lo, hi := uint32(h), binary.LittleEndian.Uint32(b[4:])    //nolint:gosec // the low half is what is wanted
	var at [4]uint32
	for i := range at {
		at[i] = (lo + uint32(i)*(hi|1)) % bloomBits //nolint:gosec // 0 to 3
	}
	return at
}

func (f *bloom) add(h uint64) {
	for _, at := range places(h) {
		f[at/64] |= 1 << (at % 64)
	}
}

func (f *bloom) may(h uint64) bool {
	for _, at := range places(h) {
		if f[at/64]&(1<<(at%64)) == 0 {
			return false
		}
	}
	return true
}

// counter returns the counter of an endpoint. Where the journal knows the endpoint from an earlier run, its keys are read
// meanwhile, and until that is done each new key is looked up.
func (r *Receiver) counter(endpoint string) (*counter, error) {
	c := newCounter(func(key string) int {
		n, err := r.journal.Reached(r.ctx, endpoint, key)
		if err != nil && r.ctx.Err() == nil {
			r.trouble("", "attempt number: "+err.Error())
		}
		return n
	})
	keys, err := r.journal.Keys(r.ctx, endpoint, "", 1)
	c.unread = len(keys) > 0
	return c, err
}

// recall reads the keys of an earlier run. It ends with the receiver.
func (r *Receiver) recall(e *endpoint) {
	if !e.attempts.unread || !r.begin(&r.handlers) {
		return
	}
	go func() {
		defer r.handlers.Done()
		e.mu.Lock()
		e.attempts.known([]string{""}) // requests without a key; the pages begin after it
		e.mu.Unlock()
		const page = 1000 // keys of 1 KiB, the largest seen, are a megabyte
		for after := ""; ; {
			keys, err := r.journal.Keys(r.ctx, e.Name, after, page)
			if err != nil {
				return // each new key is looked up for as long as the receiver runs, which is only slower
			}
			e.mu.Lock()
			if !e.attempts.unread { // it was reset
				e.mu.Unlock()
				return
			}
			e.attempts.known(keys)
			e.attempts.unread = len(keys) == page
			more := e.attempts.unread
			e.mu.Unlock()
			if !more {
				return
			}
			after = keys[len(keys)-1]
		}
	}()
}
