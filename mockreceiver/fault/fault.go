// Package fault holds what a receiver does wrong: to a request, by plans of answers by attempt, and to a connection before a
// request can be read from it, by plans by the connection's number.
//
// One kind of fault is one file and one line in Kinds, or in ConnKinds for connections. A Fault acts on an Exchange, which the
// receiver implements; what it does ends with its request. A ConnFault says how a connection begins, and the receiver acts that
// out.
package fault

import "time"

// Fault is one kind of answer with its parameters.
type Fault interface {
	// Act carries the fault out. It runs in the request's goroutine and returns when the exchange is over.
	Act(x Exchange)
	// Kind is the name under which Kinds lists it, and which the evidence carries.
	Kind() string
	// String is the text form; Parse reads it back.
	String() string
}

// Exchange is one request that waits for its answer. The request's body was read (unless the fault is Eager) and its arrival
// is on disk before any method does something that the peer can see. A false result means, where nothing else is said, that
// there is nothing left to do for the fault: the peer hung up, the receiver is closing, or the evidence could not be kept; the
// receiver then ends the exchange itself.
type Exchange interface {
	// Now is the wall clock, for dates in headers.
	Now() time.Time
	// Draw returns a number in [0, 1) that depends on the run's seed, the endpoint, the event and the attempt only.
	Draw() float64
	// Admit counts the request at its endpoint and returns 0, unless so many were counted within the last second; then it
	// returns how long until there is room.
	Admit(perSecond int) time.Duration
	// Age is how long ago the request's endpoint was added or last reset.
	Age() time.Duration
	// Hold keeps the request without an answer for d.
	Hold(d time.Duration) bool
	// Business runs the request's business write and returns when its transaction has ended, committed or rolled back.
	Business(w Write) bool
	// Inject starts k concurrent copies of the request over real connections, each answered by as, and does not wait for them.
	Inject(k int, as Step) bool
	// Interim writes an answer of 1xx, which is none yet.
	Interim(status int, fields ...[2]string) bool
	// Reply writes a complete answer, or one without an end until the peer hangs up.
	Reply(r Reply)
	// Hang writes nothing until the peer hangs up; with d > 0 the connection is closed after d.
	Hang(d time.Duration)
	// Write writes bytes of an answer as they are, past everything that would put them right, and then ends the connection.
	Write(raw string, e End)
	// Close closes the connection without an answer: the peer sees its orderly end.
	Close()
	// Reset resets the connection: the peer sees ECONNRESET.
	Reset()
	// ResetStream resets the request's stream with a code of HTTP/2. False: HTTP/1 has no streams, and nothing was done.
	ResetStream(code uint32) bool
	// Goaway gives the connection up and leaves the request, and those after it, unprocessed. False: as for ResetStream.
	Goaway() bool
	// Instead says in the evidence that another kind is acted out in place of the fault's own.
	Instead(kind string)
	// ListenerURL is the base URL of another listener of the receiver; ok is false if there is none of that name.
	ListenerURL(name string) (url string, ok bool)
}

// End says how a connection ends.
type End string

// The ends of a connection. Over HTTP/2 they are those of the request's stream, and the connection lives on with the others:
// Closed is RST_STREAM with CANCEL, Aborted is RST_STREAM with INTERNAL_ERROR.
const (
	Closed  End = "close" // in order, with FIN
	Aborted End = "reset" // with RST
	// Finished is Closed after an answer that looks whole to us: over HTTP/2 the stream ends as after any answer.
	Finished End = "end"
)

// Write says how the business write of a request is to run.
type Write struct {
	// Fail makes the business statement itself fail inside the transaction.
	Fail bool
	// Work is how long the business takes before its transaction begins.
	Work time.Duration
}

// Forever is the Fill of a body that never ends.
const Forever int64 = -1

// Endlessly is the For of a Pause that only the peer ends.
const Endlessly time.Duration = -1

// Reply is an answer.
type Reply struct {
	Status int
	Header [][2]string
	Body   string
	// Fill is how many bytes follow Body that mean nothing; Forever: without an end and without a declared length.
	Fill int64
	// Pace slows the body down. The zero value sends it as fast as the peer takes it.
	Pace Pace
	// Pause interrupts the body. The zero value does not.
	Pause Pause
	// Leave says what becomes of the connection after the answer. The zero value keeps it for further requests.
	Leave Leave
}

// Leave ends a connection after a complete answer that did not announce it.
type Leave struct {
	With End // empty: not at all
	// After is how long the connection rests first; a request that comes before is cut off.
	After time.Duration
	// OnNext ends it at the first byte of the next request instead, whenever that comes.
	OnNext bool
	// Announced ends it as the peer is told: with Connection: close, and over HTTP/2 with GOAWAY.
	Announced bool
}

// Pause is a silence after At bytes of the Fill; at 0 it follows the head and Body.
type Pause struct {
	At  int64
	For time.Duration // 0: none; Endlessly: until the peer hangs up
}

// Pace sends so many bytes after each interval. Both are positive, or both are zero.
type Pace struct {
	Bytes int
	Every time.Duration
}
