package scenarios

import (
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
)

// All returns every scenario for an effective contract, by family. Those that the contract gives no way to play say so in
// NotRun. acceptanceEvents is how many events the acceptance scenario emits; 0 is the contract's sample.
func All(c *contract.Contract, acceptanceEvents int) []drive.Scenario {
	k := kit{c: c, events: acceptanceEvents}
	if k.events == 0 && c.Acceptance != nil {
		k.events = c.Acceptance.Sample
	}
	all := []drive.Scenario{
		k.deliveryFirstTry(),
		k.retryStatus(),
		k.retryTimeout(),
		k.retryReset(),
		k.retryBroken(),
		k.retryPermanent(),
		k.outcomeRedirect(),
		k.timeoutEndless(),
		k.timeoutDrip(),
		k.netFails(),
		k.netPooled(),
		k.netHandshake(),
		k.netLeak(),
		k.secRedirect(),
		k.secInternal(),
		k.secTrusted(),
		k.secUnverified(),
		k.timeFresh(),
		k.bodyChanged(),
		k.bodyContents(),
		k.bodySizes(),
		k.envelopeTypes(),
		k.wireTarget(),
		k.wireCustomHeaders(),
		k.scopeMatch(),
		k.scopeApart(),
		k.scopeEnvironments(),
		k.retryAfterSeconds(),
		k.retryAfterDate(),
		k.retryAfterHuge(),
		k.retryAfterBad(),
		k.backoffJitter(),
		k.budgetExhausted(),
		k.budgetBroken(),
		k.budgetCut(),
		k.budgetRetryAfterPastDeadline(),
		k.fairIsolation(),
		k.fairConcurrency(),
		k.orderPerKey(),
		k.replayDelivered(),
		k.replayDeadLettered(),
		k.replayFails(),
		k.replayPending(),
		k.replayInTrouble(),
		k.replayRange(),
		k.logReadBetween(),
		k.logHostile(),
		k.secretRotation(),
		k.secretRevoked(),
		k.secretIssued(),
		k.lifecycleDisable(),
		k.lifecycleDelete(),
		k.lifecycleGone(),
		k.lifecycleFailures(),
		k.lifecycleRetriesFail(),
		k.lifecycleFailsLong(),
		k.effectBusinessFailure(),
		k.effectLostAck(),
		k.effectCopies(),
		k.durabilityKill(),
		k.durabilityStop(),
		k.durabilityBacklog(),
		k.durabilityDelivered(),
		k.durabilityChanged(),
		k.durabilityRolledBack(),
		k.acceptance(),
	}
	for i := range all {
		all[i].Unbroken = all[i].Family() == "backoff" // no wait that was cut shows how long it would have been
	}
	return all
}
