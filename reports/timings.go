package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// phase is the scenarios that were played side by side, the longest first.
type phase struct {
	number    int
	scenarios []evidence.Scenario
}

// Timings writes how long a run, its phases and its scenarios took, and how much longer than need be: a phase takes as long as
// its longest scenario at least. It says so of runs that did not end, as far as they went.
func Timings(w io.Writer, run *evidence.Run) error {
	var b strings.Builder
	var wall, least time.Duration
	list := phases(run)
	for _, p := range list {
		least += p.longest()
		wall = max(wall, p.span())
	}
	ended := ""
	if run.Footer != nil {
		wall = run.Footer.Ended
	} else {
		ended = ", as far as it went"
	}
	if len(list) == 0 {
		_, err := fmt.Fprintf(w, "\ntimings  no scenario was played\n")
		return err
	}
	fmt.Fprintf(&b, "\ntimings  wall time %s%s; %s, whose longest scenarios take %s together: ratio %.2f\n",
		span(wall), ended, plural(len(list), "phase"), span(least), wall.Seconds()/least.Seconds())
	for _, p := range list {
		fmt.Fprintf(&b, "phase %d\t%s\t%s\n", p.number, span(p.span()), plural(len(p.scenarios), "scenario"))
		for _, s := range p.scenarios {
			fmt.Fprintf(&b, "  %s\t%s\tfrom %s on %s\n", plain(s.Name), span(took(s)), span(s.From), or(plain(s.Instance), "one sender"))
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) // two spaces between columns
	if _, err := io.WriteString(t, b.String()); err != nil {
		return err
	}
	return t.Flush()
}

// phases returns the phases of a run in their order. Evidence that knows none had one.
func phases(run *evidence.Run) []phase {
	var out []phase
	for _, s := range run.Scenarios {
		if s.NotRun != "" {
			continue
		}
		n := max(1, s.Phase)
		i := slices.IndexFunc(out, func(p phase) bool { return p.number == n })
		if i < 0 {
			i = len(out)
			out = append(out, phase{number: n})
		}
		out[i].scenarios = append(out[i].scenarios, s)
	}
	slices.SortFunc(out, func(a, b phase) int { return a.number - b.number })
	for _, p := range out {
		slices.SortStableFunc(p.scenarios, func(a, b evidence.Scenario) int {
			return cmp.Or(cmp.Compare(took(b), took(a)), cmp.Compare(a.Name, b.Name))
		})
	}
	return out
}

// took is how long a scenario lasted, the reading of the sender's records included.
func took(s evidence.Scenario) time.Duration { return max(0, max(s.Ended, s.WatchUntil)-s.From) }

func (p phase) longest() time.Duration { return max(took(p.scenarios[0]), time.Millisecond) }

// span is from the first scenario's start to the last one's end.
func (p phase) span() time.Duration {
	from, to := p.scenarios[0].From, time.Duration(0)
	for _, s := range p.scenarios {
		from, to = min(from, s.From), max(to, s.Ended, s.WatchUntil)
	}
	return to - from
}
