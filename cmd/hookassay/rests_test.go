package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/conformtest"
	"github.com/hookassay/hookassay/reports"
)

// TestVerdictsRestOnRecordsAndCanBeHadAgain plays every scenario: what passed or failed must name records that are in the evidence, and
// judging the saved file must say the same of everything.
func TestVerdictsRestOnRecordsAndCanBeHadAgain(t *testing.T) {
	t.Parallel()
	for _, defect := range []string{"", "body-rebuilt-on-retry"} {
		t.Run("defect="+defect, func(t *testing.T) {
			t.Parallel()
			quick, _ := quickContract(t, "")
			out, again := filepath.Join(t.TempDir(), "report"), filepath.Join(t.TempDir(), "again")
			code, _, stderr := hookassay(t, "demo", "--var", "defect="+defect, "--contract", quick, "--compress", "1",
				"--acceptance-events", "100", "--out", out)
			res, err := reports.ReadResults(filepath.Join(out, "results.json"))
			if err != nil {
				t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
			}
			file := filepath.Join(out, "evidence.ndjson")
			wantRecords(t, res, lastRecord(t, file))

			if c, _, stderr := hookassay(t, "judge", file, "--out", again); c != code {
				t.Errorf("judged again, the exit code is %d and not %d\n%s", c, code, stderr)
			}
			second, err := reports.ReadResults(filepath.Join(again, "results.json"))
			if err != nil {
				t.Fatal(err)
			}
			type said struct {
				Verdict    judge.RunVerdict
				Why        string
				Verdicts   []judge.Verdict
				Acceptance *judge.Acceptance
			}
			of := func(r reports.Results) said { return said{r.Verdict, r.Why, r.Verdicts, r.Acceptance} }
			if d := cmp.Diff(of(res), of(second)); d != "" {
				t.Errorf("judged again (-first +second):\n%s", d)
			}
		})
	}
}

// wantRecords wants of each verdict that says what the sender did the records that it rests on.
func wantRecords(t *testing.T, res reports.Results, last int) {
	t.Helper()
	decided := 0
	for _, v := range res.Verdicts {
		switch v.Outcome {
		case judge.Pass, judge.Fail, judge.Warn, judge.Observed:
			decided++
			if len(v.Records) == 0 {
				t.Errorf("%s in %s rests on no record: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
			}
		case judge.Inconclusive, judge.NotApplicable, judge.Error:
			// Where nothing happened there is nothing to cite.
		}
		for _, n := range v.Records {
			if n < 1 || n > last {
				t.Errorf("%s in %s cites record %d of %d", v.Check, v.Scenario, n, last)
			}
		}
	}
	if decided < len(res.Verdicts)/2 {
		t.Errorf("of %d verdicts only %d say anything", len(res.Verdicts), decided)
	}
}

// lastRecord is the number of the last line of evidence.
func lastRecord(t *testing.T, path string) int {
	t.Helper()
	run := readEvidence(t, path)
	if run.Footer == nil {
		t.Fatal("the evidence has no end")
	}
	return run.Footer.N
}

func readEvidence(t *testing.T, path string) *evidence.Run {
	t.Helper()
	run, err := conformtest.ReadRun(path)
	if err != nil {
		t.Fatal(err)
	}
	return run
}
