package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// TestTerminalTellsOneCauseOnce: a sender that cannot be reached fails to register the endpoint of each scenario.
func TestTerminalTellsOneCauseOnce(t *testing.T) {
	trouble := func(scenario, what string) judge.Verdict {
		endpoint := strings.ReplaceAll(scenario, "/", ".")
		return judge.Verdict{Check: "sig.verifies", Scenario: scenario, Outcome: judge.Error, Because: "the harness had trouble: register endpoint " + endpoint + ": " + what}
	}
	r := reports.Results{Verdicts: []judge.Verdict{
		trouble("retry/timeout", "refused"), trouble("delivery/first-try", "refused"), trouble("replay/range", "status 409"), trouble("body/every-size", "refused"),
	}}
	var b bytes.Buffer
	if err := reports.Terminal(&b, r, 100, false); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for part, n := range map[string]int{
		"error sig.verifies in":             2,
		"refused (and 2 more like it)":      1,
		"replay.range: status 409":          1,
		"status 409 (and":                   0,
		"register endpoint body.every-size": 0,
	} {
		if got := strings.Count(text, part); got != n {
			t.Errorf("%q stands there %d times, want %d:\n%s", part, got, n, text)
		}
	}
}
