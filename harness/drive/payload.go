package drive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

// markerField is the member of each event's data that holds its marker.
const markerField = "hookassay_marker"

// mark puts the marker into data as its first member. The other bytes stay as they are: numbers must keep their tokens.
func mark(data json.RawMessage, marker string) (json.RawMessage, error) {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(data), []byte("{"))
	if !ok || !json.Valid(data) {
		return nil, fmt.Errorf("event data %.60q: want a JSON object", data)
	}
	sep := ","
	if bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
		sep = ""
	}
	return fmt.Appendf(nil, "{%q:%q%s%s", markerField, marker, sep, rest), nil
}

// newMarker derives the n-th marker of a scenario from the seed, so that a run with the same seed has the same events.
func newMarker(seed uint64, scenario string, n int) string {
	h := fnv.New64a()
	h.Write(fmt.Appendf(nil, "%s %d", scenario, n)) // a hash never returns an error
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	var b strings.Builder
	b.WriteString(evidence.MarkerPrefix)
	for range 20 { // as many as evidence.MarkerIn looks for
		b.WriteByte(digits[r.IntN(len(digits))])
	}
	return b.String()
}
