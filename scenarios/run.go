package scenarios

import (
	"fmt"
	"io"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/judge"
)

// report runs one spec per verdict. Ginkgo prints nothing: what people read is drawn from the results.
func report(cfg Config, r *Result, selected []drive.Scenario) error {
	found := verdicts{}
	found.add(r.Verdicts)
	ginkgo.Describe("hookassay", func() { found.specs(cfg, selected) })

	var seen types.Report
	ginkgo.ReportAfterSuite("verdicts", func(rep types.Report) { seen = rep })
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FailOnEmpty = true
	reporter.NoColor = true
	formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard
	ginkgo.RunSpecs(silent{}, "hookassay", suite, reporter)
	return agree(seen, r.Verdicts)
}

// silent stands in for *testing.T: the exit code is the command's, found from the verdicts.
type silent struct{}

// Fail implements ginkgo.GinkgoTestingT.
func (silent) Fail() {}

// agree makes sure that Ginkgo saw the verdicts that the reports show.
func agree(rep types.Report, vs []judge.Verdict) error {
	want := 0
	for _, v := range vs {
		if (v.Outcome == judge.Fail || v.Outcome == judge.Error) && v.Known == "" {
			want++
		}
	}
	specs := rep.SpecReports.WithLeafNodeType(types.NodeTypeIt)
	got := specs.CountWithState(types.SpecStateFailureStates)
	if len(specs) != len(vs) || got != want {
		return fmt.Errorf("ginkgo ran %d specs with %d failures, the verdicts are %d with %d: a bug of hookassay",
			len(specs), got, len(vs), want)
	}
	return nil
}
