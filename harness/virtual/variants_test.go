package virtual_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/internal/selftest"
	"github.com/hookassay/hookassay/scenarios"
)

// TestNoAlarmForCorrectVariants plays everything but the load against each harmless way in which a correct sender may differ: no
// check may fail, and what differs must show, since else the run proves nothing.
func TestNoAlarmForCorrectVariants(t *testing.T) {
	t.Parallel()
	known := shown()
	for _, v := range refsender.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			c, err := selftest.Contract(v.Contract)
			if err != nil {
				t.Fatal(err)
			}
			r := virtual.Assay(t, virtual.Config{
				Name: v.Name, NewSender: inprocess.VirtualVariant(v.Name), Restarts: true, Contract: c, Select: situations(c, v),
			})
			for _, x := range r.Verdicts {
				// A situation may not come about with it: a connection that is not kept cannot end while it is idle.
				if x.Outcome == judge.Inconclusive && !strings.HasPrefix(x.Because, "nothing to judge") {
					t.Errorf("%s in %s: %s", x.Check, x.Scenario, x.Because)
				}
			}
			show := known[v.Name]
			if show == nil {
				t.Fatal("nothing says what it is to show")
			}
			if missing := show(r); missing != "" {
				t.Errorf("it does not show: %s", missing)
			}
		})
	}
	if n := len(refsender.Variants()); len(known) != n {
		t.Errorf("it is said of %d variants what they show, and there are %d", len(known), n)
	}
}

// situations names the scenarios of a contract but for the load, in which a difference shows no better, and bodies of megabytes, in
// which it shows only where a variant changes them.
func situations(c *contract.Contract, v refsender.Variant) []string {
	const framing, style, compressed = 1, 10, 22
	var names []string
	for _, sc := range scenarios.All(c, 0) {
		large := sc.Name == "body/every-size" && !slices.Contains([]int{framing, style, compressed}, v.Number)
		if sc.Family() != "acceptance" && !large {
			names = append(names, sc.Name)
		}
	}
	return names
}
