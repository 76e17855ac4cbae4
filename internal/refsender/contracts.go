package refsender

// Contracts under which defects and variants show, for Defect.Contract and Variant.Contract. Empty stands for bounded-6 as published. What each of them
// says is package selftest's: one contract cannot promise everything.
const (
	// GoneDisables lets 410 disable the endpoint.
	GoneDisables = "gone-disables"
	// OrderPerKey promises order per key.
	OrderPerKey = "order-per-key"
	// AutoDisables disables an endpoint after a number of failed attempts in a row.
	AutoDisables = "auto-disables"
	// IdleBound bounds idle connections, in number and in age.
	IdleBound = "idle-bound"
	// StandardWebhooks is the profile of that name.
	StandardWebhooks = "standard-webhooks"
	// ShortSteps has many short waits in place of a few that grow.
	ShortSteps = "short-steps"
	// ManySteps has more attempts than a wait can be doubled for.
	ManySteps = "many-steps"
	// LimitOne, LimitTwo and LimitFive allow so many attempts.
	LimitOne  = "limit-1"
	LimitTwo  = "limit-2"
	LimitFive = "limit-5"
	// ShortRotation ends the overlap of two keys while retries are pending.
	ShortRotation = "short-rotation"
	// GentleWaits has waits that grow by two to three and may be shorter or longer by a half.
	GentleWaits = "gentle-waits"
	// SubSecond has waits from 5 ms on.
	SubSecond = "sub-second"
	// FullJitter lets a wait be any part of the declared one, EqualJitter any from its half on.
	FullJitter  = "full-jitter"
	EqualJitter = "equal-jitter"
	// CodesOtherWay retries what bounded-6 calls permanent, and the other way round, where senders differ.
	CodesOtherWay = "codes-other-way"
	// CompressedBodies promises bodies that are compressed.
	CompressedBodies = "compressed-bodies"
	// SignedInside has the signature, its time and its id in the body.
	SignedInside = "signed-inside"
	// TakesEffectLate allows a change of an endpoint 3 s to show.
	TakesEffectLate = "takes-effect-late"
)
