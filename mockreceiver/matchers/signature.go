package matchers

import (
	"fmt"
	"time"

	"github.com/onsi/gomega/types"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// tolerance is how far the signed time may lie from the arrival, as receivers take it.
const tolerance = 300 * time.Second

// VerifyWith succeeds if the signature of each attempt verifies by one of the secrets over the bytes as received, and was made
// within 300 s of the arrival. scheme is one of `hookassay list schemes`. Whether retries were signed anew is
// HaveFreshSignatures' question.
func VerifyWith(scheme string, secrets ...string) types.GomegaMatcher {
	return &rule{wants: "verify with " + scheme, judge: func(h receivertest.History) ([]string, error) {
		return each(h, func(a receivertest.Attempt) ([]string, error) { return verified(a, scheme, secrets) })
	}}
}

// HaveFreshSignatures succeeds if each attempt verifies, as VerifyWith has it, and each retry was signed anew: at a later time
// than the attempt before. The schemes sign whole seconds, so a retry within the same second cannot be told from a copied
// signature and fails: let the sender wait for more than a second between its attempts, or give it a clock that moves.
func HaveFreshSignatures(scheme string, secrets ...string) types.GomegaMatcher {
	return &rule{wants: "be signed anew with " + scheme, pairs: true, known: knownScheme(scheme), judge: func(h receivertest.History) ([]string, error) {
		var before *receivertest.Attempt
		var signed time.Time
		return each(h, func(a receivertest.Attempt) ([]string, error) {
			against, err := verified(a, scheme, secrets)
			if err != nil || len(against) > 0 {
				return against, err
			}
			f, err := a.Verify(scheme, secrets...)
			if err != nil {
				return nil, err
			}
			if before != nil {
				against = anew(*before, a, signed, f.SignedAt)
			}
			before, signed = &a, f.SignedAt
			return against, nil
		})
	}}
}

func knownScheme(id string) func() error {
	return func() error {
		_, err := signature.Lookup(id)
		return err
	}
}

// anew says what speaks against a having been signed after before was.
func anew(before, a receivertest.Attempt, then, now time.Time) []string {
	if now.After(then) {
		return nil
	}
	if now.Before(then) {
		return []string{fmt.Sprintf("%s was signed for %s, %s before %s", name(a), clock(now), then.Sub(now), name(before))}
	}
	said := fmt.Sprintf("%s was signed for %s, as %s", name(a), clock(now), name(before))
	if gap := a.At.Sub(before.At); gap < time.Second {
		said += fmt.Sprintf("; they came %s apart, so that a new signature cannot be told from a copied one", gap.Round(time.Millisecond))
	} else {
		said += fmt.Sprintf(", although it came %s later: the signature was copied", gap.Round(time.Millisecond))
	}
	return []string{said}
}

func verified(a receivertest.Attempt, scheme string, secrets []string) ([]string, error) {
	f, err := a.Verify(scheme, secrets...)
	switch {
	case err != nil:
		return nil, err
	case !f.OK():
		return []string{fmt.Sprintf("%s does not verify: %s, %s", name(a), f.Reason, detail(f))}, nil
	case !f.Fresh(a.At, tolerance):
		return []string{fmt.Sprintf("%s was signed for %s and came at %s, which is over %s apart", name(a), clock(f.SignedAt), clock(a.At), tolerance)}, nil
	}
	return nil, nil
}

func detail(f signature.Finding) string {
	if f.Detail == "" {
		return "nothing more is known"
	}
	return f.Detail
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05") }
