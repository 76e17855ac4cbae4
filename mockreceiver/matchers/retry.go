package matchers

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/onsi/gomega/types"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/receivertest"
)

// BeRetriedAfter succeeds if each attempt that was answered so was followed by another of its event. An answer is a status (502)
// or the name of a fault without one ("timeout", "reset"). Of each answer there must be at least one.
func BeRetriedAfter(answers ...any) types.GomegaMatcher {
	return &rule{wants: "be retried after " + listed(answers), judge: func(h receivertest.History) ([]string, error) {
		return after(h, answers, func(a receivertest.Attempt, next *receivertest.Attempt) string {
			if next != nil {
				return ""
			}
			return fmt.Sprintf("%s was answered %s, and no attempt of %s followed", name(a), answered(a), quoted(a.Key))
		})
	}}
}

// BeLeftAloneAfter succeeds if no attempt that was answered so was followed by another of its event. It judges what came so far:
// wait with Endpoint.Settled for as long as the sender might wait. Answers are as in BeRetriedAfter.
func BeLeftAloneAfter(answers ...any) types.GomegaMatcher {
	return &rule{wants: "be left alone after " + listed(answers), judge: func(h receivertest.History) ([]string, error) {
		return after(h, answers, func(a receivertest.Attempt, next *receivertest.Attempt) string {
			if next == nil {
				return ""
			}
			return fmt.Sprintf("%s was answered %s, and %s followed after %s", name(a), answered(a), name(*next), waited(a, *next))
		})
	}}
}

// BeSettled succeeds if each event got a whole answer of 2xx and was not sent again after the first. It judges what came so far:
// wait with Endpoint.Settled for as long as the sender might wait.
func BeSettled() types.GomegaMatcher {
	return &rule{wants: "settle each event: a 2xx and nothing after it", judge: func(h receivertest.History) ([]string, error) {
		var against []string
		for _, key := range h.Events() {
			list := h.Event(key)
			i := slices.IndexFunc(list, delivered)
			if i < 0 {
				last := list[len(list)-1]
				against = append(against, fmt.Sprintf("%s got no whole 2xx; %s was the last and answered %s", quoted(key), name(last), answered(last)))
				continue
			}
			for _, a := range list[i+1:] {
				against = append(against, fmt.Sprintf("%s of %s came %s after %s was answered %s",
					name(a), quoted(key), waited(list[i], a), name(list[i]), answered(list[i])))
			}
		}
		return against, nil
	}}
}

// HaveGapsWithin succeeds if the sender's waits lie within the bounds, given in pairs of the shortest and the longest: one pair for
// all waits, or one for each. A wait begins when the sender can know the end of an attempt.
func HaveGapsWithin(bounds ...time.Duration) types.GomegaMatcher {
	var texts []string
	for i := 0; i+1 < len(bounds); i += 2 {
		texts = append(texts, fmt.Sprintf("%s to %s", bounds[i], bounds[i+1]))
	}
	return &rule{wants: "have gaps within " + strings.Join(texts, ", "), pairs: true, judge: func(h receivertest.History) ([]string, error) {
		gaps := h.Gaps()
		switch {
		case len(bounds) == 0 || len(bounds)%2 != 0:
			return nil, fmt.Errorf("%d bounds: want pairs of the shortest and the longest", len(bounds))
		case len(bounds) > 2 && len(bounds) != 2*len(gaps):
			return []string{fmt.Sprintf("There are %d gaps, and bounds for %d", len(gaps), len(bounds)/2)}, nil
		}
		var against []string
		for i, gap := range gaps {
			at := min(2*i, len(bounds)-2)
			if gap < bounds[at] || gap > bounds[at+1] {
				against = append(against, fmt.Sprintf("%s came after %s, want %s to %s", name(h[i+1]), short(gap), bounds[at], bounds[at+1]))
			}
		}
		return against, nil
	}}
}

// after applies a judgement to each attempt that was answered so, with the next one of its event.
func after(h receivertest.History, answers []any, judge func(a receivertest.Attempt, next *receivertest.Attempt) string) ([]string, error) {
	if len(answers) == 0 {
		return nil, errors.New("name an answer, such as 502 or \"timeout\"")
	}
	var against []string
	for _, want := range answers {
		found := false
		for i, a := range h {
			so, err := answeredSo(a, want)
			if err != nil {
				return nil, err
			}
			if !so {
				continue
			}
			found = true
			if said := judge(a, nextOf(h, i)); said != "" {
				against = append(against, said)
			}
		}
		if !found {
			return nil, fmt.Errorf("no attempt was answered %v: put it into the plan, or wait for it", want)
		}
	}
	return against, nil
}

// short leaves out digits that say nothing, and never all of them.
func short(d time.Duration) time.Duration {
	if d.Abs() < 10*time.Millisecond {
		return d.Round(time.Microsecond)
	}
	return d.Round(time.Millisecond)
}

func nextOf(h receivertest.History, i int) *receivertest.Attempt {
	for j := i + 1; j < len(h); j++ {
		if h[j].Key == h[i].Key {
			return &h[j]
		}
	}
	return nil
}

func answeredSo(a receivertest.Attempt, want any) (bool, error) {
	switch v := want.(type) {
	case int:
		return a.Over && a.Status == v, nil
	case string:
		return a.Over && a.Fault == v, nil
	default:
		return false, fmt.Errorf("answer %v of type %T: want a status such as 502, or the name of a fault such as \"timeout\"", want, want)
	}
}

func delivered(a receivertest.Attempt) bool {
	return a.End == evidence.EndComplete && a.Status >= http.StatusOK && a.Status < http.StatusMultipleChoices
}

// answered is an answer in words.
func answered(a receivertest.Attempt) string {
	switch {
	case !a.Over:
		return "nothing yet"
	case a.Status == 0:
		return "by " + a.Fault
	case a.End != evidence.EndComplete:
		return fmt.Sprintf("%d, %s", a.Status, a.End)
	}
	return fmt.Sprint(a.Status)
}

// waited is how long the sender waited between two attempts.
func waited(a, next receivertest.Attempt) time.Duration {
	from := a.Answered
	if from.IsZero() {
		from = a.At
	}
	return next.At.Sub(from).Round(time.Millisecond)
}

func listed(answers []any) string {
	texts := make([]string, len(answers))
	for i, a := range answers {
		texts[i] = fmt.Sprint(a)
	}
	return strings.Join(texts, ", ")
}
