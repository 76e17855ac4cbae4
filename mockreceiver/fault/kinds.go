package fault

// Kind describes one kind of fault, for people and for Parse.
type Kind struct {
	// Name is the word that opens the text form, and what the evidence calls the fault. A status is written as its number.
	Name   string
	Form   string // an example of the text form
	Params []Param
	// Random says that what it does is drawn, from the seed.
	Random bool
	Reason string // why one wants it, in one line

	parse func(word string, a *args) Fault
	open  func(a *args) ConnFault
}

// Level is what a kind of fault acts on.
type Level string

// What faults act on.
const (
	RequestLevel    Level = "request"    // a request that was read; it stands in the plan of an endpoint
	ConnectionLevel Level = "connection" // a connection, before that; it stands in the plan of a listener
)

// Level is what the kind acts on.
func (k Kind) Level() Level {
	if k.open != nil {
		return ConnectionLevel
	}
	return RequestLevel
}

// Param is one parameter in a step's brackets.
type Param struct {
	Name    string // empty: given without a name
	Value   string // what its value looks like
	Meaning string
}

// Kinds is the one list of the kinds of fault at the level of requests; those of connections are ConnKinds.
func Kinds() []Kind {
	return []Kind{
		statusKind(),
		redirectKind(),
		largeKind(),
		endlessKind(),
		dripKind(),
		stallKind(),
		latencyKind(),
		earlyKind(),
		slowReadKind(),
		cutRequestKind(),
		earlyHintsKind(),
		interimKind(),
		continueKind(),
		timeoutKind(),
		resetKind(),
		closeKind(),
		closeIdleKind(),
		closeNextKind(),
		cutKind(),
		wrongLengthKind(),
		malformedKind(),
		goawayKind(),
		rstStreamKind(),
		businessFailureKind(),
		lostAckKind(),
		rateLimitKind(),
		outageKind(),
		chanceKind(),
		mixKind(),
	}
}

// Common are the parameters that many kinds share, with the same meaning in each.
func Common() []Param { return fieldParams() }

// delayParam is shared by the kinds that can hold a request before they act.
func delayParam() Param {
	return Param{Name: "delay", Value: "300ms", Meaning: "hold the request so long first; real time"}
}
