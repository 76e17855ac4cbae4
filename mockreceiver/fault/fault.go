// Package fault holds what a receiver does to a request: answers, good and bad, and plans of them by attempt.
//
// One kind of fault is one file and one line in Kinds. A fault acts on an Exchange, which the receiver implements; what a
// fault does ends with its request.
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

// Exchange is one request that waits for its answer. The request's body was read and its arrival is on disk before any
// method does something that the peer can see. A false result means that there is nothing left to do for the fault: the
// peer hung up, the receiver is closing, or the evidence could not be kept; the receiver then ends the exchange itself.
type Exchange interface {
	// Now is the wall clock, for dates in headers.
	Now() time.Time
	// Draw returns a number in [0, 1) that depends on the run's seed, the endpoint, the event and the attempt only.
	Draw() float64
	// Hold keeps the request without an answer for d.
	Hold(d time.Duration) bool
	// Business runs the request's business write and returns when its transaction has ended, committed or rolled back.
	Business(w Write) bool
	// Inject starts k concurrent copies of the request over real connections, each answered by as, and does not wait for them.
	Inject(k int, as Step) bool
	// Reply writes a complete answer.
	Reply(r Reply)
	// Hang writes nothing until the peer hangs up; with d > 0 the connection is closed after d.
	Hang(d time.Duration)
	// Reset resets the connection: the peer sees ECONNRESET.
	Reset()
}

// Write says how the business write of a request is to run.
type Write struct {
	// Fail makes the business statement itself fail inside the transaction.
	Fail bool
	// Work is how long the business takes before its transaction begins.
	Work time.Duration
}

// Reply is an answer.
type Reply struct {
	Status int
	Header [][2]string
	Body   string
}

// Step is one entry of a plan. The zero value answers 200.
type Step struct{ Fault Fault }

// Act carries the step out.
func (s Step) Act(x Exchange) { s.fault().Act(x) }

// Kind is the name of the step's kind of fault.
func (s Step) Kind() string { return s.fault().Kind() }

// String is the step's text form.
func (s Step) String() string { return s.fault().String() }

func (s Step) fault() Fault {
	if s.Fault == nil {
		return Status{Code: okCode}
	}
	return s.Fault
}
