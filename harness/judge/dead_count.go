package judge

import (
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
)

func (v *view) wrongCount(e *event, d *evidence.DeadLetter) string {
	if len(e.known) > 0 && !slices.Contains(e.known, d.Event) {
		return "names event " + clip(d.Event)
	}
	n := len(e.tries)
	if !v.keeps("attempts") || v.interrupted(e.endpoint, span{e.emit.Called, d.Read}) != nil ||
		n <= d.Attempts && d.Attempts <= e.counted()+e.uncounted(d) {
		return ""
	}
	return "counts " + num(d.Attempts) + " attempts; " + num(n) + " were seen"
}

// counted is how many attempts a dead letter may count by those that were seen: replays are among them or not.
func (e *event) counted() int {
	n := len(e.tries)
	for _, round := range e.again {
		n += len(round)
	}
	return n
}

// uncounted is how many more it may count, at most, that were made and not seen as requests: because noise hid them, or because
// the connection ended before there was one.
func (e *event) uncounted(d *evidence.DeadLetter) int {
	n := e.unseen(len(e.tries))
	at := e.v.secure(e)
	for i := range e.v.t.run.Connections {
		if c := &e.v.t.run.Connections[i]; at != "" && c.Local == at && tlsFailed(c) && e.emit.Called <= c.Opened && c.Opened <= d.Read {
			n++
		}
	}
	return n
}
