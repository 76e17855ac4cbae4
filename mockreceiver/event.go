package mockreceiver

import "github.com/hookassay/hookassay/harness/evidence"

// EventID finds the id of a request's event, and where it stood (header:webhook-id, body:/id), as Config says. Both are empty if
// the request has none: Arrival.Key then stands for the event.
func (r *Receiver) EventID(a *evidence.Arrival) (id, from string) {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	return r.eventID(head, a.Body)
}

// EventType is the event's type as the sender states it: /type of the body, else the header of CloudEvents; empty if in neither.
func EventType(a *evidence.Arrival) string {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	return typeOf(head, a.Body)
}
