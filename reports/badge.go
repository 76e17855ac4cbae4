package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/hookassay/hookassay/harness/judge"
)

// badge is what an endpoint badge of shields.io reads.
type badge struct {
	Schema  int    `json:"schemaVersion"` // 1: the only one there is
	Label   string `json:"label"`
	Message string `json:"message"`
	Color   string `json:"color"`
	Error   bool   `json:"isError,omitempty"` // keeps the colour as it is
}

func writeBadge(w io.Writer, r Report) error {
	b := badgeOf(r.Results)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(b)
}

func badgeOf(r Results) badge {
	b := badge{Schema: 1, Label: "webhook delivery", Message: string(r.Verdict), Color: "lightgrey"}
	switch r.Verdict {
	case judge.Conformant:
		b.Color = "brightgreen"
	case judge.ConformantWithKnown:
		b.Color = "yellowgreen"
	case judge.NonConformant:
		b.Color = "red"
		if n := failures(r); n > 0 {
			b.Message = plural(n, "failure")
		}
	case judge.Incomplete:
	case judge.RunError:
		b.Error = true
	default:
		b.Message, b.Error = string(judge.RunError), true
	}
	if len(r.LeftOut) > 0 {
		// A badge has no room for what was left out, and must not claim the whole.
		b.Message = fmt.Sprintf("%s (%d of %d scenarios)", b.Message, r.Counts.Scenarios, r.Counts.Scenarios+len(r.LeftOut))
	}
	if a := r.Acceptance; a != nil && a.SampleSufficient {
		b.Message += ", " + percent(delivered(*a), a.Events)
	}
	return b
}
