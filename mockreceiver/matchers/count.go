package matchers

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// HaveAttempts succeeds if the sender made so many attempts: a number, or a matcher for it such as BeNumerically("<=", 6). None at
// all is a number too.
func HaveAttempts(n any) types.GomegaMatcher {
	m := matching(n)
	wants := fmt.Sprintf("number %v", n)
	if _, own := n.(types.GomegaMatcher); own {
		wants = "have a number that matches"
	}
	return &rule{wants: wants, empty: true, judge: func(h receivertest.History) ([]string, error) {
		return matched(m, len(h), "")
	}}
}

// HaveEventType succeeds if each attempt states that type: in the body's type, or in CloudEvents' header. A matcher for it will do.
func HaveEventType(want any) types.GomegaMatcher {
	m := matching(want)
	wants := fmt.Sprintf("have the event type %q", want)
	if _, own := want.(types.GomegaMatcher); own {
		wants = "have an event type that matches"
	}
	return &rule{wants: wants, judge: func(h receivertest.History) ([]string, error) {
		return each(h, func(a receivertest.Attempt) ([]string, error) { return matched(m, a.Type, name(a)+": ") })
	}}
}

func matching(want any) types.GomegaMatcher {
	if m, ok := want.(types.GomegaMatcher); ok {
		return m
	}
	return gomega.Equal(want)
}

// matched says what a matcher of the caller's says against a value.
func matched(m types.GomegaMatcher, value any, where string) ([]string, error) {
	ok, err := m.Match(value)
	if err != nil || ok {
		return nil, err
	}
	said := strings.Join(strings.Fields(m.FailureMessage(value)), " ")
	return []string{where + said}, nil
}

// each collects what speaks against each attempt.
func each(h receivertest.History, judge func(receivertest.Attempt) ([]string, error)) ([]string, error) {
	var against []string
	for _, a := range h {
		said, err := judge(a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name(a), err)
		}
		against = append(against, said...)
	}
	return against, nil
}

// quoted shows what a peer sent.
func quoted(text string) string {
	if n := len(text); n > maxQuoted {
		return fmt.Sprintf("%q… (%d bytes)", text[:maxQuoted], n)
	}
	return fmt.Sprintf("%q", text)
}

// maxQuoted is how much of a text is shown.
const maxQuoted = 100
