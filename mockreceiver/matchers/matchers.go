// Package matchers has Gomega matchers for what a mock receiver received:
//
//	hook := receivertest.Start(t).Endpoint("502, 502, 200")
//	send(hook.URL)
//	g.Expect(hook.Wait(3)).To(SatisfyAll(
//		HaveStableEventID(),
//		HaveIdenticalBodies(),
//		HaveFreshSignatures("timestamp-v1", secret),
//		BeRetriedAfter(502),
//		BeSettled(),
//		HaveOneEffect(),
//	))
//
// They take a receivertest.History, or an Endpoint or Event of that package, of which they look at what was received so far;
// Eventually(hook.Attempts).Should(…) tries again. They look at what the sender did and leave out copies that the receiver sent
// itself and those that an HTTP library sends by itself after a reset; only HaveOneEffect looks at all. The matchers of
// attempts that belong together (ids, bodies, signatures, gaps) are for the attempts of one event: hand them an endpoint that
// got only one, or an Event.
//
// A history without an attempt, or without an answer that a matcher is about, is an error and neither a match nor none: an
// assertion that nothing can break is not one.
package matchers

import (
	"errors"
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// rule is a matcher over the sender's attempts.
type rule struct {
	// wants completes "Expected the attempts to ".
	wants string
	// judge returns what speaks against it, and an error where nothing can be told.
	judge func(receivertest.History) ([]string, error)
	whole bool // judge wants everything that was received, not only the sender's attempts
	empty bool // nothing received is something to judge
	pairs bool // attempts are compared: one alone is nothing to judge

	// known tells, before anything is judged, whether the matcher was asked for something that exists; nil: it always does.
	known func() error

	against []string
}

// Match implements types.GomegaMatcher.
func (r *rule) Match(actual any) (bool, error) {
	h, err := historyOf(actual)
	if err == nil && r.known != nil {
		err = r.known()
	}
	if err != nil {
		return false, err
	}
	if len(h.Sent()) == 0 && !r.empty {
		return false, errors.New("there is no attempt of a sender: wait for one first, with Endpoint.Wait or Eventually")
	}
	if r.pairs && len(h.Sent()) == 1 {
		return false, errors.New("there is one attempt, and nothing to compare it with: put a failure into the plan, or wait for more")
	}
	if !r.whole {
		h = h.Sent()
	}
	r.against, err = r.judge(h)
	return err == nil && len(r.against) == 0, err
}

// FailureMessage implements types.GomegaMatcher.
func (r *rule) FailureMessage(actual any) string {
	return fmt.Sprintf("Expected the attempts to %s.\n%s\nReceived:\n  %s", r.wants, strings.Join(r.against, "\n"), received(actual))
}

// NegatedFailureMessage implements types.GomegaMatcher.
func (r *rule) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("Expected the attempts not to %s, and they do.\nReceived:\n  %s", r.wants, received(actual))
}

// MatchMayChangeInTheFuture lets Eventually end at once where a history cannot change any more.
func (*rule) MatchMayChangeInTheFuture(actual any) bool {
	_, fixed := actual.(receivertest.History)
	return !fixed
}

var _ types.GomegaMatcher = (*rule)(nil)

// historyOf takes what the matchers take.
func historyOf(actual any) (receivertest.History, error) {
	switch v := actual.(type) {
	case receivertest.History:
		return v, nil
	case interface{ Attempts() receivertest.History }:
		return v.Attempts(), nil
	default:
		return nil, fmt.Errorf("want a receivertest.History, an Endpoint or an Event, got %T", actual)
	}
}

// maxShown bounds the requests that a message lists: a failure must stay readable.
const maxShown = 20

func received(actual any) string {
	h, err := historyOf(actual)
	switch {
	case err != nil:
		return err.Error()
	case len(h) == 0:
		return "nothing"
	}
	more := ""
	if n := len(h) - maxShown; n > 0 {
		h, more = h[:maxShown], fmt.Sprintf("\n  and %d more", n)
	}
	return strings.ReplaceAll(h.String(), "\n", "\n  ") + more
}

// name is how messages name an attempt.
func name(a receivertest.Attempt) string { return fmt.Sprintf("attempt %d (#%d)", a.Number, a.Seq) }
