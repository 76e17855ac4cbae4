package signature_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/signature"
)

// BenchmarkDiagnose is what one request costs that no mistake explains: the whole search.
func BenchmarkDiagnose(b *testing.B) {
	s := readyScheme(b, "timestamp-v1")
	for name, text := range map[string]string{"1KiB": strings.Repeat(`{"a":1}`, 146), "256KiB": `{"a":"` + strings.Repeat("x", 256<<10) + `"}`} {
		b.Run(name, func(b *testing.B) {
			req := stamped(text, strings.Repeat("ab", 32))
			b.ReportAllocs()
			for b.Loop() {
				if f := s.Diagnose(req, signature.Hints{}, key); f.OK() || len(f.Causes) > 0 {
					b.Fatal(f.Reason)
				}
			}
		})
	}
}
