package scenarios

import (
	"context"

	. "github.com/onsi/ginkgo/v2"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/judge"
)

// Register adds the selected scenarios to a Ginkgo tree, one spec for each scenario and check, labelled with the scenario's
// family, the check, the check's family and its level, and one for each known failure, which is to be in order. Call it where containers are made, any number of times. All scenarios
// are driven together before the first spec; a spec only reads its verdict. A Config that selects nothing is a programmer's
// slip and panics while the tree is built.
func Register(cfg Config) {
	selected, err := Selection(cfg)
	if err != nil {
		panic("scenarios.Register: " + err.Error())
	}
	Describe("hookassay", Ordered, ContinueOnFailure, func() {
		found := verdicts{}
		var known []judge.Known
		BeforeAll(func(ctx SpecContext) {
			r, err := Assay(ctx, cfg)
			if err != nil {
				Fail(err.Error())
			}
			found.add(r.Verdicts)
			known = r.Known
		})
		for i, k := range cfg.Known {
			It("known failure "+k.String(), func() {
				if problem := known[i].Problem; problem != "" {
					Fail(problem)
				}
			})
		}
		found.specs(cfg, selected)
	})
}

// spec names one check in one scenario.
type spec struct{ scenario, check string }

// verdicts is what the specs of one suite read.
type verdicts map[spec]judge.Verdict

func (vs verdicts) add(all []judge.Verdict) {
	for _, v := range all {
		vs[spec{v.Scenario, v.Check}] = v
	}
}

func (vs verdicts) specs(cfg Config, selected []drive.Scenario) {
	for _, sc := range selected {
		Context(sc.Name, func() {
			for _, check := range sc.Checks {
				It(check, Label(labels(cfg, sc, check)...), func() { vs.read(spec{sc.Name, check}) })
			}
		})
	}
}

// read turns a verdict into the end of a spec. Because and the record numbers hold no secret.
func (vs verdicts) read(s spec) {
	v, ok := vs[s]
	if !ok {
		Fail("hookassay gave no verdict; this is a bug of hookassay")
	}
	if v.Known != "" {
		Skip("known failure (" + v.Known + "): " + v.Because)
	}
	switch v.Outcome {
	case judge.Pass:
	case judge.Warn:
		AddReportEntry("warn", v.Because)
	case judge.Fail:
		Fail(v.Because)
	case judge.Error:
		Fail("trouble of the harness, not of the sender: " + v.Because)
	case judge.Observed, judge.Inconclusive, judge.NotApplicable:
		Skip(string(v.Outcome) + ": " + v.Because)
	}
}

// Run assays the sender once and has Ginkgo go through the verdicts, for those who want Ginkgo's own reports. It is called
// once per process: Ginkgo exits at a second call. observe gets the result before the specs run, to write reports from; nil is
// fine. The errors are those of Assay and of observe, and a disagreement between Ginkgo and the verdicts.
func Run(ctx context.Context, cfg Config, observe func(*Result) error) (*Result, error) {
	selected, err := Selection(cfg)
	if err != nil {
		return nil, err
	}
	r, err := Assay(ctx, cfg)
	if r == nil || err != nil {
		return r, err
	}
	if observe != nil {
		if err := observe(r); err != nil {
			return r, err
		}
	}
	return r, report(cfg, r, selected)
}
