package refsender

// requestDefects are bugs in what a request carries.
func requestDefects() []Defect {
	return []Defect{
		{
			Name: string(sigReserialised), MustFail: "sig.verifies", MayAlso: company(),
			Title: "the signature is made over another layout of the JSON than is sent",
		},
		{
			Name: string(sigBodyOnly), MustFail: "sig.covers-metadata",
			// Of keys that the sender issued it is known only that they do not verify, and not why.
			MayAlso: company("sig.verifies"),
			Title:   "the signature covers the body and nothing else",
		},
		{
			// Where the sender sets no header, that of the endpoint's configuration arrives; from a body its place is gone as well.
			Name: string(sigMissingOnRetry), MustFail: "sig.verifies", MayAlso: company("wire.headers", "body.stable"), Also: []string{SignedInside},
			Title: "retries carry no signature",
		},
		{
			// A signature from before a rotation is by the old key.
			Name: string(tsStaleOnRetry), MustFail: "time.fresh", MayAlso: company("secret.rotation"), Also: []string{SignedInside},
			Title: "timestamp and signature are made once and reused by every retry",
		},
		{
			Name: string(tsMilliseconds), MustFail: "time.format", MayAlso: company("time.fresh"), Also: []string{SignedInside},
			Title: "the signed time is in milliseconds",
		},
		{
			Name: string(createdLocalZone), MustFail: "time.payload", MayAlso: company(),
			Title: "the event time is local and has no offset",
		},
		{
			Name: string(idMissing), MustFail: "id.present", MayAlso: company("envelope.fields", "wire.headers"),
			Title: "the id's header is left out",
		},
		{
			Name: string(idNewOnRetry), MustFail: "id.stable", Load: "acceptance.absorbed", MayAlso: company("body.stable", "effect.once"),
			Title: "each retry carries a new id, in header and body",
		},
		{
			Name: string(idReused), MustFail: "id.unique", MayAlso: company("effect.once"),
			Title: "every second event of an endpoint carries the id of the one before",
		},
		{
			Name: string(bodyEmptyOnRetry), MustFail: "body.stable", MayAlso: company("sig.verifies"),
			Title: "the body of a retry is empty",
		},
		{
			Name: string(bodyRebuiltOnRetry), MustFail: "body.stable", MayAlso: company(),
			Title: "the body of a retry is built from the current state of the object",
		},
		{
			Name: string(bodyNumberRounded), MustFail: "body.matches", MayAlso: company(),
			Title: "numbers pass through a double",
		},
		{
			Name: string(envelopeFieldMissing), MustFail: "envelope.fields", MayAlso: company(),
			Title: "the payload lacks the API version, or the event time where there is none",
		},
		{
			Name: string(typeUndeclared), MustFail: "envelope.type", MayAlso: company(),
			Title: "types are sent with a dash for the dot",
		},
		{
			Name: string(ctWrong), MustFail: "wire.headers", MayAlso: company(),
			Title: "JSON is labelled as form data",
		},
		{
			Name: string(urlQueryStripped), MustFail: "wire.target", MayAlso: company(),
			Title: "the query of the endpoint's URL is left out",
		},
		{
			Name: string(bodyCodingFalse), MustFail: "wire.framing", MayAlso: company(),
			Title: "the body is said to be compressed and is not",
		},
	}
}

// answerDefects are bugs in what follows an answer, and when.
func answerDefects() []Defect {
	return []Defect{
		{
			Name: string(only200Success), MustFail: "outcome.2xx", MayAlso: company("log.complete"),
			Title: "only 200 counts as success; other 2xx are retried",
		},
		{
			Name: string(anyResponseSuccess), MustFail: "outcome.failure",
			MayAlso: company("retry.transient", "budget.attempts", "durable.no-loss", "replay.range", "replay.pending", "dlq.entry"),
			Title:   "any answer counts as delivered",
		},
		{
			Name: string(redirectStatusSuccess), MustFail: "outcome.failure", MayAlso: company(),
			Title: "3xx counts as delivered",
		},
		{
			// On the wire, an event that was given up after a 503 looks like one that waits.
			Name: string(noRetry5xx), MustFail: "retry.transient", Load: "acceptance.rate", MayAlso: company("replay.pending"),
			Title: "5xx is taken for permanent and not retried",
		},
		{
			Name: string(noRetry429), MustFail: "retry.transient", MayAlso: company(),
			Title: "429 is taken for permanent and not retried",
		},
		{
			Name: string(noRetryTimeout), MustFail: "retry.transient", MayAlso: company(),
			Title: "a timeout is taken for permanent and not retried",
		},
		{
			Name: string(noRetryReset), MustFail: "retry.transient", MayAlso: company("net.survives"),
			Title: "a broken connection is taken for permanent and not retried",
		},
		{
			Name: string(retryPermanent4xx), MustFail: "retry.permanent", MayAlso: company(),
			Title: "permanent 4xx are retried",
		},
		{
			Name: string(noBackoff), MustFail: "backoff.bounds", MayAlso: company(),
			Title: "a retry waits for the jitter only",
		},
		{
			Name: string(noJitter), MustFail: "backoff.jitter", MayAlso: company(),
			Title: "waits have no jitter",
		},
		{
			Name: string(raIgnored), MustFail: "backoff.retry-after", MayAlso: company(),
			Title: "Retry-After is ignored",
		},
		{
			Name: string(raDateIgnored), MustFail: "backoff.retry-after", MayAlso: company(),
			Title: "only the seconds form of Retry-After is read",
		},
		{
			// The attempt that is left out may be the first whose connection holds.
			Name: string(attemptsOffByOne), MustFail: "budget.attempts", MayAlso: company("net.survives"), Also: []string{LimitOne, LimitTwo, LimitFive},
			Title: "one attempt is made less than declared, or one more where one or two are declared",
		},
		{
			Name: string(deadlineOverrun), MustFail: "budget.deadline", MayAlso: company(),
			Title: "the deadline is not looked at before an attempt",
		},
		{
			// Events behind requests that hang wait for ever.
			Name: string(noRequestTimeout), MustFail: "timeout.request", MayAlso: company("durable.no-loss"),
			Title: "a request waits for its answer without limit",
		},
		{
			Name: string(responseUnbounded), MustFail: "timeout.response", MayAlso: company(),
			Title: "an answer's body is read to its end, wherever that is",
		},
		{
			// A request that was read and not answered looks the same to the sender where the connection was kept.
			Name: string(keepaliveLoss), MustFail: "net.survives", MayAlso: company("retry.transient"),
			Title: "a kept connection that has ended is taken for a permanent failure",
		},
		{
			Name: string(redirectPostToGet), MustFail: "sec.no-redirect", MayAlso: company("outcome.failure"),
			Title: "a redirect to another path is followed by GET, and its answer counts",
		},
		{
			Name: string(redirectToInternal), MustFail: "sec.no-internal", MayAlso: company("sec.no-redirect"),
			Title: "a redirect to another address is followed there",
		},
	}
}

// keyDefects are bugs in the care of keys.
func keyDefects() []Defect {
	return []Defect{
		{
			Name: string(rotationCachedOld), MustFail: "secret.rotation", MayAlso: company(),
			Title: "after a rotation requests are signed by the old key only",
		},
		{
			Name: string(rotationOldNeverDropped), MustFail: "secret.rotation", MayAlso: company(),
			Title: "the old key signs on after the overlap and after a revocation",
		},
		{
			Name: string(secretInLog), MustFail: "secret.no-leak", MayAlso: company(),
			Title: "the key stands in the log line of a failed attempt",
		},
		{
			Name: string(secretShared), MustFail: "secret.isolation", MayAlso: company("sig.verifies"),
			Title: "all endpoints of a tenant and environment are signed for with the key of the first one",
		},
		{
			Name: string(secretEnvironmentsShared), MustFail: "secret.environments", MayAlso: company(),
			Title: "the same key is issued for test and live",
		},
		{
			Name: string(secretShownAgain), MustFail: "secret.shown-once", MayAlso: company(),
			Title: "the key is shown when the endpoint is read",
		},
	}
}

// queueDefects are bugs in how deliveries get on beside one another.
func queueDefects() []Defect {
	return []Defect{
		{
			Name: string(holSingleWorker), MustFail: "fair.isolation", MayAlso: company(),
			Title: "all endpoints of a customer share one worker, so that one that hangs holds up the others",
		},
		{
			Name: string(emitWaitsForDelivery), MustFail: "fair.isolation", MayAlso: company(),
			Title: "an emit of a customer's event returns only when the first attempt has ended",
		},
		{
			Name: string(concurrencyUnlimited), MustFail: "fair.concurrency", MayAlso: company(),
			Title: "an endpoint gets as many requests at once as there are workers",
		},
		{
			Name: string(orderOvertake), MustFail: "order.per-key", MayAlso: company(), Contract: OrderPerKey,
			Title: "a later event overtakes one about the same object that waits for its retry",
		},
	}
}

// recordDefects are bugs in what is kept, resumed, repeated and told.
func recordDefects() []Defect {
	return []Defect{
		{
			Name: string(lossOnKill), MustFail: "durable.no-loss", MayAlso: company(),
			Title: "accepted events that are still pending do not survive a kill",
		},
		{
			Name: string(lossOnShutdown), MustFail: "durable.no-loss", MayAlso: company(),
			Title: "accepted events that are still pending do not survive a graceful stop",
		},
		{
			Name: string(dupAfterRestart), MustFail: "durable.no-dup", MayAlso: company(),
			Title: "delivered events are sent again after a graceful restart",
		},
		{
			Name: string(phantomOnRollback), MustFail: "durable.no-phantom", MayAlso: company(),
			Title: "the event of a business change that was rolled back is sent",
		},
		{
			Name: string(goneNotDisabled), MustFail: "life.stop", MayAlso: company("retry.permanent"), Contract: GoneDisables,
			Title: "a final answer does not stop the endpoint",
		},
		{
			Name: string(sendAfterDisable), MustFail: "life.stop", MayAlso: company(),
			Title: "pending retries go on after the endpoint was disabled or deleted",
		},
		{
			Name: string(scopeIgnoresFilter), MustFail: "scope.match", MayAlso: company(),
			Title: "the type filter of endpoints is ignored",
		},
		{
			Name: string(replayPendingAccepted), MustFail: "replay.pending", MayAlso: company(),
			Title: "an event that waits for its next attempt is replayed",
		},
		{
			Name: string(replayNewID), MustFail: "replay.identity", MayAlso: company("replay.body", "effect.once"),
			Title: "a replay carries a new id, in header and body",
		},
		{
			Name: string(replayStaleTimestamp), MustFail: "replay.fresh", MayAlso: company("time.fresh"), Also: []string{SignedInside},
			Title: "a replay repeats timestamp and signature of the first attempt",
		},
		{
			Name: string(replayWrapsPayload), MustFail: "replay.body", MayAlso: company(),
			Title: "a replay wraps the payload into another envelope",
		},
		{
			Name: string(replayRangeAll), MustFail: "replay.range", MayAlso: company(),
			Title: "a replay by time range ignores the range",
		},
		{
			Name: string(replayNotSent), MustFail: "ability.shown", MayAlso: company(),
			Title: "a replay of one event is accepted and never sent",
		},
		{
			Name: string(logMissingAttempt), MustFail: "log.complete", MayAlso: company(),
			Title: "attempts without an answer are missing in the log",
		},
		{
			Name: string(logNextAttemptWrong), MustFail: "log.next-attempt", MayAlso: company(),
			Title: "the log announces the next attempt for 30 s too late",
		},
		{
			Name: string(logStateStale), MustFail: "log.state", MayAlso: company(),
			Title: "state and last failure in the log are those before the latest failed attempt",
		},
		{
			Name: string(logRawAnswer), MustFail: "log.safe", MayAlso: company(),
			Title: "the answer to a failed attempt is printed as it came",
		},
		{
			Name: string(dlqMissing), MustFail: "dlq.entry", MayAlso: company("durable.no-loss"),
			Title: "events that were given up are not among the dead letters",
		},
		{
			Name: string(dlqNoReason), MustFail: "dlq.entry", Load: "acceptance.dead-letters", MayAlso: company(),
			Title: "dead letters give no reason",
		},
		{
			Name: string(dlqNoHint), MustFail: "dlq.hint", MayAlso: company(),
			Title: "dead letters of permanent failures give no hint",
		},
		{
			Name: string(silent), MustFail: "durable.no-loss", MayAlso: []string{"*"},
			Title: "accepts events and sends nothing",
		},
	}
}
