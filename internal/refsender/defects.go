package refsender

import (
	"fmt"
	"slices"

	"github.com/hookassay/hookassay/internal/near"
)

// Defect is one bug that the sender can be given, and what the harness must say of it.
type Defect struct {
	Name     string
	Title    string
	MustFail string   // the check that must fail
	Load     string   // a check over many events that must fail too, by a load of the contract's whole sample; empty for none
	MayAlso  []string // checks that may fail with it; * stands for all
	Contract string   // the contract under which it shows, a name of contracts.go; empty for the default one
	Also     []string // more contracts under which it must show
}

// defect is the switch: what it changes stands in the methods of this type, in the files defects_*.go, and nowhere else.
type defect string

const (
	noDefect defect = ""

	sigReserialised          defect = "sig-reserialised"
	sigBodyOnly              defect = "sig-body-only"
	sigMissingOnRetry        defect = "sig-missing-on-retry"
	tsStaleOnRetry           defect = "ts-stale-on-retry"
	tsMilliseconds           defect = "ts-milliseconds"
	createdLocalZone         defect = "created-local-zone"
	idMissing                defect = "id-missing"
	idNewOnRetry             defect = "id-new-on-retry"
	idReused                 defect = "id-reused"
	bodyEmptyOnRetry         defect = "body-empty-on-retry"
	bodyRebuiltOnRetry       defect = "body-rebuilt-on-retry"
	bodyNumberRounded        defect = "body-number-rounded"
	envelopeFieldMissing     defect = "envelope-field-missing"
	typeUndeclared           defect = "type-undeclared"
	ctWrong                  defect = "ct-wrong"
	urlQueryStripped         defect = "url-query-stripped"
	bodyCodingFalse          defect = "body-coding-false"
	only200Success           defect = "only-200-success"
	anyResponseSuccess       defect = "any-response-success"
	redirectStatusSuccess    defect = "redirect-status-success"
	noRetry5xx               defect = "no-retry-5xx"
	noRetry429               defect = "no-retry-429"
	noRetryTimeout           defect = "no-retry-timeout"
	noRetryReset             defect = "no-retry-reset"
	retryPermanent4xx        defect = "retry-permanent-4xx"
	noBackoff                defect = "no-backoff"
	noJitter                 defect = "no-jitter"
	raIgnored                defect = "ra-ignored"
	raDateIgnored            defect = "ra-date-ignored"
	attemptsOffByOne         defect = "attempts-off-by-one"
	deadlineOverrun          defect = "deadline-overrun"
	noRequestTimeout         defect = "no-request-timeout"
	responseUnbounded        defect = "response-unbounded"
	keepaliveLoss            defect = "keepalive-loss"
	redirectPostToGet        defect = "redirect-post-to-get"
	redirectToInternal       defect = "redirect-to-internal"
	rotationCachedOld        defect = "rotation-cached-old"
	rotationOldNeverDropped  defect = "rotation-old-never-dropped"
	secretInLog              defect = "secret-in-log"
	secretShared             defect = "secret-shared"
	secretEnvironmentsShared defect = "secret-environments-shared"
	secretShownAgain         defect = "secret-shown-again"
	lossOnKill               defect = "loss-on-kill"
	lossOnShutdown           defect = "loss-on-shutdown"
	dupAfterRestart          defect = "dup-after-restart"
	phantomOnRollback        defect = "phantom-on-rollback"
	orderOvertake            defect = "order-overtake"
	holSingleWorker          defect = "hol-single-worker"
	emitWaitsForDelivery     defect = "emit-waits-for-delivery"
	concurrencyUnlimited     defect = "concurrency-unlimited"
	goneNotDisabled          defect = "gone-not-disabled"
	sendAfterDisable         defect = "send-after-disable"
	scopeIgnoresFilter       defect = "scope-ignores-filter"
	replayPendingAccepted    defect = "replay-pending-accepted"
	replayNewID              defect = "replay-new-id"
	replayStaleTimestamp     defect = "replay-stale-timestamp"
	replayWrapsPayload       defect = "replay-wraps-payload"
	replayRangeAll           defect = "replay-range-all"
	replayNotSent            defect = "replay-not-sent"
	logMissingAttempt        defect = "log-missing-attempt"
	logNextAttemptWrong      defect = "log-next-attempt-wrong"
	logRawAnswer             defect = "log-raw-answer"
	logStateStale            defect = "log-state-stale"
	dlqMissing               defect = "dlq-missing"
	dlqNoReason              defect = "dlq-no-reason"
	dlqNoHint                defect = "dlq-no-hint"
	silent                   defect = "silent"
)

// Defects returns all defects, by what they concern. The last, silent, is for the harness's own test: it must pass no check.
func Defects() []Defect {
	return slices.Concat(requestDefects(), headerDefects(), answerDefects(), netDefects(), keyDefects(), queueDefects(), lifeDefects(), limitDefects(), recordDefects())
}

// company adds the checks that may fail with every defect: a lower delivery rate is a consequence, not another defect.
func company(own ...string) []string {
	return append(own, "acceptance.rate", "acceptance.absorbed", "acceptance.dead-letters")
}

// Known returns the error of New for a defect or a variant that there is not, so that it can be told before a sender is started.
func Known(defect, variant string) error {
	if _, err := findDefect(defect); err != nil {
		return err
	}
	_, err := findVariant(variant)
	return err
}

func findDefect(name string) (defect, error) {
	all := Defects()
	known := make([]string, len(all))
	for i, d := range all {
		known[i] = d.Name
	}
	if name != "" && !slices.Contains(known, name) {
		return noDefect, fmt.Errorf("defect %q is unknown%s; hookassay list defects names them", name, near.Meant(name, known))
	}
	return defect(name), nil
}
