package mockreceiver

import "hash/maphash"

// recent keeps a value for each of the latest keys, in bounded memory: keys are a stranger's, and come for as long as the
// receiver runs. There are two generations, and when the young one is full the old one is forgotten.
type recent[V any] struct {
	most       int // keys of a generation
	seed       maphash.Seed
	young, old map[uint64]V // by the key's hash: a collision within 2^64 is less likely than a bit that flips
}

func newRecent[V any](most int) *recent[V] { return &recent[V]{most: most, seed: maphash.MakeSeed()} }

func (r *recent[V]) hash(key string) uint64 { return maphash.String(r.seed, key) }

// get returns the value of a key by its hash.
func (r *recent[V]) get(h uint64) (v V, ok bool) {
	if v, ok = r.young[h]; !ok {
		v, ok = r.old[h]
	}
	return v, ok
}

// set sets the value of a key by its hash, and returns the generation that is forgotten for it.
func (r *recent[V]) set(h uint64, v V) (forgotten map[uint64]V) {
	if len(r.young) >= r.most {
		// The next generation is likely to become as large, and a map that grows on the way costs as much again.
		forgotten, r.old, r.young = r.old, r.young, make(map[uint64]V, r.most)
	}
	if r.young == nil {
		r.young = map[uint64]V{}
	}
	r.young[h] = v
	return forgotten
}

// forget forgets all.
func (r *recent[V]) forget() { r.young, r.old = nil, nil }
