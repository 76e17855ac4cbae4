package signature_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/signature"
)

// FuzzVerify lets each scheme read what a stranger sends. Nobody can have signed it with the keys, so that it must not verify, and the
// reason must be one that is known.
func FuzzVerify(f *testing.F) {
	ids := keyedIDs()
	f.Add(byte(0), "t=1700000000,v1=00", "msg_1", "1700000000", []byte(`{"a": "\u00eb"}`))
	f.Add(byte(1), "v1,abc v1a,def", "", "x", []byte("\\u"))
	for i, id := range ids {
		for _, v := range vectors(f) {
			if v.Scheme != id {
				continue
			}
			for _, value := range v.Headers {
				f.Add(byte(i), value, v.Headers["webhook-id"], v.Headers["webhook-timestamp"], []byte(v.Body))
			}
			f.Add(byte(i), v.Headers["Signature"], "", v.Headers["Signature-Input"], []byte(v.Body))
		}
	}
	var schemes []*signature.Scheme
	var keys [][]string
	for _, id := range ids {
		s := readyScheme(f, id)
		schemes = append(schemes, s)
		keys = append(keys, []string{keyText(f, s, []byte("fuzz"), 0), keyText(f, s, []byte("fuzz"), 1)})
	}
	known := []signature.Reason{
		signature.MissingHeader, signature.MalformedHeader, signature.NoTimestamp, signature.BadTimestamp, signature.Milliseconds,
		signature.NoSignature, signature.BadEncoding, signature.Mismatch, signature.EmptyKey, signature.MalformedBody,
		signature.Unsupported,
	}
	f.Fuzz(func(t *testing.T, which byte, value, id, at string, body []byte) {
		i := int(which) % len(schemes)
		s, h := schemes[i], http.Header{}
		for _, name := range s.Headers() {
			h.Set(name, at)
		}
		if name := s.Record().MessageID.Header; name != "" {
			h.Set(name, id)
		}
		if s.Header() != "" {
			h.Set(s.Header(), value)
		}
		r := signature.Request{Method: http.MethodPost, URL: hook, Header: h, Body: body}
		got := s.VerifyRequest(r, keys[i]...)
		if got.OK() || len(got.Keys) > 0 || !slices.Contains(known, got.Reason) || got.Detail == "" {
			t.Errorf("%s: got %+v", s.ID(), got)
		}
		s.SignedRequest(r)
		s.Signatures(h)
	})
}

// FuzzRecord compiles what a contract file may hold. What compiles must sign and verify its own, or say why it cannot sign.
func FuzzRecord(f *testing.F) {
	for _, s := range signature.Schemes() {
		r := s.Record()
		f.Add(r.Carrier.Header, r.Carrier.Prefix, r.Carrier.PairSep, r.Carrier.KVSep, r.Carrier.TimeTag, r.Carrier.SignatureTag, r.Carrier.ValueSep, strings.Join(r.SignedContent, "\x00"))
	}
	at := time.Unix(1_700_000_000, 0)
	f.Fuzz(func(t *testing.T, header, prefix, pairSep, kvSep, timeTag, sigTag, valueSep, parts string) {
		r := signature.Record{ID: "acme", Title: "Acme", Secret: signature.Secret{Decode: "raw"}, Digest: "sha256", Encoding: "hex"}
		r.Carrier = signature.Carrier{Header: header, Prefix: prefix, PairSep: pairSep, KVSep: kvSep, TimeTag: timeTag, SignatureTag: sigTag, ValueSep: valueSep}
		r.SignedContent = strings.Split(parts, "\x00")
		if timeTag != "" {
			r.Timestamp = signature.Timestamp{From: "carrier", Format: "unix_s"}
		}
		s, err := signature.Compile(r)
		if err != nil {
			return
		}
		again, err := signature.Lookup(s.Text())
		if err != nil {
			t.Fatalf("%s: %v", s.Text(), err)
		}
		if diff := cmp.Diff(s.Record(), again.Record()); diff != "" {
			t.Fatal(diff)
		}
		s.Layout()
		s.Weaknesses()
		h, err := s.Sign(signature.Content{ID: "evt_1", At: at, Body: []byte("{}"), Method: "POST", URL: hook}, key)
		if err != nil {
			return
		}
		q := signature.Request{Method: "POST", URL: hook, Header: h, Body: []byte("{}")}
		if f := s.VerifyRequest(q, key); !f.OK() {
			t.Errorf("its own signature does not verify: %s (%s): %v, %+v", f.Reason, f.Detail, h, s.Record())
		}
		q.Body = bytes.Repeat([]byte(" "), 3)
		if f := s.VerifyRequest(q, key); f.OK() {
			t.Errorf("another body verifies: %+v", s.Record())
		}
	})
}
