package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/hookassay/hookassay/harness/judge"
)

// shown is what a view says of how much failed: broken promises that are not known (with what is wrong in the list of known ones),
// and errors.
type shown struct{ Failed, Errors int }

func shownBy(r Results) shown { return shown{failures(r), r.Counts.Error} }

// views compares the counts that each view shows with those of results.json.
func (v *Verification) views(dir string, res Results) {
	want := shownBy(res)
	for _, view := range []struct {
		file string
		read func([]byte) (shown, error)
	}{
		{"report.html", shownInHTML},
		{summaryFile, shownInMarkdown},
		{"junit.xml", shownInJUnit},
		{"ctrf.json", shownInCTRF},
	} {
		text, err := os.ReadFile(filepath.Join(dir, view.file))
		if err != nil {
			continue // said of the file already
		}
		v.Views++
		got, err := view.read(text)
		switch {
		case err != nil:
			v.altered("%s: %v", view.file, err)
		case got != want:
			v.altered("%s shows %d failed and %s, %s has %d and %d",
				view.file, got.Failed, plural(got.Errors, "error"), resultsFile, want.Failed, want.Errors)
		}
	}
	v.badge(dir, res)
}

func (v *Verification) badge(dir string, res Results) {
	text, err := os.ReadFile(filepath.Join(dir, "badge.json"))
	if err != nil {
		return
	}
	v.Views++
	var b badge
	if err := json.Unmarshal(text, &b); err != nil {
		v.altered("badge.json: %v", err)
		return
	}
	if want := badgeOf(res); b != want {
		v.altered("badge.json says %q, %s gives %q", b.Message, resultsFile, want.Message)
	}
}

var (
	tallyItem = regexp.MustCompile(`data-outcome="(fail|error)" data-known="(\d+)".*?<b>(\d+)</b>`)
	wrongItem = regexp.MustCompile(`data-wrong="(\d+)"`)
	countsOf  = regexp.MustCompile(`(?m)^\d+ (?:of \d+ )?scenarios? ?.* attempts?: (.*)\.$`)
	failCount = regexp.MustCompile(`(?:^|, )(\d+) fail(?: \((\d+) known\))?`)
	errCount  = regexp.MustCompile(`(?:^|, )(\d+) error`)
	wrongList = regexp.MustCompile(`(?m)^## Known failures that are wrong \((\d+)\)$`)
)

func shownInHTML(text []byte) (shown, error) {
	var s shown
	found := tallyItem.FindAllSubmatch(text, -1)
	if len(found) != 2 {
		return s, errors.New("its tally of outcomes is not there")
	}
	for _, m := range found {
		if string(m[1]) == string(judge.Error) {
			s.Errors = number(m[3])
			continue
		}
		s.Failed += number(m[3]) - number(m[2])
	}
	if m := wrongItem.FindSubmatch(text); m != nil {
		s.Failed += number(m[1])
	}
	return s, nil
}

func shownInMarkdown(text []byte) (shown, error) {
	var s shown
	m := countsOf.FindSubmatch(text)
	if m == nil {
		return s, errors.New("its line of counts is not there")
	}
	if f := failCount.FindSubmatch(m[1]); f != nil {
		s.Failed = number(f[1]) - number(f[2])
	}
	if e := errCount.FindSubmatch(m[1]); e != nil {
		s.Errors = number(e[1])
	}
	if w := wrongList.FindSubmatch(text); w != nil {
		s.Failed += number(w[1])
	}
	return s, nil
}

// shownInJUnit counts elements, and wants the attributes to say the same.
func shownInJUnit(text []byte) (shown, error) {
	var s, told shown
	var doc junitSuites
	if err := xml.Unmarshal(text, &doc); err != nil {
		return s, fmt.Errorf("is not a whole document: %w", err)
	}
	for _, x := range doc.Suites {
		told.Failed, told.Errors = told.Failed+x.Failures, told.Errors+x.Errors
		for _, c := range x.Cases {
			if c.Failure != nil {
				s.Failed++
			}
			if c.Error != nil {
				s.Errors++
			}
		}
	}
	if s != told || doc.Failures != s.Failed || doc.Errors != s.Errors {
		return s, fmt.Errorf("its attributes say %d failed and %s, its elements are %d and %d", doc.Failures, plural(doc.Errors, "error"), s.Failed, s.Errors)
	}
	return s.without(doc.runCase()), nil
}

// runCase is the case of the verdict on the run, which fails only where nothing else does.
func (d *junitSuites) runCase() (s shown) {
	for _, x := range d.Suites {
		if x.Name != "run" {
			continue
		}
		return shown{x.Failures, x.Errors}
	}
	return s
}

func (s shown) without(o shown) shown { return shown{s.Failed - o.Failed, s.Errors - o.Errors} }

// shownInCTRF counts tests, and wants the summary to say the same.
func shownInCTRF(text []byte) (shown, error) {
	var s shown
	var doc ctrfDoc
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&doc); err != nil {
		return s, fmt.Errorf("is not a whole document: %w", err)
	}
	var sum ctrfSummary
	for _, t := range doc.Results.Tests {
		sum.add(t.Status)
		isRun := len(t.Suite) == 1 && t.Suite[0] == "run"
		switch {
		case isRun:
		case t.Status == ctrfFailed:
			s.Failed++
		case t.Status == ctrfOther && t.Raw != string(judge.Warn):
			s.Errors++
		}
	}
	told := doc.Results.Summary
	if told.Tests != sum.Tests || told.Passed != sum.Passed || told.Failed != sum.Failed || told.Skipped != sum.Skipped || told.Other != sum.Other {
		return s, fmt.Errorf("its summary says %d failed of %d, its tests are %d of %d", told.Failed, told.Tests, sum.Failed, sum.Tests)
	}
	return s, nil
}

// number reads digits that a pattern has matched.
func number(digits []byte) int {
	if len(digits) == 0 {
		return 0 // the part that a pattern may lack
	}
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return -1 // more digits than any count has: it will not be what is wanted
	}
	return n
}
