package virtual_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/internal/selftest"
)

// TestNoAlarmForCorrectVariants plays against each harmless way in which a correct sender may differ the scenarios in which that shows:
// no check may fail, and what differs must show, since else the run proves nothing.
func TestNoAlarmForCorrectVariants(t *testing.T) {
	t.Parallel()
	known := proofs()
	for _, v := range refsender.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			c, err := selftest.Contract(v.Contract)
			if err != nil {
				t.Fatal(err)
			}
			proof, ok := known[v.Name]
			if !ok {
				t.Fatal("nothing says what it is to show")
			}
			r := virtual.Assay(t, virtual.Config{
				Name: v.Name, NewSender: inprocess.VirtualVariant(v.Name), Restarts: true, Contract: c, Select: proof.in,
			})
			for _, x := range r.Verdicts {
				// A situation may not come about with it: a connection that is not kept cannot end while it is idle.
				if x.Outcome == judge.Inconclusive && !strings.HasPrefix(x.Because, "nothing to judge") {
					t.Errorf("%s in %s: %s", x.Check, x.Scenario, x.Because)
				}
			}
			if missing := proof.lacks(r); missing != "" {
				t.Errorf("it does not show: %s", missing)
			}
		})
	}
	if n := len(refsender.Variants()); len(known) != n {
		t.Errorf("it is said of %d variants what they show, and there are %d", len(known), n)
	}
}
