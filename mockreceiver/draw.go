package mockreceiver

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
)

// draw is a number in [0, 1) for the n-th of what the words name. It depends on nothing else but the seed, so that a run
// with the same seed has the same faults in the same places whatever comes first.
func draw(seed uint64, n int, words ...string) float64 {
	h := fnv.New64a()
	for _, w := range words {
		_, _ = h.Write(append([]byte(w), 0)) // a hash takes everything
	}
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float64()
}
