package reports

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// explainHint tells somebody whose sender failed where to read on; empty if nothing failed that is not known.
func explainHint(w words.Texts, r Results) string {
	var checks []string
	for _, v := range unlisted(with(r.Verdicts, judge.Fail)) {
		if !slices.Contains(checks, plain(v.Check)) {
			checks = append(checks, plain(v.Check))
		}
	}
	if len(checks) == 0 {
		return ""
	}
	// What failed the acceptance is told by the other checks, if by any.
	slices.SortStableFunc(checks, func(a, b string) int { return cmp.Compare(ofAcceptance(a), ofAcceptance(b)) })
	hint := w.Text("finding.explain", checks[0])
	if more := len(checks) - 1; more > 0 {
		hint += w.Text("finding.explain-more", w.Count("n.other-check", more))
	}
	return hint
}

func ofAcceptance(check string) int {
	if strings.HasPrefix(check, "acceptance.") {
		return 1
	}
	return 0
}
