package reports_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
)

func TestWhatADriverNoticedStandsInTheReport(t *testing.T) {
	t.Parallel()
	const said = "ping: the shim says nothing"
	in := perfect()
	for _, stream := range []string{"stderr", evidence.StreamDriver} {
		in.Run.Output = []evidence.Output{{Instance: "shared", Stream: stream, Line: said}}
		if got, want := strings.Contains(page(t, in), "shared: "+said), stream == evidence.StreamDriver; got != want {
			t.Errorf("a line of %s is in the report: %t, want %t", stream, got, want)
		}
	}
}
