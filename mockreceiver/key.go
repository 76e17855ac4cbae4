package mockreceiver

import "github.com/hookassay/hookassay/harness/evidence"

// identity is what a request is known by.
type identity struct {
	key, from string // what the plan is chosen by, and where it was found
	event     string // the event's id, which is the business side's idempotency key
}

// identify finds out which event a request belongs to: by the harness's marker, else by the event's id, else because the
// endpoint has only one planned event, else by the body itself. The business side knows nothing of markers: it goes by the
// id, as a subscriber would.
func (r *Receiver) identify(e *endpoint, head evidence.Head, body []byte, sum string) identity {
	event, from := r.eventID(head, body)
	found := identity{key: event, from: from, event: event}
	if event == "" {
		found.event = sum
	}
	if m := evidence.MarkerIn(body); m != "" {
		found.key, found.from = m, "marker"
	}
	if found.key != "" {
		return found
	}
	if e != nil {
		if key, ok := e.planned(); ok {
			found.key, found.from = key, "only-event"
			return found
		}
	}
	found.key, found.from = sum, "sha256"
	return found
}

// EventID finds the id of a request's event, and where it stood (header:webhook-id, body:/id), as Config says. Both are empty if
// the request has none: Arrival.Key then stands for the event.
func (r *Receiver) EventID(a *evidence.Arrival) (id, from string) {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	payload, done := r.decoder.payload(head, a.Body)
	defer done()
	return r.eventID(head, payload)
}

// eventID looks for the id where the settings say, then where senders usually put it.
func (r *Receiver) eventID(head evidence.Head, body []byte) (id, from string) {
	if r.cfg.IDHeader != "" {
		if v := head.Get(r.cfg.IDHeader); v != "" {
			return v, "header:" + r.cfg.IDHeader
		}
	}
	inBody := []string{"", ""}
	if len(body) > 0 {
		inBody = r.ids.find(body)
	}
	if inBody[0] != "" {
		return inBody[0], "body:" + r.cfg.IDBody
	}
	for _, name := range []string{"webhook-id", "ce-id", "Idempotency-Key"} {
		if v := head.Get(name); v != "" {
			return v, "header:" + name
		}
	}
	if inBody[1] != "" {
		return inBody[1], "body:/id"
	}
	return "", ""
}

// EventType is the event's type as the sender states it: in the body, where the endpoint's Fields say, else at /type, else in
// the header of CloudEvents. It is empty if it is not there.
func (r *Receiver) EventType(a *evidence.Arrival) string {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	return r.eventType(a, head)
}

func (r *Receiver) eventType(a *evidence.Arrival, head evidence.Head) string {
	where := DefaultFields().Type
	if e, err := r.endpoints.named(a.Endpoint); err == nil && e.Fields.Type != "" {
		where = e.Fields.Type
	}
	payload, done := r.decoder.payload(head, a.Body)
	defer done()
	if t, ok := lookup(payload, where); ok {
		return t
	}
	return head.Get("ce-type")
}

// lookup returns the text or number at a JSON pointer.
func lookup(body []byte, pointer string) (string, bool) {
	v := newPointers(pointer).find(body)[0]
	return v, v != ""
}
