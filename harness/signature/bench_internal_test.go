package signature

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"net/http"
	"testing"
	"time"
)

// BenchmarkVerifyBesideHMAC verifies a body of 1 KiB, takes the request apart without a digest, and makes the bare HMAC of the body, in
// turns, so that all three see the same machine. It prints what a verification costs beyond the parsing, as a multiple of the bare
// HMAC: that is to be 1.3 at most, each at its best. The bare HMAC has its key ready and allocates nothing.
func BenchmarkVerifyBesideHMAC(b *testing.B) {
	for _, id := range []string{"timestamp-v1", "standard-webhooks-v1", "meta", "stripe", "slack"} {
		b.Run(id, func(b *testing.B) {
			s, err := Lookup(id)
			if err != nil {
				b.Fatal(err)
			}
			body := bytes.Repeat([]byte("x"), 1<<10)
			secret, err := s.Secret(bytes.Repeat([]byte{7}, 32))
			if err != nil {
				b.Fatal(err)
			}
			h, err := s.Sign(Content{ID: "evt_1", At: time.Unix(1_700_000_000, 0), Body: body}, secret)
			if err != nil {
				b.Fatal(err)
			}
			v, err := s.Verifier(secret)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			beside(b, v, Request{Method: http.MethodPost, Fields: usualHead(h), Body: body})
		})
	}
}

// usualHead is a head with the fields that one usually has.
func usualHead(signed http.Header) [][2]string {
	fields := [][2]string{
		{"Host", "127.0.0.1:8080"}, {"User-Agent", "bench"}, {"Content-Length", "1024"}, {"Content-Type", "application/json"}, {"Accept-Encoding", "gzip"},
	}
	for name, values := range signed {
		fields = append(fields, [2]string{name, values[0]})
	}
	return fields
}

func beside(b *testing.B, v *Verifier, r Request) {
	mac := hmac.New(sha256.New, []byte("key"))
	var sum [sha256.Size]byte
	const turns = 20 // of each, so that the clock costs little
	took := [3]time.Duration{1<<63 - 1, 1<<63 - 1, 1<<63 - 1}
	timed := func(i int, f func()) {
		begin := time.Now()
		for range turns {
			f()
		}
		took[i] = min(took[i], time.Since(begin)) // others on the machine only ever add to it
	}
	w := v.newBench()
	for b.Loop() {
		timed(0, func() {
			mac.Write(r.Body)
			mac.Sum(sum[:0])
			mac.Reset()
		})
		timed(1, func() {
			if v.scheme.read(&w.work, &r).Reason != "" {
				b.Fatal("it cannot be read")
			}
			w.reset()
		})
		timed(2, func() {
			if !v.VerifyRequest(r).OK() {
				b.Fatal("it does not verify")
			}
		})
	}
	each := func(i int) float64 { return float64(took[i].Nanoseconds()) / turns }
	b.ReportMetric(each(0), "hmac-ns")
	b.ReportMetric(each(1), "parse-ns")
	b.ReportMetric(each(2), "verify-ns")
	b.ReportMetric((each(2)-each(1))/each(0), "ratio")
	b.ReportMetric(0, "ns/op")
}
