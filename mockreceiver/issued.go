package mockreceiver

import (
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
	// keys is by values; nil as long as there are none. It is a Verifier since most requests verify by one key of many or by
	// none, and nobody asks here why not: looking for that would cost a hundred times as much.
	keys *signature.Verifier
}

// AddIssuedKey makes the receiver note, in the arrivals from now on, which requests verify by a key that the sender issued. name
// tells it from others and stands in the evidence; the value does not. Without Config.Scheme nothing is noted.
func (r *Receiver) AddIssuedKey(name, value string) {
	r.issued.add(name, value)
}

// add leaves out what the scheme cannot use as a key: nothing verifies by it.
func (k *issuedKeys) add(name, value string) {
	if k.scheme == nil {
		return
	}
	if _, err := k.scheme.Verifier(value); err != nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.names, k.values = append(k.names, name), append(k.values, value)
	k.keys, _ = k.scheme.Verifier(k.values...) // each of them was tried
}

// verifiedBy returns the names of the issued keys by which a request's signature verifies.
func (k *issuedKeys) verifiedBy(e *endpoint, head evidence.Head, body []byte) []string {
	k.mu.RLock()
	names, keys := k.names, k.keys // names is only ever appended to
	k.mu.RUnlock()
	if keys == nil {
		return nil
	}
	req := signature.Request{Method: head.Method, Fields: head.Fields, Body: body}
	if e != nil {
		req.URL = head.URL(e.url)
	}
	var by []string
	for _, i := range keys.VerifyRequest(req).Keys {
		by = append(by, names[i])
	}
	return by
}
