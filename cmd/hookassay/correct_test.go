package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// This file says what a run of a correct sender must look like on any machine.

// calm is how late anything may be in a run that has to conform: a fifth of the least allowance, so that nothing of it is noise to the
// judge, and more than an idle machine ever is.
const calm = 50 * time.Millisecond

// exitOpen is the code of a run that is incomplete.
const exitOpen = 3

// alarms are the verdicts that no run of a correct sender may hold, whatever the machine does.
func alarms(res reports.Results) (all []string) {
	for _, v := range res.Verdicts {
		if v.Outcome == judge.Fail || v.Outcome == judge.Warn || v.Outcome == judge.Error {
			all = append(all, fmt.Sprintf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because))
		}
	}
	return all
}

// complaints are what is wrong with a run of a correct sender that ended with code and left its report in the folder out: an alarm, or
// another end than conformant. Only a machine that was late, by the run's own evidence, may have left a check open that no scenario
// closes, so that the run is incomplete.
func complaints(out string, code int) []string {
	res, err := reports.ReadResults(filepath.Join(out, "results.json"))
	if err != nil {
		return []string{fmt.Sprintf("exit code %d, and no results: %v", code, err)}
	}
	all := alarms(res)
	if code == 0 && res.Verdict == judge.Conformant {
		return all
	}
	said := fmt.Sprintf("exit code %d, %s: %s", code, res.Verdict, res.Why)
	if code != exitOpen || res.Verdict != judge.Incomplete {
		return append(all, said)
	}
	run, err := runIn(filepath.Join(out, "evidence.ndjson"))
	switch {
	case err != nil:
		all = append(all, err.Error())
	case run.Footer == nil || run.Footer.Interrupted != "":
		all = append(all, said)
	case mostLate(run) < calm:
		all = append(all, fmt.Sprintf("%s; and nothing in it was later than %s", said, mostLate(run)))
	}
	return all
}

// mostLate is the most that anything was late in a run.
func mostLate(run *evidence.Run) (worst time.Duration) {
	for _, n := range run.Noise {
		for _, us := range n.LateUS {
			worst = max(worst, time.Duration(us)*time.Microsecond)
		}
	}
	return worst
}

func runIn(path string) (*evidence.Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return evidence.Read(f)
}

// conforms runs a program that puts a correct sender to the test and leaves its report in a folder, and wants no complaints about it.
func conforms(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, "conforms REPORT PROGRAM [ARG…]")
	code := execCode(ts, args[1:])
	for _, c := range complaints(ts.MkAbs(args[0]), code) {
		ts.Fatalf("%s", c)
	}
}
