package evidence

import "time"

// idleBefore is how long a connection stays unused, before its first request, that was not opened for that: one that is opened for
// a request brought it within 2 ms, and one that was opened for another request, which then went over a kept one, after 72 ms or more.
const idleBefore = 10 * time.Millisecond

// Pooled tells whether the sender's HTTP library may have had the request's connection in its pool, so that it may send the request
// again by itself: the connection carried one before, or was opened well before its first one.
func (a *Arrival) Pooled() bool {
	return a.Conn.Request > 1 || a.Conn.Opened > 0 && a.FirstByte-a.Conn.Opened > idleBefore
}
