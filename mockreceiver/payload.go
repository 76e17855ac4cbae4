package mockreceiver

import (
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

// decoder takes the coding off bodies, one at a time: a small request may grow to megabytes.
type decoder struct{ mu sync.Mutex }

// payload returns a request's body without its coding, or as it came where that cannot be read. The caller calls done when it
// needs it no more.
func (d *decoder) payload(head evidence.Head, body []byte) (payload []byte, done func()) {
	if head.Get("Content-Encoding") == "" {
		return body, func() {}
	}
	d.mu.Lock()
	payload, _ = evidence.Payload(head, body)
	return payload, d.mu.Unlock
}
