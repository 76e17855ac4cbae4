package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// shown is what a view says of how much failed: broken promises that are not known (with what is wrong in the list of known ones),
// and errors.
type shown struct{ Failed, Errors int }

func shownBy(r Results) shown { return shown{failures(r), r.Counts.Error} }

// views compares the counts that each view shows with those of results.json.
func (v *Verification) views(dir string, res Results, l words.Language) {
	want := shownBy(res)
	for _, view := range []struct {
		file string
		read func([]byte) (shown, error)
	}{
		{"report.html", shownInHTML},
		{summaryFile, func(text []byte) (shown, error) { return shownInMarkdown(text, words.In(l)) }},
		{"junit.xml", shownInJUnit},
		{"ctrf.json", shownInCTRF},
	} {
		text, err := readFile(filepath.Join(dir, view.file))
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
	text, err := readFile(filepath.Join(dir, "badge.json"))
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

func shownInMarkdown(text []byte, w words.Texts) (shown, error) {
	var s shown
	line := countsLine(text, w)
	if line == "" {
		return s, errors.New("its line of counts is not there")
	}
	s.Failed = counted(line, w.Text("outcome.count", aNumber, w.Text("outcome.fail"))) - counted(line, w.Text("outcome.of-them-known", aNumber))
	s.Errors = counted(line, w.Text("outcome.count", aNumber, w.Text("outcome.error")))
	for l := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(l), "## "); ok {
			s.Failed += counted(title, w.Text("md.known-wrong", aNumber))
		}
	}
	return s, nil
}

// aNumber stands for the figure in a text that is looked for.
const aNumber = 7_000_007

// countsLine is the line that sizeText and countsText made: it names scenarios first and ends with the outcomes.
func countsLine(text []byte, w words.Texts) string {
	_, end, _ := strings.Cut(w.Text("size.counts", "\x00", "\x00"), "\x00")
	between, stop, _ := strings.Cut(end, "\x00")
	for l := range strings.Lines(string(text)) {
		l = strings.TrimSpace(l)
		size, rest, ok := strings.Cut(l, between)
		if ok && strings.HasSuffix(rest, stop) && attemptsAtEnd(size, w) {
			return strings.TrimSuffix(rest, stop)
		}
	}
	return ""
}

func attemptsAtEnd(size string, w words.Texts) bool {
	return figure("(?:^|\\D)", w.Count("n.attempt", aNumber), "$").MatchString(size) || figure("(?:^|\\D)", w.Count("n.attempt", 1), "$").MatchString(size)
}

// counted returns the figure in the place of aNumber; 0 where the text is not there.
func counted(line, text string) int {
	if m := figure("(?:^|[^0-9])", text, "").FindStringSubmatch(line); m != nil {
		return number([]byte(m[1]))
	}
	return 0
}

func figure(before, text, after string) *regexp.Regexp {
	pattern := strings.Replace(regexp.QuoteMeta(text), fmt.Sprint(aNumber), `(\d+)`, 1)
	return regexp.MustCompile(before + pattern + after)
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
