package refsender

const (
	sigUnicodeEscape   defect = "sig-unicode-escape"
	sigKeyNotDecoded   defect = "sig-key-not-decoded"
	bodyLargeTruncated defect = "body-large-truncated"
	backoffOverflow    defect = "backoff-overflow"
	raHugeObeyed       defect = "ra-huge-obeyed"
	infiniteRetry      defect = "infinite-retry"
	dripResetsTimeout  defect = "drip-resets-timeout"
	lossQueueFull      defect = "loss-queue-full"
)

// limitDefects are bugs that show where something grows large, long or many, or where text is not what it stands for.
func limitDefects() []Defect {
	return []Defect{
		{
			Name: string(sigUnicodeEscape), MustFail: "sig.verifies", MayAlso: company(),
			Title: "the signature is made over escapes where the characters themselves are sent",
		},
		{
			Name: string(sigKeyNotDecoded), MustFail: "sig.verifies", MayAlso: company(), Contract: StandardWebhooks,
			Title: "the secret's text is the key, and not the bytes that it stands for",
		},
		{
			Name: string(bodyLargeTruncated), MustFail: "body.matches", MayAlso: company("sig.verifies", "wire.framing"),
			Title: "a body is cut at 1 MiB",
		},
		{
			Name: string(backoffOverflow), MustFail: "backoff.bounds", MayAlso: company(), Contract: ManySteps,
			Title: "a wait that doubles overflows at a high attempt, so that no wait is left",
		},
		{
			Name: string(raHugeObeyed), MustFail: "backoff.retry-after", MayAlso: company(),
			Title: "a Retry-After is heeded beyond its cap",
		},
		{
			// A deadline does not stop it either.
			Name: string(infiniteRetry), MustFail: "budget.attempts", MayAlso: company("dlq.entry", "budget.deadline"), Contract: ManySteps,
			Title: "an event that fails is tried for ever",
		},
		{
			Name: string(dripResetsTimeout), MustFail: "timeout.request", MayAlso: company(),
			Title: "each byte of an answer starts the time of the request anew",
		},
		{
			Name: string(lossQueueFull), MustFail: "durable.no-loss", MayAlso: company(),
			Title: "a full queue drops events that were accepted",
		},
	}
}
