package refsender

import (
	"net/http"
	"sync"
	"time"
)

// effectLag is how long a change of an endpoint takes to show where changes take their time: longer than the first wait of
// bounded-6, so that a request starts meanwhile.
const effectLag = 2 * time.Second

// former is what an endpoint was like before a change that has not taken effect yet.
type former struct {
	state string
	keys  keyring
	until time.Time
}

// effects holds what the workers of a sender still believe of endpoints, by their ids.
type effects struct {
	mu     sync.Mutex
	former map[string]former
}

// outdates lets attempts go by what an endpoint was like, for a while after it was disabled or got a new key.
func (v variant) outdates(e *effects, endpoint, state string, keys keyring) {
	if v != takesEffectLate {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.former == nil {
		e.former = map[string]former{}
	}
	e.former[endpoint] = former{state: state, keys: keys, until: time.Now().Add(effectLag)}
}

// believed changes what an attempt finds out about its endpoint into what was so before.
func (v variant) believed(e *effects, endpoint string, p *parcel) {
	e.mu.Lock()
	defer e.mu.Unlock()
	was, ok := e.former[endpoint]
	if !ok {
		return
	}
	if time.Now().After(was.until) {
		delete(e.former, endpoint)
		return
	}
	if was.state != "" && p.endpoint == endpointDisabled {
		p.endpoint = was.state
	}
	if was.keys != nil {
		p.keys = was.keys
	}
}

// next takes the delivery that is started next out of those that are due at an endpoint.
func (v variant) next(ready []*delivery) (*delivery, []*delivery) {
	if v == newestFirst {
		last := len(ready) - 1
		d := ready[last]
		ready[last] = nil
		return d, ready[:last]
	}
	return ready[0], ready[1:]
}

// mostWaiting is how many events may wait for their first answer at one endpoint of a sender that refuses more: above what an
// endpoint can have in flight by bounded-6, so that a sender that is not under load refuses nothing.
const mostWaiting = 36

// admits refuses an event for an endpoint at which many wait for their first answer.
func (v variant) admits(t *tx, endpoints []string) error {
	if v != refusesUnderLoad {
		return nil
	}
	for _, id := range endpoints {
		var waiting int
		if err := t.get("SELECT count(*) FROM deliveries WHERE endpoint = ? AND state IN ('pending', 'in-flight') AND attempts = 0",
			[]any{id}, &waiting); err != nil {
			return err
		}
		if waiting >= mostWaiting {
			return refuse(http.StatusTooManyRequests, "%d events wait at an endpoint for their first answer; come again later", waiting)
		}
	}
	return nil
}

// greet writes an event of the sender's own for an endpoint that was just registered.
func (v variant) greet(t *tx, s *Sender, endpoint string) ([]*delivery, error) {
	if v != pingOnRegistration {
		return nil, nil
	}
	now := time.Now()
	f := fields{id: newID(eventPrefix), kind: "endpoint.registered", created: created(now), data: []byte(`{"hello":"receiver"}`)}
	return s.publish(t, eventRequest{Endpoint: endpoint, Object: endpoint}, f, now)
}
