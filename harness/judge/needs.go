package judge

import (
	"slices"

	"github.com/hookassay/hookassay/harness/contract"
)

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

func needHeaders(t *trial) string {
	media := t.c.Body != nil && t.c.Body.MediaType != ""
	return unless(media || len(t.reserved()) > 1, "media type and no header of id or signature")
}

func needTarget(t *trial) string {
	r := t.c.Request
	return unless(r != nil && (r.Method != "" || r.Target != ""), "method and target of requests")
}

func needFraming(t *trial) string {
	return unless(t.c.Request != nil && t.c.Request.Framing != "", "framing of requests")
}

func needSchedule(t *trial) string {
	return unless(t.c.Schedule != nil && t.c.Schedule.Count() > 0, "schedule")
}

// needSteps is needSchedule for what compares waits with the published ones.
func needSteps(t *trial) string {
	return firstReason(needSchedule(t), unless(t.c.Schedule == nil || t.c.Schedule.Stepped(), "waits before attempts"))
}

// needCount wants a published number of attempts, and failures that are retried.
func needCount(t *trial) string {
	return firstReason(needSchedule(t), unless(t.c.Schedule == nil || t.c.Schedule.Counted(), "number of attempts"), someTransient(t))
}

// needTransient is for what is seen of failures that are retried: some senders retry none.
func needTransient(t *trial) string {
	return firstReason(needRetries(t), someTransient(t))
}

func someTransient(t *trial) string {
	a := t.c.Answers
	return unless(len(a.Retry)+len(a.Errors) > 0 || a.Otherwise == contract.OtherwiseRetry, "retry of any failure")
}

// needPermanent is for what is seen of failures that are not retried: some senders retry all.
func needPermanent(t *trial) string {
	a := t.c.Answers
	errors := []string{contract.ErrorTimeout, contract.ErrorConnection, contract.ErrorTLS}
	unlisted := slices.ContainsFunc(errors, func(kind string) bool { return !t.c.TransientError(kind) && !t.c.OpenError(kind) })
	return unless(len(a.Permanent)+len(a.Disable) > 0 || a.Otherwise == contract.OtherwisePermanent || unlisted, "failure that is not retried")
}

func needRetries(t *trial) string {
	return unless(t.c.Schedule == nil || t.c.Schedule.Count() > 1, "second attempt")
}

// again is need of what compares an attempt with the one before: where the contract promises one attempt, there never are two.
func again(need func(*trial) string) func(*trial) string {
	return func(t *trial) string { return firstReason(need(t), needRetries(t)) }
}

func needRetryAfter(t *trial) string {
	return firstReason(needSchedule(t), unless(t.c.RetryAfter != nil, "heed of Retry-After"))
}

func needDeadline(t *trial) string {
	return unless(t.c.Schedule != nil && t.c.Schedule.Deadline > 0, "deadline")
}

func needTimeout(t *trial) string {
	return unless(t.c.Schedule != nil && t.c.Schedule.Timeout > 0, "request timeout")
}

func needMaxRead(t *trial) string {
	return unless(t.c.Answers.MaxRead > 0, "bound on what is taken of an answer")
}

func needNoRedirect(t *trial) string {
	return unless(t.c.Answers.Redirects == "fail", "end of attempts at redirects")
}

func needAddresses(t *trial) string {
	return unless(t.c.Network != nil && t.c.Network.Addresses != "", "limit to the addresses that are connected to")
}

func needAccepted(t *trial) string {
	return unless(t.c.Durability != nil && t.c.Durability.Accepted, "durability of accepted events")
}

func needNoDuplicate(t *trial) string {
	return unless(t.c.Durability != nil && t.c.Durability.NoDuplicateAfterSuccess, "end of requests after a success")
}

// needShown holds for whoever can replay or set headers, whether the contract promises it or not.
func needShown(t *trial) string {
	if t.can(abilityReplay) || t.can(abilityReplayRange) || t.can(abilitySetHeaders) {
		return ""
	}
	return needReplay(t)
}

func needReplay(t *trial) string { return unless(t.c.Replay != nil, "replay") }

func needReplayIdentity(t *trial) string { return firstReason(needReplay(t), needIdentity(t)) }

func needReplayFresh(t *trial) string { return firstReason(needReplay(t), signsTime(t)) }

func needAcceptance(t *trial) string { return unless(t.c.Acceptance != nil, "delivery rate") }

func needAcceptanceDead(t *trial) string {
	return firstReason(needAcceptance(t), unless(t.c.DeadLetter != nil && t.c.DeadLetter.Kept, "dead letters"))
}

// replaysKeepID tells whether a replay carries the id of the original.
func replaysKeepID(c *contract.Contract) bool { return c.Replay == nil || c.Replay.ID != "new" }

func needSignedTime(t *trial) string {
	return firstReason(needSignature(t), unless(t.scheme == nil || t.scheme.Timed(), "signed time"))
}

func needMetadata(t *trial) string {
	if why := needSignature(t); why != "" {
		return why
	}
	return unless(len(t.scheme.Covers()) > 1, "signature over more than the body")
}

func needCreated(t *trial) string {
	return unless(t.c.Envelope != nil && t.c.Envelope.Created != "", "time in the body")
}

func needJitter(t *trial) string {
	s := t.c.Schedule
	return unless(s != nil && s.Count() > 1 && s.Jitter != nil && s.Jitter.Plus+s.Jitter.Minus > 0, "jitter")
}

// able tells why none of the abilities is there; "" if one is.
func (t *trial) able(what string, abilities ...string) string {
	if slices.ContainsFunc(abilities, t.can) {
		return ""
	}
	return "the sender's driver cannot " + what
}

// firstReason returns the first reason that is not empty.
func firstReason(reasons ...string) string {
	for _, why := range reasons {
		if why != "" {
			return why
		}
	}
	return ""
}

func needOutbox(t *trial) string {
	return firstReason(unless(t.c.Durability != nil && t.c.Durability.Outbox, "end of events whose change was rolled back"),
		t.able("roll a change back", abilityRollBack))
}

func needRange(t *trial) string {
	return firstReason(unless(t.c.Replay != nil && t.c.Replay.Range, "replay by range"), t.able("replay by range", abilityReplayRange))
}

func needFanOut(t *trial) string {
	return t.able("emit an event for all endpoints that it matches", abilityFanOut)
}

func needStop(t *trial) string {
	if len(t.c.Answers.Disable) > 0 {
		return ""
	}
	return t.able("disable or delete an endpoint, and the contract has no answer that does", abilityDisable, abilityDelete)
}

func needKeys(t *trial) string {
	return firstReason(unless(t.c.Keys != nil, "handling of keys"), needSignature(t))
}

func needRotation(t *trial) string {
	return firstReason(needKeys(t), t.able("rotate or revoke keys", abilityRotate, abilityRevoke))
}

func needScopes(t *trial) string {
	return firstReason(needKeys(t), unless(t.c.Keys != nil && len(t.c.Keys.PerScope) > 0, "key of its own for each endpoint"))
}

func needEnvironments(t *trial) string {
	return firstReason(needKeys(t), unless(t.c.Keys != nil && slices.Contains(t.c.Keys.PerScope, scopeEnvironment), "key of its own for each environment"),
		t.able("have the sender issue keys", abilityIssueSecrets), t.able("tell test and live apart", abilitySeparate))
}

func needShownOnce(t *trial) string {
	return firstReason(unless(t.c.Keys != nil && t.c.Keys.ShownOnce, "key that is shown only once"), t.able("read an endpoint back", abilityReadEndpoint))
}

func needLog(t *trial) string {
	return firstReason(unless(t.c.Log != nil, "delivery log"), t.able("read the log", abilityLog))
}

func needState(t *trial) string {
	return firstReason(needLog(t), unless(t.c.Log != nil && t.c.Log.State, "state of a delivery"))
}

func needNext(t *trial) string { return firstReason(needState(t), needSchedule(t)) }

func needDead(t *trial) string {
	return firstReason(unless(t.c.DeadLetter != nil && t.c.DeadLetter.Kept, "dead letters"), t.able("read the dead letters", abilityDead))
}

func needHint(t *trial) string {
	return firstReason(needDead(t), unless(t.c.DeadLetter != nil && t.c.DeadLetter.Hint, "hint at the configuration"))
}

func needIsolation(t *trial) string {
	return unless(t.c.Fairness != nil && t.c.Fairness.Isolated, "isolation of endpoints")
}

func needConcurrency(t *trial) string {
	return unless(t.c.Fairness != nil && t.c.Fairness.PerEndpoint > 0, "limit of requests in flight to one endpoint")
}

func needEscaped(t *trial) string {
	return firstReason(unless(t.c.Log != nil && t.c.Log.Escaped, "escape of what a receiver answers"),
		t.able("be heard, and its log not be read", abilityOutput, abilityLog))
}
