// Package conformtest says what a run of a correct sender must look like on any machine, for tests alone.
package conformtest

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// Calm is how late anything may be in a run that has to conform: a fifth of the least allowance, so that nothing of it is noise to the
// judge, and more than an idle machine ever is.
const Calm = 50 * time.Millisecond

// Incomplete is the exit code of a run that leaves a check open.
const Incomplete = 3

// Alarms are the verdicts that no run of a correct sender may hold, whatever the machine does.
func Alarms(res reports.Results) (all []string) {
	for _, v := range res.Verdicts {
		if v.Outcome == judge.Fail || v.Outcome == judge.Warn || v.Outcome == judge.Error {
			all = append(all, fmt.Sprintf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because))
		}
	}
	return all
}

// Complaints are what is wrong with a run of a correct sender that ended with code and left its report in the folder out: an alarm, or
// another end than conformant. Only a machine that was late, by the run's own evidence, may have left a check open that no scenario
// closes, so that the run is incomplete.
func Complaints(out string, code int) []string {
	res, err := reports.ReadResults(filepath.Join(out, "results.json"))
	if err != nil {
		return []string{fmt.Sprintf("exit code %d, and no results: %v", code, err)}
	}
	all := Alarms(res)
	if code == 0 && res.Verdict == judge.Conformant {
		return all
	}
	said := fmt.Sprintf("exit code %d, %s: %s", code, res.Verdict, res.Why)
	if code != Incomplete || res.Verdict != judge.Incomplete {
		return append(all, said)
	}
	run, err := ReadRun(filepath.Join(out, "evidence.ndjson"))
	switch {
	case err != nil:
		all = append(all, err.Error())
	case run.Footer == nil || run.Footer.Interrupted != "":
		all = append(all, said)
	case MostLate(run) < Calm:
		all = append(all, fmt.Sprintf("%s; and nothing in it was later than %s", said, MostLate(run)))
	}
	return all
}

// MostLate is the most that anything was late in a run.
func MostLate(run *evidence.Run) (worst time.Duration) {
	for _, n := range run.Noise {
		for _, us := range n.LateUS {
			worst = max(worst, time.Duration(us)*time.Microsecond)
		}
	}
	return worst
}

// ReadRun reads the evidence in a file.
func ReadRun(path string) (*evidence.Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	return evidence.Read(f)
}
