package reports_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// xmllint holds documents to a schema and returns what it complains of. Without it the test is skipped, or fails where
// HOOKASSAY_REQUIRE_XMLLINT=1.
func xmllint(t *testing.T, schema string, files ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath("xmllint")
	if err != nil {
		if os.Getenv("HOOKASSAY_REQUIRE_XMLLINT") == "1" {
			t.Fatal("no xmllint on the PATH, and HOOKASSAY_REQUIRE_XMLLINT=1 wants one")
		}
		t.Skip("no xmllint on the PATH: junit.xml is not held to its schema")
	}
	out, err := exec.Command(path, append([]string{"--nonet", "--noout", "--schema", schema}, files...)...).CombinedOutput()
	return string(out), err
}

// junitInputs are runs with every outcome of a check and every verdict on a run, and with text that breaks XML in each of
// them.
func junitInputs() map[string]reports.Input {
	all := inputs()
	for _, o := range []judge.Outcome{
		judge.Pass, judge.Fail, judge.Warn, judge.Observed, judge.Inconclusive, judge.NotApplicable, judge.Error, "new in a later version",
	} {
		in := perfect()
		in.Verdicts = []judge.Verdict{verdict("budget/never", "budget.attempts", o, hostile+control(), 61), verdict("", "whole.run", o, hostile)}
		all["-outcome "+string(o)] = in
	}
	for _, v := range []judge.RunVerdict{judge.Conformant, judge.ConformantWithKnown, judge.NonConformant, judge.Incomplete, judge.RunError, "unheard of"} {
		in := perfect()
		in.Verdict, in.Why = v, control()
		all["-verdict "+string(v)] = in
	}
	odd := mixed()
	for i := range odd.Run.Scenarios {
		odd.Run.Scenarios[i].Name = fmt.Sprintf("%s %d %s", hostile, i, control())
	}
	for i := range odd.Verdicts {
		odd.Verdicts[i].Scenario = odd.Run.Scenarios[i%len(odd.Run.Scenarios)].Name
		odd.Verdicts[i].Check = control()
	}
	odd.Run.Header.Sender.Name, odd.Run.Header.Sender.Version = control(), hostile
	odd.Command = control()
	all["-odd"] = odd
	return all
}

// control is each character that XML 1.0 cannot hold or writes otherwise, a half of a pair among them.
func control() string {
	var b strings.Builder
	for r := range rune(0x20) {
		b.WriteRune(r)
	}
	return b.String() + "\x7f\u0085\ufffe\uffff]]>&<>\"'\xed\xa0\x80<![CDATA["
}

func TestJUnitIsValidByThePublishedSchema(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, in := range junitInputs() {
		path := filepath.Join(dir, "junit"+strings.ReplaceAll(name, " ", "-")+".xml")
		put(t, path, string(render(t, format(t, "junit"), in)))
		files = append(files, path)
	}
	if out, err := xmllint(t, "testdata/published/junit.xsd", files...); err != nil {
		t.Errorf("%v:\n%s", err, strings.ReplaceAll(out, dir, ""))
	}
}

func TestTheSchemaRefusesABrokenJUnit(t *testing.T) {
	good := string(render(t, format(t, "junit"), mixed()))
	for what, swap := range map[string][2]string{
		"a case without a name":         {`<testcase classname="run" name="verdict"`, `<testcase classname="run"`},
		"an attribute of another form":  {`<testsuites name=`, `<testsuites skipped="1" name=`},
		"an element of another form":    {`<skipped>`, `<ignored></ignored><skipped>`},
		"a reason that is an attribute": {`<skipped>`, `<skipped message="why">`},
		"a suite without its count":     {`<testsuite name="run" tests="1"`, `<testsuite name="run"`},
		"properties without one":        {`<testcase classname="run"`, `<properties></properties><testcase classname="run"`},
		"a document cut short":          {`</testsuites>`, ``},
		"a control character":           {`name="verdict"`, "name=\"\x01\""},
	} {
		broken := strings.Replace(good, swap[0], swap[1], 1)
		if broken == good {
			t.Errorf("%s: nothing was broken", what)
		}
		path := filepath.Join(t.TempDir(), "junit.xml")
		put(t, path, broken)
		if _, err := xmllint(t, "testdata/published/junit.xsd", path); err == nil {
			t.Errorf("%s is valid", what)
		}
	}
}
