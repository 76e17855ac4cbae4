package mockreceiver_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
)

func TestIssuedKeysAreNotedByNameAndStayOut(t *testing.T) {
	r := start(t, mockreceiver.Config{Scheme: "timestamp-v1"})
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "issued"})
	if err != nil {
		t.Fatal(err)
	}
	r.AddIssuedKey("endpoint.0", "") // no key to this scheme, and no reason to leave out the others
	r.AddIssuedKey("endpoint.1", "first secret of the sender")
	r.AddIssuedKey("endpoint.2", "second secret of the sender")
	scheme, err := signature.Lookup("timestamp-v1")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		keys, want []string
	}{
		{[]string{"second secret of the sender"}, []string{"endpoint.2"}},
		{[]string{"second secret of the sender", "first secret of the sender"}, []string{"endpoint.1", "endpoint.2"}},
		{[]string{"a secret that nobody issued"}, nil},
	} {
		body := []byte(`{"id":"evt_1"}`)
		h, err := scheme.Sign(signature.Content{ID: "evt_1", At: time.Now(), Body: body}, c.keys...)
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = h
		res, err := client(t).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if a := r.arrivals(i + 1)[i]; !slices.Equal(a.VerifiedBy, c.want) {
			t.Errorf("signed with %d keys: verified by %q, want %q", len(c.keys), a.VerifiedBy, c.want)
		}
	}
}
