package reports

import (
	"fmt"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

// delivered is the numerator of the acceptance rate.
func delivered(a judge.Acceptance) int { return a.DeliveredFirstTry + a.DeliveredAfterRetry }

// formula writes the rate out: (982 + 13) / 1000 = 99.5 %. The figure is computed from the counts, never from the rounded
// rate.
func formula(a judge.Acceptance) string {
	return fmt.Sprintf("(%d + %d) / %d = %s",
		a.DeliveredFirstTry, a.DeliveredAfterRetry, a.Events, percentDown(delivered(a), a.Events))
}

// met says in one sentence how the rate stands to what is promised.
func met(a judge.Acceptance) string {
	need := "at least " + share(a.Threshold)
	switch {
	case a.Events == 0:
		return "No event was measured; the contract promises " + need + "."
	case !a.SampleSufficient:
		return fmt.Sprintf("%s are too few to claim the promised %s.", plural(a.Events, "event"), need)
	case reaches(delivered(a), a.Events, a.Threshold):
		return "The contract promises " + need + ": reached."
	}
	return "The contract promises " + need + ": missed."
}

// reached tells whether the rate may be claimed.
func reached(a judge.Acceptance) bool {
	return a.SampleSufficient && reaches(delivered(a), a.Events, a.Threshold)
}

// duplicates writes the duplicate rate out. It is rounded up: fewer look better.
func duplicates(a judge.Acceptance) string {
	if delivered(a) == 0 {
		return fmt.Sprintf("%d / 0", a.DuplicateEvents)
	}
	return fmt.Sprintf("%d / %d = %s", a.DuplicateEvents, delivered(a), percentUp(a.DuplicateEvents, delivered(a)))
}

// row is a line of the acceptance table.
type row struct {
	Name  string
	Value string
}

func acceptanceRows(a judge.Acceptance) []row {
	rows := []row{
		{"Delivered at first try", fmt.Sprint(a.DeliveredFirstTry)},
		{"Delivered after retry", fmt.Sprint(a.DeliveredAfterRetry)},
		{"Dead-lettered", fmt.Sprint(a.DeadLettered)},
		{"of these, delivered by replay", fmt.Sprint(a.DeliveredByReplay)},
		{"Pending", fmt.Sprint(a.Pending)},
		{"Missing without a trace", fmt.Sprint(len(a.MissingIDs))},
		{"Events", fmt.Sprint(a.Events)},
		{"Duplicate rate", duplicates(a)},
	}
	return rows
}

func deadText(a judge.Acceptance) string {
	if a.DeliveredByReplay == 0 {
		return fmt.Sprint(a.DeadLettered)
	}
	return fmt.Sprintf("%d (%d delivered by replay)", a.DeadLettered, a.DeliveredByReplay)
}

// missing names the missing ids, the first few of many.
func missing(a judge.Acceptance) string {
	var ids []string
	for i, id := range a.MissingIDs {
		if i == maxMissing {
			ids = append(ids, fmt.Sprintf("and %d more in %s", len(a.MissingIDs)-i, resultsFile))
			break
		}
		ids = append(ids, plain(id))
	}
	return strings.Join(ids, ", ")
}

// maxMissing is what fits in a paragraph.
const maxMissing = 20

// dead is a row of the dead-letter table.
type dead struct {
	Event, Scenario, Reason, LastStatus, Replay string
	Attempts                                    int
}

// deadLetters returns every event that was given up, those of the acceptance sample first.
func deadLetters(r Report) []dead {
	var out []dead
	seen := map[string]bool{}
	if a := r.Results.Acceptance; a != nil {
		for _, d := range a.DeadLetters {
			seen[d.ID] = true
			out = append(out, dead{
				Event: plain(d.ID), Scenario: "acceptance", Reason: or(plain(d.Reason), "no reason stated"),
				LastStatus: statusText(d.LastStatus), Replay: or(plain(d.Replay), "none"), Attempts: d.Attempts,
			})
		}
	}
	for _, t := range r.timelines {
		d := t.DeadLetter
		if d == nil || seen[eventName(t)] {
			continue
		}
		reason := or(plain(d.Reason), "no reason stated")
		if d.Hint != "" {
			reason += " (hint: " + plain(d.Hint) + ")"
		}
		replay := "none"
		if n := len(d.Replays); n > 0 {
			replay = or(plain(d.Replays[n-1].Outcome), statusText(d.Replays[n-1].Status))
		}
		last := statusText(d.LastStatus)
		if d.LastStatus == 0 && d.LastError != "" {
			last = plain(d.LastError)
		}
		out = append(out, dead{
			Event: plain(eventName(t)), Scenario: plain(t.Scenario), Reason: reason,
			LastStatus: last, Replay: replay, Attempts: d.Attempts,
		})
	}
	return out
}
