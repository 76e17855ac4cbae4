package mockreceiver

import (
	"slices"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

// issuedKeys are signing keys that a sender issued. Their values stay out of the evidence, so which requests they signed is
// noted when a request arrives.
type issuedKeys struct {
	scheme *signature.Scheme

	mu     sync.RWMutex
	names  []string
	values []string
}

// AddIssuedKey makes the receiver note, in the arrivals from now on, which requests verify by a key that the sender issued. name
// tells it from others and stands in the evidence; the value does not. Without Config.Scheme nothing is noted.
func (r *Receiver) AddIssuedKey(name, value string) {
	r.issued.mu.Lock()
	defer r.issued.mu.Unlock()
	r.issued.names = append(r.issued.names, name)
	r.issued.values = append(r.issued.values, value)
}

// verifiedBy returns the names of the issued keys by which a request's signature verifies.
func (k *issuedKeys) verifiedBy(e *endpoint, head evidence.Head, body []byte) []string {
	k.mu.RLock()
	names, values := slices.Clip(k.names), slices.Clip(k.values)
	k.mu.RUnlock()
	if k.scheme == nil || len(names) == 0 {
		return nil
	}
	req := signature.Request{Method: head.Method, Fields: head.Fields, Body: body}
	if e != nil {
		req.URL = head.URL(e.url)
	}
	var by []string
	for _, i := range k.scheme.VerifyRequest(req, values...).Keys {
		by = append(by, names[i])
	}
	return by
}
