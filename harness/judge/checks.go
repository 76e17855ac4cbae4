package judge

// Check is a rule with an id. Its level follows from the contract: MUST, unless the contract only advises it.
type Check struct {
	ID    string // family.rule
	Title string // what holds
	Rests string // the contract's sentence that it rests on
	Needs string // the promise, and the ability, without which it is not applicable

	// absent says why the contract does not promise it; "" if it does.
	absent func(*trial) string
	judge  func(*view) Verdict
}

// Checks returns all checks, in the order in which reports show them. It is the only list of them.
func Checks() []Check {
	return []Check{
		{
			"sig.verifies", "every request is signed as declared, over the bytes on the wire",
			"Every attempt, retry and replay carries a signature by a key that is valid at that time.",
			"signature", needSignature, sigVerifies,
		},
		{
			"sig.covers-metadata", "the signature covers id, time and body as declared",
			"The signed content is id, time and body as declared, and not less.",
			"signature over more than the body", needMetadata, sigCoversMetadata,
		},
		{
			"time.fresh", "the signed time is that of the attempt",
			"Every attempt is signed anew with its own time, within the tolerance.",
			"signature with a time, signed anew on each attempt", signsTime, timeFresh,
		},
		{
			"time.format", "the signed time has the declared unit and form",
			"Declared unit and form of the signed time; header and signed value agree.",
			"signature with a time", needSignedTime, timeFormat,
		},
		{
			"time.payload", "the time in the body has an offset and is that of the emission",
			"The event's own time, with offset.",
			"envelope.created", needCreated, timePayload,
		},
		{
			"id.present", "each attempt carries the event's id where the contract says",
			"The envelope names the event by an id, and a header repeats it.",
			"identity", needIdentity, idPresent,
		},
		{
			"id.stable", "all attempts of one event carry one id",
			"The event's id is frozen at creation.",
			"identity, more than one attempt", again(needIdentity), idStable,
		},
		{
			"id.unique", "different events have different ids",
			"Different events have different ids.",
			"identity", needIdentity, idUnique,
		},
		{
			"body.stable", "all attempts of one event carry the same body",
			"The body is frozen at creation; every retry sends it again.",
			"body, more than one attempt", again(needBody), bodyStable,
		},
		{
			"body.matches", "the first attempt carries what was emitted",
			"Business fields stand under the data field, as they were handed over.",
			"envelope", needEnvelope, bodyMatches,
		},
		{
			"envelope.fields", "the body has the declared fields, and business fields only under the data field",
			"The envelope names type, time and version; business fields stand only under the data field.",
			"envelope", needEnvelope, envelopeFields,
		},
		{
			"envelope.type", "the type is the emitted one, and declared",
			"The type says what happened, in the declared form, and stands in the declared list.",
			"envelope", needEnvelope, envelopeType,
		},
		{
			"wire.headers", "media type right, reserved headers there once",
			"Every request names the declared media type; the headers of id and signature are the sender's own.",
			"body.media_type, or a header of id or signature", needHeaders, wireHeaders,
		},
		{
			"wire.target", "requests go to the URL as registered",
			"Each request goes to the URL as it was registered, path and query byte for byte, by the declared method.",
			"request.method or request.target", needTarget, wireTarget,
		},
		{
			"wire.framing", "one consistent framing; length and coding match the bytes",
			"Each request frames its body in one way, as declared, and says of its length and coding what is so.",
			"request.framing", needFraming, wireFraming,
		},
		{
			"outcome.2xx", "a complete success ends the delivery",
			"Any success status means delivered, whatever the answer's body.",
			"answers", nothingNeeded, outcomeSuccess,
		},
		{
			"outcome.failure", "no failure is recorded as delivered",
			"Every other answer is no success.",
			"answers", nothingNeeded, outcomeFailure,
		},
		{
			"retry.transient", "a transient failure is followed by another attempt",
			"These statuses and errors are retried while attempts and deadline allow.",
			"schedule with more than one attempt, and failures that are retried", needTransient, retryTransient,
		},
		{
			"retry.permanent", "a permanent failure is not retried",
			"Every other answer goes straight to the dead letter.",
			"answers that are not retried", needPermanent, retryPermanent,
		},
		{
			"backoff.bounds", "each wait lies in its declared band",
			"The waits before the attempts are these, plus jitter.",
			"schedule with more than one attempt", again(needSteps), backoffBounds,
		},
		{
			"backoff.jitter", "waits of events that fail together are spread as declared",
			"Waits have a random part, so that events that fail together do not come again together.",
			"schedule with jitter", needJitter, backoffJitter,
		},
		{
			"backoff.retry-after", "Retry-After is heeded as declared",
			"On these statuses the sender waits as Retry-After says, up to the cap and inside the deadline.",
			"schedule and retry_after", needRetryAfter, backoffRetryAfter,
		},
		{
			"budget.attempts", "a failing event gets the declared number of attempts",
			"So many attempts are made, the first included, unless the deadline comes first.",
			"schedule with a number of attempts, and failures that are retried", needCount, budgetAttempts,
		},
		{
			"budget.deadline", "no attempt starts after the deadline, and the end is recorded",
			"Everything counts towards the total deadline, after which the event is a dead letter.",
			"schedule with a deadline", needDeadline, budgetDeadline,
		},
		{
			"timeout.request", "an attempt ends within the declared time",
			"One request takes at most so long in all.",
			"schedule with a timeout", needTimeout, timeoutRequest,
		},
		{
			"timeout.response", "the bytes taken from an answer are bounded",
			"Of an answer's body so many bytes are taken at most.",
			"answers.max_read", needMaxRead, timeoutResponse,
		},
		{
			"net.survives", "a connection that fails does not lose the event",
			"A connection that ends without an answer is a transient failure: another attempt follows.",
			"answers.errors with connection, schedule with more than one attempt", needSurvives, netSurvives,
		},
		{
			"net.leak", "open connections settle at the declared bound",
			"Idle connections to one endpoint are kept so many at most, and so long.",
			"network.idle_connections or network.idle_timeout", needLeak, netLeak,
		},
		{
			"sec.no-redirect", "no request reaches a redirect's target",
			"Redirects are never followed: a signed body must not travel on.",
			"answers.redirects: fail", needNoRedirect, secNoRedirect,
		},
		{
			"sec.no-internal", "no connection is made to an address that was not registered",
			"Connections are made only to addresses that endpoints were registered with.",
			"network.addresses", needAddresses, secNoInternal,
		},
		{
			"sec.tls", "nothing is sent over a TLS session that was not verified, and configured trust works",
			"The receiver's certificate is checked, its trust, its time and its name, before anything is sent.",
			"network.tls, and a sender that can be told to trust an authority", needTLS, secTLS,
		},
		{
			"durable.no-loss", "each accepted event arrives or is recorded as given up",
			"An accepted event survives a crash and is never silently lost.",
			"durability.accepted", needAccepted, durableNoLoss,
		},
		{
			"durable.no-dup", "a delivered event is not sent again, and never twice at once",
			"No request follows a success that the sender has seen.",
			"durability.no_duplicate_after_success", needNoDuplicate, durableNoDup,
		},
		{
			"durable.no-phantom", "the event of a change that was rolled back never arrives",
			"Business change and event are committed together or not at all.",
			"durability.outbox, and a sender that can roll back", needOutbox, durableNoPhantom,
		},
		{
			"fair.isolation", "trouble at one endpoint delays neither another nor the emitter",
			"Trouble at one endpoint delays or stops neither another nor the emitter.",
			"fairness.isolated", needIsolation, fairIsolation,
		},
		{
			"fair.concurrency", "requests in flight to one endpoint stay within the limit",
			"So many requests to one endpoint are in flight at most.",
			"fairness.per_endpoint", needConcurrency, fairConcurrency,
		},
		{
			"ability.shown", "a call that the sender accepts has its effect",
			"What the driver declares, the sender can do.",
			"replay, or a sender whose driver declares it or custom headers", needShown, abilityShown,
		},
		{
			"order.per-key", "no event overtakes an earlier one of its key",
			"An event is sent only once all earlier ones about the same object are delivered or given up.",
			"order per key", needOrder, orderPerKey,
		},
		{
			"replay.identity", "a replay carries the declared id",
			"A manual replay keeps the event's id.",
			"replay and identity", needReplayIdentity, replayIdentity,
		},
		{
			"replay.body", "a replay carries the original body",
			"A manual replay sends the same bytes.",
			"replay", needReplay, replayBody,
		},
		{
			"replay.fresh", "a replay is signed anew, with a key that is valid now",
			"A manual replay has a fresh time and a fresh signature by the current key.",
			"replay, and signature with a time", needReplayFresh, replayFresh,
		},
		{
			"replay.range", "exactly the dead letters of a time range are replayed",
			"A manual replay is possible for one event and by time range.",
			"replay.range, and a sender that can replay by range", needRange, replayRange,
		},
		{
			"replay.pending", "a pending event is not replayed",
			"The replay of an event that waits for its next attempt is refused.",
			"replay.pending and schedule", needPending, replayPending,
		},
		{
			"scope.match", "events reach the endpoints that they match, and no others",
			"An event goes to all endpoints of its tenant whose filter lets it pass, and to no others.",
			"a sender that can fan out", needFanOut, scopeMatch,
		},
		{
			"life.stop", "nothing comes after an endpoint was stopped, and enable resumes",
			"After disable or delete, or an answer that says so, the endpoint gets nothing more; enable resumes.",
			"answers.disable, or a sender that can disable or delete", needStop, lifeStop,
		},
		{
			"life.threshold", "an endpoint that keeps failing is disabled by the declared rule, and not before",
			"An endpoint is disabled after so many failures, or after failures for so long, and gets nothing more until it is enabled.",
			"auto_disable", needThreshold, lifeThreshold,
		},
		{
			"secret.rotation", "requests are signed with the keys whose time it is",
			"After a rotation both keys sign for the declared overlap, then the new one alone; a revoked key signs no more at once.",
			"keys and signature, and a sender that can rotate or revoke", needRotation, secretRotation,
		},
		{
			"secret.no-leak", "keys and full signatures stand nowhere else",
			"Keys and full signatures appear in no log or error.",
			"keys and signature", needKeys, secretNoLeak,
		},
		{
			"secret.isolation", "no request verifies with another endpoint's key",
			"One key per customer, environment and endpoint: a key that leaks opens one of them only.",
			"keys.per_scope and signature", needScopes, secretIsolation,
		},
		{
			"secret.environments", "test and live have keys of their own",
			"Test and live have keys of their own.",
			"keys.per_scope with environment, and a sender that issues keys and has environments", needEnvironments, secretEnvironments,
		},
		{
			"secret.shown-once", "an endpoint that is read back shows no key",
			"A key is shown once.",
			"keys.shown_once, and a sender whose endpoints can be read", needShownOnce, secretShownOnce,
		},
		{
			"log.complete", "the log has one true record for each attempt",
			"Per attempt the log has time, status and digest of the answer.",
			"log, and a sender whose log can be read", needLog, logComplete,
		},
		{
			"log.next-attempt", "the advertised next attempt is true, and none is advertised at the end",
			"The log says when the next try is.",
			"log.state and schedule, and a sender whose log can be read", needNext, logNextAttempt,
		},
		{
			"log.state", "state and last failure are as seen",
			"The log says what state the event is in and why it last failed.",
			"log.state, and a sender whose log can be read", needState, logState,
		},
		{
			"log.safe", "what a receiver answers is shown escaped",
			"What a receiver answers is stored and shown escaped.",
			"log.escaped, and a sender whose output is heard or whose log can be read", needEscaped, logSafe,
		},
		{
			"dlq.entry", "each event that was given up has one true entry",
			"The dead letter keeps payload, last status, attempts, reason and replays.",
			"dead_letter, and a sender whose dead letters can be read", needDead, dlqEntry,
		},
		{
			"dlq.hint", "a permanent failure hints at the configuration",
			"A permanent failure points to the endpoint's configuration.",
			"dead_letter.hint, and a sender whose dead letters can be read", needHint, dlqHint,
		},
		{
			"effect.once", "an event that comes again has one effect",
			"Duplicates carry one id, so that the receiver absorbs them.",
			"identity", needIdentity, effectOnce,
		},
		{
			"effect.rollback", "a failed business write leaves nothing behind, and the redelivery succeeds",
			"Local effects and their mark commit together or not at all.",
			"identity, more than one attempt", again(needIdentity), effectRollback,
		},
		{
			"acceptance.rate", "the declared share of events is delivered by the sender's own attempts",
			"Of the latest events this share is delivered at first try or after retry.",
			"acceptance", needAcceptance, acceptanceRate,
		},
		{
			"acceptance.absorbed", "events that come again after reliable receipt have one effect each",
			"Duplicates are part of the design and are absorbed.",
			"acceptance, more than one attempt", again(needAcceptance), acceptanceAbsorbed,
		},
		{
			"acceptance.dead-letters", "every dead letter states its reason and its replay",
			"Every dead letter has a reason and, when replayed, a record of it.",
			"acceptance and dead_letter", needAcceptanceDead, acceptanceDeadLetters,
		},
	}
}
