package reports

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
)

// The Common Test Report Format (ctrf.io) as JSON: one test for each verdict. Its five words for an outcome are fewer than ours;
// rawStatus has ours.
type ctrfDoc struct {
	Format    string      `json:"reportFormat"`
	Version   string      `json:"specVersion"`
	Timestamp *time.Time  `json:"timestamp,omitempty"`
	By        string      `json:"generatedBy"`
	Results   ctrfResults `json:"results"`
}

type ctrfResults struct {
	Tool    ctrfTool    `json:"tool"`
	Summary ctrfSummary `json:"summary"`
	Tests   []ctrfTest  `json:"tests"`
	Extra   ctrfExtra   `json:"extra"`
}

type ctrfTool struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type ctrfSummary struct {
	Tests    int   `json:"tests"`
	Passed   int   `json:"passed"`
	Failed   int   `json:"failed"`
	Skipped  int   `json:"skipped"`
	Pending  int   `json:"pending"`
	Other    int   `json:"other"`
	Suites   int   `json:"suites"`
	Start    int64 `json:"start"` // ms since 1970
	Stop     int64 `json:"stop"`
	Duration int64 `json:"duration"`
}

type ctrfTest struct {
	Name     string   `json:"name"`
	Status   string   `json:"status"`
	Duration int64    `json:"duration"` // ms; a verdict takes none
	Suite    []string `json:"suite"`
	Message  string   `json:"message,omitempty"`
	Raw      string   `json:"rawStatus"`
	Tags     []string `json:"tags,omitempty"`
}

type ctrfExtra struct {
	Verdict  judge.RunVerdict `json:"verdict"`
	Why      string           `json:"why"`
	Sender   string           `json:"sender"`
	Contract string           `json:"contract"`
}

// ctrfVersion is the version of the format that is written: the one whose schema the tests hold the file to.
const ctrfVersion = "0.0.0"

const (
	ctrfPassed  = "passed"
	ctrfFailed  = "failed"
	ctrfSkipped = "skipped"
	ctrfOther   = "other"
)

func writeCTRF(w io.Writer, r Report) error {
	res := r.Results
	doc := ctrfDoc{Format: "CTRF", Version: ctrfVersion, By: "hookassay"}
	doc.Results.Tool = ctrfTool{Name: "hookassay", Version: plain(res.Versions.Suite)}
	doc.Results.Extra = ctrfExtra{res.Verdict, plain(res.Why), senderText(english(), res), contractText(english(), res.Contract)}
	doc.Results.Tests = ctrfTests(res)
	s := &doc.Results.Summary
	suites := map[string]bool{}
	for _, t := range doc.Results.Tests {
		s.add(t.Status)
		suites[strings.Join(t.Suite, "/")] = true
	}
	s.Suites = len(suites)
	if !res.Started.IsZero() {
		started := res.Started
		doc.Timestamp = &started
		s.Start = started.UnixMilli()
		s.Stop = started.Add(ran(res)).UnixMilli()
		s.Duration = s.Stop - s.Start
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

func (s *ctrfSummary) add(status string) {
	s.Tests++
	switch status {
	case ctrfPassed:
		s.Passed++
	case ctrfFailed:
		s.Failed++
	case ctrfSkipped:
		s.Skipped++
	default:
		s.Other++
	}
}

func ctrfTests(r Results) []ctrfTest {
	tests := []ctrfTest{}
	for _, v := range r.Verdicts {
		t := ctrfTest{
			Name: or(plain(v.Check), "unnamed check"), Status: ctrfStatus(v), Raw: plain(string(v.Outcome)),
			Message: plain(v.Because), Suite: strings.Split(or(plain(v.Scenario), "whole run"), "/"),
		}
		if known(v) {
			t.Raw, t.Message = "known failure", plain(v.Known)+": "+t.Message
		}
		if v.Level != "" {
			t.Tags = []string{plain(string(v.Level))}
		}
		tests = append(tests, t)
	}
	for _, k := range r.Known {
		if k.Problem != "" {
			tests = append(tests, ctrfTest{
				Name: plain(k.String()), Status: ctrfFailed, Raw: plain(string(k.State)), Message: plain(k.Problem), Suite: []string{"known failures"},
			})
		}
	}
	return append(tests, ctrfRun(r))
}

// ctrfRun is the verdict on the run. It fails only where nothing else says why the run is not green, so that what fails is
// counted once.
func ctrfRun(r Results) ctrfTest {
	t := ctrfTest{
		Name: "verdict", Status: ctrfPassed, Suite: []string{"run"}, Raw: plain(string(r.Verdict)),
		Message: plain(string(r.Verdict)) + ": " + plain(r.Why),
	}
	switch {
	case r.ExitCode == 0:
	case failures(r) > 0:
		t.Status = ctrfOther
	default:
		t.Status = ctrfFailed
	}
	return t
}

func ctrfStatus(v judge.Verdict) string {
	if known(v) {
		return ctrfSkipped
	}
	switch v.Outcome {
	case judge.Pass:
		return ctrfPassed
	case judge.Fail:
		return ctrfFailed
	case judge.Inconclusive, judge.NotApplicable, judge.Observed:
		return ctrfSkipped
	case judge.Warn, judge.Error:
		return ctrfOther
	}
	return ctrfOther
}

// failures is how many failures every view shows: broken promises that are not known, and entries of the known failures that
// are wrong.
func failures(r Results) int {
	return len(unlisted(with(r.Verdicts, judge.Fail))) + len(knownProblems(r))
}
