package scenarios_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/scenarios"
)

// TestAKnownFailureWithoutReasonIsRefusedBeforeTheRun: no sender is launched for it.
func TestAKnownFailureWithoutReasonIsRefusedBeforeTheRun(t *testing.T) {
	_, err := scenarios.Assay(t.Context(), scenarios.Config{
		Contract: effective(t), Known: []judge.KnownFailure{{Scenario: "retry/*", Check: "id.stable"}},
	})
	if err == nil || !strings.Contains(err.Error(), "has no reason") {
		t.Errorf("got %v", err)
	}
}
