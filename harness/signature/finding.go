package signature

import "time"

// Reason says how a verification ended. It is readable in JSON.
type Reason string

// The ways in which a verification ends. Verified is the only good one; the zero value is not.
const (
	Verified Reason = "verified"

	MissingHeader   Reason = "missing-header"   // the signature's header, or another that the scheme needs, is absent
	RepeatedHeader  Reason = "repeated-header"  // a header of the scheme came twice: readers would differ on which counts
	MalformedHeader Reason = "malformed-header" // the signature header does not follow the scheme's grammar
	NoTimestamp     Reason = "no-timestamp"
	BadTimestamp    Reason = "bad-timestamp"      // not in the declared form; Finding.Keys still tells whether it was signed
	Milliseconds    Reason = "timestamp-in-ms"    // as BadTimestamp: milliseconds where seconds are declared
	NoSignature     Reason = "no-known-signature" // no signature of the scheme's version
	BadEncoding     Reason = "bad-encoding"       // no signature decodes to the digest's length
	MalformedBody   Reason = "malformed-body"     // the body is not what the scheme reads its values from
	NoTarget        Reason = "no-target"          // the scheme signs the URL or the method, and nobody handed them in
	NoConstant      Reason = "no-constant"        // the scheme signs a value that is not sent and that nobody set
	Undercovered    Reason = "undercovered"       // a key verifies, but the signature covers less than the scheme requires
	Unsupported     Reason = "unsupported"        // the signature covers what is not understood here
	NoKey           Reason = "no-key"             // no key was given
	BadKey          Reason = "bad-key"            // no given key can be used with this scheme
	Mismatch        Reason = "mismatch"           // well formed, but made with another key or over other bytes
)

// Diagnoses of a mismatch with one cause that checks go by. Each was proven by recomputing the signature, so each is certain.
// Finding.Causes says more.
const (
	SignedBodyOnly    Reason = "signed-body-only"      // the body is covered, and nothing else
	SignedWithoutTime Reason = "signed-without-time"   // all that the scheme covers but the time
	SignedWithoutID   Reason = "signed-without-id"     // all that the scheme covers but the id
	SignedOtherTime   Reason = "signed-other-time"     // the signed time has another unit than the sent one
	SignedOtherBody   Reason = "signed-other-body"     // another serialisation of the same JSON
	EmptyKey          Reason = "signed-with-empty-key" // anyone can make such a signature
	OtherKeyForm      Reason = "other-key-form"        // the right secret, wrongly turned into bytes
)

// Finding is the result of Verify. Nothing in it holds a key or a full signature.
type Finding struct {
	Reason Reason `json:"reason"`
	// Keys are the indexes, ascending, of the given keys that made one of the signatures over exactly the received bytes
	// and time text. They are found whatever the form of the time, so that one defect is one finding.
	Keys []int `json:"keys,omitempty"`
	// SignedAt is the time that the request claims, zero if it has none in the declared form. It is proven only if Keys
	// is not empty.
	SignedAt time.Time `json:"signed_at,omitzero"`
	// SignedAtText is the same as received.
	SignedAtText string `json:"signed_at_text,omitempty"`
	// Timeless says that the scheme signs no time: old requests cannot be told from fresh ones.
	Timeless bool `json:"timeless,omitempty"`
	// Expires is the time after which the signature says itself that it is void; zero: it does not say.
	Expires time.Time `json:"expires,omitzero"`
	// Covers is what the signature covers, where that is for each request to say (RFC 9421); else Scheme.Covers says it.
	Covers []string `json:"covers,omitempty"`
	// Causes are the mistakes that explain the signature together, by their names in Causes(); empty: none is known, or it
	// verifies.
	Causes []string `json:"causes,omitempty"`
	// Tried is how many signatures were recomputed to look for the cause.
	Tried int `json:"tried,omitempty"`
	// Detail is one sentence for people; empty if verified and not stale.
	Detail string `json:"detail,omitempty"`
}

// OK tells whether a key verifies and the time has its declared form. Whether it is fresh is another question: see Fresh.
func (f Finding) OK() bool { return f.Reason == Verified }

// Age is how long before now the request says it was signed; negative if it claims to be from the future. It is 0 if
// there is no signed time.
func (f Finding) Age(now time.Time) time.Duration {
	if f.SignedAt.IsZero() {
		return 0
	}
	return now.Sub(f.SignedAt)
}

// Fresh tells whether the signed time lies within tolerance of now, both ways, the limit included. An unproven time is
// never fresh, and neither is what has expired. Where the scheme signs no time nothing can be stale.
func (f Finding) Fresh(now time.Time, tolerance time.Duration) bool {
	if !f.OK() || !f.Expires.IsZero() && now.After(f.Expires) {
		return false
	}
	if f.SignedAt.IsZero() {
		return f.Timeless
	}
	// Age saturates at the ends of time.Duration, where its magnitude must not be negated.
	age := f.Age(now)
	return -tolerance <= age && age <= tolerance
}
