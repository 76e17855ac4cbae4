package refsender

// requestVariants differ in what goes over the wire.
func requestVariants() []Variant {
	return []Variant{
		{Number: 1, Name: string(chunkedFraming), Title: "bodies are sent in chunks"},
		{Number: 2, Name: string(lowerCaseHeaders), Title: "header names are in lower case"},
		{Number: 2, Name: string(http2), Title: "HTTP/2 is spoken where the endpoint offers it over TLS"},
		{Number: 3, Name: string(connectionPerRequest), Title: "each request has a connection of its own"},
		{Number: 3, Name: string(longReuse), Title: "connections are kept for as long as the receiver keeps them"},
		{Number: 4, Name: string(signatureList), Title: "signatures of versions that nobody knows stand beside the right one"},
		{Number: 9, Name: string(libraryResend), Title: "the HTTP library sends again what it sent on a kept connection that ended without an answer"},
		{Number: 10, Name: string(ownJSONStyle), Title: "payloads have spaces, another order of keys and more escapes than they need"},
		{Number: 11, Name: string(sameSecond), Contract: SubSecond, Title: "attempts less than a second apart have the same signed second"},
		{Number: 22, Name: string(compressedBody), Contract: CompressedBodies, Title: "bodies are compressed"},
		{Number: 16, Name: string(clockAhead), Title: "the sender's clock is 2 min ahead"},
		{Number: 16, Name: string(clockBehind), Title: "the sender's clock is 2 min behind"},
	}
}

// answerVariants differ in what follows an answer, and when.
func answerVariants() []Variant {
	return []Variant{
		{Number: 5, Name: string(fullJitter), Contract: FullJitter, Title: "a wait is drawn between nothing and the declared one"},
		{Number: 5, Name: string(equalJitter), Contract: EqualJitter, Title: "a wait is drawn between half of the declared one and all of it"},
		{
			Number: 5, Name: string(decorrelatedJitter), Contract: GentleWaits,
			Title: "a wait is drawn between the band's lower end and three times the wait before",
		},
		{Number: 6, Name: string(retryAfterLate), Title: "a retry comes later than Retry-After asked, inside the cap"},
		{Number: 7, Name: string(clampedToCap), Title: "a larger Retry-After is cut to the cap"},
		{Number: 8, Name: string(ambiguousEnd), Title: "the same id and bytes come again after a timeout, or a reset once the body was read"},
		{Number: 13, Name: string(codesOtherWay), Contract: CodesOtherWay, Title: "408, 409, 423 and 425 are retried, 501 and 505 are not"},
		{Number: 18, Name: string(partialRead), Title: "of an answer's body 8 bytes are read, and then the connection is closed"},
		{Number: 23, Name: string(stopsAtDeadline), Contract: SubSecond, Title: "the deadline comes before the attempts are used up"},
		{Number: 24, Name: string(retryAfterGivesUp), Title: "a Retry-After past the deadline ends the delivery at once"},
		{Number: 24, Name: string(retryAfterWaitsOut), Title: "a Retry-After past the deadline ends the delivery at the deadline, without another attempt"},
	}
}

// stateVariants differ in how deliveries get on beside one another, and in what is kept of them.
func stateVariants() []Variant {
	return []Variant{
		{Number: 12, Name: string(refusesUnderLoad), Title: "events are refused while many wait at their endpoint"},
		{Number: 14, Name: string(newestFirst), Title: "of what is due at an endpoint the latest goes first"},
		{Number: 15, Name: string(parallelToLimit), Title: "an endpoint has as many requests in flight as it may have"},
		{Number: 17, Name: string(pingOnRegistration), Title: "an endpoint that is registered gets an event that says so"},
		{Number: 19, Name: string(onTheWire), Title: "a request is on the wire when its endpoint is disabled"},
		{
			Number: 19, Name: string(takesEffectLate), Contract: TakesEffectLate,
			Title: "requests go by what an endpoint was like for 2 s after it was disabled or got a new key",
		},
		{Number: 20, Name: string(deadAtOnce), Title: "a permanent failure is among the dead letters at once"},
		{Number: 21, Name: string(recordLate), Title: "an attempt shows in the records 0.7 s after its start"},
	}
}
