package mockreceiver

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// SignedAt is the time at which a request says that it was signed by Config.Scheme, proven or not. It is zero if the request says
// none in the declared form, or there is no scheme.
func (r *Receiver) SignedAt(a *evidence.Arrival) time.Time {
	if r.issued.scheme == nil {
		return time.Time{}
	}
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	return r.issued.scheme.Verify(head.Header(), nil).SignedAt
}
