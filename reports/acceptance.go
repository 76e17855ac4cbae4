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
		a.DeliveredFirstTry, a.DeliveredAfterRetry, a.Events, percent(delivered(a), a.Events))
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

// duplicates writes the duplicate rate out.
func duplicates(a judge.Acceptance) string {
	if delivered(a) == 0 {
		return fmt.Sprintf("%d / 0", a.DuplicateEvents)
	}
	return fmt.Sprintf("%d / %d = %s", a.DuplicateEvents, delivered(a), percent(a.DuplicateEvents, delivered(a)))
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
	Event, Scenario, Reason, Hint, LastStatus string
	Attempts                                  int
	Replays                                   []replay
}

// replay is what became of one replay of a dead letter, and when, if that is known.
type replay struct{ What, At string }

// replayText is the replays in one line.
func (d dead) replayText() string {
	var out []string
	for _, x := range d.Replays {
		s := x.What
		if x.At != "" {
			s += ", " + x.At
		}
		out = append(out, s)
	}
	return or(strings.Join(out, "; "), "none")
}

// deadLetters returns every event that was given up, by scenario, as the sender recorded it and as the acceptance counted it.
func deadLetters(r Report) []dead {
	counted := map[string]judge.AcceptanceDeadLetter{}
	if a := r.Results.Acceptance; a != nil {
		for _, d := range a.DeadLetters {
			counted[d.ID] = d
		}
	}
	var out []dead
	for _, t := range r.timelines {
		if t.DeadLetter == nil {
			continue
		}
		row := deadRow(t)
		// What the judge saw of a replay goes before what the sender says of it.
		if c, ok := counted[eventName(t)]; ok && c.Replay != "" && len(t.DeadLetter.Replays) == 0 {
			row.Replays = []replay{{What: plain(c.Replay) + ", without a replay record of the sender"}}
		}
		delete(counted, eventName(t))
		out = append(out, row)
	}
	if r.Results.Acceptance == nil {
		return out
	}
	// Those without a timeline of their own, in the order in which the acceptance lists them.
	for _, d := range r.Results.Acceptance.DeadLetters {
		if _, left := counted[d.ID]; !left {
			continue
		}
		row := dead{
			Event: plain(d.ID), Scenario: acceptanceScenario(r), Reason: or(plain(d.Reason), "no reason stated"),
			LastStatus: statusText(d.LastStatus), Attempts: d.Attempts,
		}
		if d.Replay != "" {
			row.Replays = []replay{{What: plain(d.Replay)}}
		}
		out = append(out, row)
	}
	return out
}

func deadRow(t judge.Timeline) dead {
	d := t.DeadLetter
	row := dead{
		Event: plain(eventName(t)), Scenario: plain(t.Scenario), Reason: or(plain(d.Reason), "no reason stated"), Hint: plain(d.Hint),
		LastStatus: statusText(d.LastStatus), Attempts: d.Attempts,
	}
	if d.LastStatus == 0 && d.LastError != "" {
		row.LastStatus = plain(d.LastError)
	}
	for _, x := range d.Replays {
		parts := []string{or(plain(x.Outcome), "outcome not stated")}
		if x.Status != 0 {
			parts = append(parts, statusText(x.Status))
		}
		for _, s := range []string{x.Error, x.Reason} {
			if s != "" {
				parts = append(parts, plain(s))
			}
		}
		row.Replays = append(row.Replays, replay{strings.Join(parts, ", "), clock(x.At)})
	}
	return row
}

// acceptanceScenario names the scenario that the acceptance was measured in.
func acceptanceScenario(r Report) string {
	for _, s := range r.Results.Scenarios {
		if s.Family == "acceptance" && s.NotRun == "" {
			return plain(s.Name)
		}
	}
	return "acceptance"
}
