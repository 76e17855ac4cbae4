package reports

import (
	"fmt"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
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
func met(w words.Texts, a judge.Acceptance) string {
	need := w.Text("acceptance.at-least", share(a.Threshold))
	switch {
	case a.Events == 0:
		return w.Text("acceptance.no-event", need)
	case !a.SampleSufficient:
		return w.Text("acceptance.too-few", w.Count("n.event", a.Events), need)
	case reaches(delivered(a), a.Events, a.Threshold):
		return w.Text("acceptance.reached", need)
	}
	return w.Text("acceptance.missed", need)
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

func acceptanceRows(w words.Texts, a judge.Acceptance) []row {
	return []row{
		{w.Text("acceptance.first"), fmt.Sprint(a.DeliveredFirstTry)},
		{w.Text("acceptance.retry"), fmt.Sprint(a.DeliveredAfterRetry)},
		{w.Text("acceptance.dead"), fmt.Sprint(a.DeadLettered)},
		{w.Text("acceptance.replayed"), fmt.Sprint(a.DeliveredByReplay)},
		{w.Text("acceptance.pending"), fmt.Sprint(a.Pending)},
		{w.Text("acceptance.gone"), fmt.Sprint(len(a.MissingIDs))},
		{w.Text("acceptance.events"), fmt.Sprint(a.Events)},
		{w.Text("acceptance.duplicates"), duplicates(a)},
	}
}

func deadText(a judge.Acceptance) string {
	if a.DeliveredByReplay == 0 {
		return fmt.Sprint(a.DeadLettered)
	}
	return fmt.Sprintf("%d (%d delivered by replay)", a.DeadLettered, a.DeliveredByReplay)
}

// missing names the missing ids, the first few of many.
func missing(w words.Texts, a judge.Acceptance) string {
	var ids []string
	for i, id := range a.MissingIDs {
		if i == maxMissing {
			ids = append(ids, w.Text("n.more-in", len(a.MissingIDs)-i, resultsFile))
			break
		}
		ids = append(ids, plain(id))
	}
	return strings.Join(ids, w.Text("list.comma"))
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
func (d dead) replayText(w words.Texts) string {
	var out []string
	for _, x := range d.Replays {
		s := x.What
		if x.At != "" {
			s += w.Text("list.comma") + x.At
		}
		out = append(out, s)
	}
	return or(strings.Join(out, w.Text("list.semicolon")), w.Text("dead.no-replay"))
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
		row := deadRow(r.words, t)
		// What the judge saw of a replay goes before what the sender says of it.
		if c, ok := counted[eventName(t)]; ok && c.Replay != "" && len(t.DeadLetter.Replays) == 0 {
			row.Replays = []replay{{What: r.words.Text("dead.no-record", r.words.Known("state", plain(c.Replay)))}}
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
			Event: plain(d.ID), Scenario: acceptanceScenario(r), Reason: or(plain(d.Reason), r.words.Text("dead.no-reason")),
			LastStatus: lastStatus(r.words, d.LastStatus), Attempts: d.Attempts,
		}
		if d.Replay != "" {
			row.Replays = []replay{{What: r.words.Known("state", plain(d.Replay))}}
		}
		out = append(out, row)
	}
	return out
}

func lastStatus(w words.Texts, status int) string {
	if status == 0 {
		return w.Text("dead.no-status")
	}
	return statusText(status)
}

func deadRow(w words.Texts, t judge.Timeline) dead {
	d := t.DeadLetter
	row := dead{
		Event: plain(eventName(t)), Scenario: plain(t.Scenario), Reason: or(plain(d.Reason), w.Text("dead.no-reason")), Hint: plain(d.Hint),
		LastStatus: lastStatus(w, d.LastStatus), Attempts: d.Attempts,
	}
	if d.LastStatus == 0 && d.LastError != "" {
		row.LastStatus = plain(d.LastError)
	}
	for _, x := range d.Replays {
		parts := []string{or(w.Known("state", plain(x.Outcome)), w.Text("dead.no-outcome"))}
		if x.Status != 0 {
			parts = append(parts, statusText(x.Status))
		}
		for _, s := range []string{x.Error, x.Reason} {
			if s != "" {
				parts = append(parts, plain(s))
			}
		}
		row.Replays = append(row.Replays, replay{strings.Join(parts, w.Text("list.comma")), clockIn(w, x.At)})
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
	return r.words.Text("dead.acceptance")
}
