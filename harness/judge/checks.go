package judge

import "github.com/hookassay/hookassay/harness/contract"

// Check is a rule with an id. Its level follows from the contract: MUST, unless the contract only advises it.
type Check struct {
	ID     string `json:"id"`
	Family string `json:"family"`
	Title  string `json:"title"` // what holds
	Rests  string `json:"rests"` // the contract's sentence that it rests on
	Needs  string `json:"needs"` // the promise without which it is not applicable

	// absent says why the contract does not promise it; "" if it does.
	absent func(*trial) string
	judge  func(*view) Verdict
}

// Checks returns all checks, in the order in which reports show them. It is the only list of them.
func Checks() []Check {
	return []Check{
		{
			"sig.verifies", "sig", "every request is signed as declared, over the bytes on the wire",
			"Every attempt, retry and replay carries a signature by a key that is valid at that time.",
			"signature", needSignature, sigVerifies,
		},
		{
			"time.fresh", "time", "the signed time is that of the attempt",
			"Every attempt is signed anew with its own time, within the tolerance.",
			"signature with a time, signed anew on each attempt", signsTime, timeFresh,
		},
		{
			"id.present", "id", "each attempt carries the event's id where the contract says",
			"The envelope names the event by an id, and a header repeats it.",
			"identity", needIdentity, idPresent,
		},
		{
			"id.stable", "id", "all attempts of one event carry one id",
			"The event's id is frozen at creation.",
			"identity", needIdentity, idStable,
		},
		{
			"body.stable", "body", "all attempts of one event carry the same body",
			"The body is frozen at creation; every retry sends it again.",
			"body", needBody, bodyStable,
		},
		{
			"body.matches", "body", "the first attempt carries what was emitted",
			"Business fields stand under the data field, as they were handed over.",
			"envelope", needEnvelope, bodyMatches,
		},
		{
			"outcome.2xx", "outcome", "a complete success ends the delivery",
			"Any success status means delivered, whatever the answer's body.",
			"answers", nothingNeeded, outcomeSuccess,
		},
		{
			"retry.transient", "retry", "a transient failure is followed by another attempt",
			"These statuses and errors are retried while attempts and deadline allow.",
			"schedule with more than one attempt", needRetries, retryTransient,
		},
		{
			"retry.permanent", "retry", "a permanent failure is not retried",
			"Every other answer goes straight to the dead letter.",
			"answers", nothingNeeded, retryPermanent,
		},
		{
			"backoff.bounds", "backoff", "each wait lies in its declared band",
			"The waits before the attempts are these, plus jitter.",
			"schedule", needSchedule, backoffBounds,
		},
		{
			"backoff.retry-after", "backoff", "Retry-After is heeded as declared",
			"On these statuses the sender waits as Retry-After says, up to the cap and inside the deadline.",
			"schedule and retry_after", needRetryAfter, backoffRetryAfter,
		},
		{
			"budget.attempts", "budget", "a failing event gets the declared number of attempts",
			"So many attempts are made, the first included, unless the deadline comes first.",
			"schedule", needSchedule, budgetAttempts,
		},
		{
			"budget.deadline", "budget", "no attempt starts after the deadline, and the end is recorded",
			"Everything counts towards the total deadline, after which the event is a dead letter.",
			"schedule with a deadline", needDeadline, budgetDeadline,
		},
		{
			"timeout.request", "timeout", "an attempt ends within the declared time",
			"One request takes at most so long in all.",
			"schedule with a timeout", needTimeout, timeoutRequest,
		},
		{
			"durable.no-loss", "durable", "each accepted event arrives or is recorded as given up",
			"An accepted event survives a crash and is never silently lost.",
			"durability.accepted", needAccepted, durableNoLoss,
		},
		{
			"durable.no-dup", "durable", "a delivered event is not sent again, and never twice at once",
			"No request follows a success that the sender has seen.",
			"durability.no_duplicate_after_success", needNoDuplicate, durableNoDup,
		},
		{
			"replay.identity", "replay", "a replay carries the declared id",
			"A manual replay keeps the event's id.",
			"replay and identity", needReplayIdentity, replayIdentity,
		},
		{
			"replay.body", "replay", "a replay carries the original body",
			"A manual replay sends the same bytes.",
			"replay", needReplay, replayBody,
		},
		{
			"replay.fresh", "replay", "a replay is signed anew, with a key that is valid now",
			"A manual replay has a fresh time and a fresh signature by the current key.",
			"replay, and signature with a time", needReplayFresh, replayFresh,
		},
		{
			"effect.once", "effect", "an event that comes again has one effect",
			"Duplicates carry one id, so that the receiver absorbs them.",
			"identity", needIdentity, effectOnce,
		},
		{
			"effect.rollback", "effect", "a failed business write leaves nothing behind, and the redelivery succeeds",
			"Local effects and their mark commit together or not at all.",
			"identity", needIdentity, effectRollback,
		},
		{
			"acceptance.rate", "acceptance", "the declared share of events is delivered by the sender's own attempts",
			"Of the latest events this share is delivered at first try or after retry.",
			"acceptance", needAcceptance, acceptanceRate,
		},
		{
			"acceptance.absorbed", "acceptance", "events that come again after reliable receipt have one effect each",
			"Duplicates are part of the design and are absorbed.",
			"acceptance", needAcceptance, acceptanceAbsorbed,
		},
		{
			"acceptance.dead-letters", "acceptance", "every dead letter states its reason and its replay",
			"Every dead letter has a reason and, when replayed, a record of it.",
			"acceptance and dead_letter", needAcceptanceDead, acceptanceDeadLetters,
		},
	}
}

func nothingNeeded(*trial) string { return "" }

func unless(promised bool, what string) string {
	if promised {
		return ""
	}
	return "the contract promises no " + what
}

func needSignature(t *trial) string {
	return unless(t.c.Signature != nil && t.scheme != nil, "signature of a known scheme")
}

func needIdentity(t *trial) string {
	id := t.c.Identity
	return unless(id != nil && (id.Header != "" || id.Body != ""), "place of the event's id")
}

func needBody(t *trial) string     { return unless(t.c.Body != nil, "stable body") }
func needEnvelope(t *trial) string { return unless(t.c.Envelope != nil, "envelope") }

func needSchedule(t *trial) string {
	return unless(t.c.Schedule != nil && t.c.Schedule.Count() > 0, "schedule")
}

func needRetries(t *trial) string {
	return unless(t.c.Schedule == nil || t.c.Schedule.Count() > 1, "second attempt")
}

func needRetryAfter(t *trial) string {
	if why := needSchedule(t); why != "" {
		return why
	}
	return unless(t.c.RetryAfter != nil, "heed of Retry-After")
}

func needDeadline(t *trial) string {
	return unless(t.c.Schedule != nil && t.c.Schedule.Deadline > 0, "deadline")
}

func needTimeout(t *trial) string {
	return unless(t.c.Schedule != nil && t.c.Schedule.Timeout > 0, "request timeout")
}

func needAccepted(t *trial) string {
	return unless(t.c.Durability != nil && t.c.Durability.Accepted, "durability of accepted events")
}

func needNoDuplicate(t *trial) string {
	return unless(t.c.Durability != nil && t.c.Durability.NoDuplicateAfterSuccess, "end of requests after a success")
}

func needReplay(t *trial) string { return unless(t.c.Replay != nil, "replay") }

func needReplayIdentity(t *trial) string {
	if why := needReplay(t); why != "" {
		return why
	}
	return needIdentity(t)
}

func needReplayFresh(t *trial) string {
	if why := needReplay(t); why != "" {
		return why
	}
	return signsTime(t)
}

func needAcceptance(t *trial) string { return unless(t.c.Acceptance != nil, "delivery rate") }

func needAcceptanceDead(t *trial) string {
	if why := needAcceptance(t); why != "" {
		return why
	}
	return unless(t.c.DeadLetter != nil && t.c.DeadLetter.Kept, "dead letters")
}

// replaysKeepID tells whether a replay carries the id of the original.
func replaysKeepID(c *contract.Contract) bool { return c.Replay == nil || c.Replay.ID != "new" }
