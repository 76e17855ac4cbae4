package evidence_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
)

func coded(t *testing.T, w func(io.Writer) io.WriteCloser, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	c := w(&out)
	if _, err := c.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(w io.Writer) io.WriteCloser  { return gzip.NewWriter(w) }
func deflated(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }

func TestPayload(t *testing.T) {
	t.Parallel()
	text := []byte(`{"id":"evt_1"}`)
	zipped, bomb := coded(t, gzipped, text), coded(t, gzipped, make([]byte, 9<<20))
	for name, tc := range map[string]struct {
		coding     string
		body, want []byte
		readable   bool
	}{
		"not coded":          {"", text, text, true},
		"identity":           {"identity", text, text, true},
		"gzip":               {"gzip", zipped, text, true},
		"other case":         {" X-GZIP", zipped, text, true},
		"deflate":            {"deflate", coded(t, deflated, text), text, true},
		"unknown coding":     {"br", text, text, false},
		"two codings":        {"gzip, gzip", zipped, zipped, false},
		"not coded as said":  {"gzip", text, text, false},
		"cut short":          {"gzip", zipped[:len(zipped)-4], zipped[:len(zipped)-4], false},
		"grows without end":  {"gzip", bomb, bomb, false},
		"nothing, and coded": {"gzip", nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := evidence.Head{Fields: [][2]string{{"content-encoding", tc.coding}}}
			got, readable := evidence.Payload(head, tc.body)
			if !bytes.Equal(got, tc.want) || readable != tc.readable {
				t.Errorf("%d bytes, readable %t; want %d, %t", len(got), readable, len(tc.want), tc.readable)
			}
		})
	}
}
