package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// The JUnit form as CI systems read it: one suite per scenario, one case per check. The first suite holds the verdict on
// the run, because a run that was cut short can have no failed check and must not look green; it fails only where nothing
// else does, so that the number of failures is that of every other view. The form is what Jenkins's schemas allow, from
// junit-4.xsd to junit-10.xsd: the whole has no attribute for what was skipped, and why a case was is text, as JUnit writes it.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string           `xml:"name,attr"`
	Tests      int              `xml:"tests,attr"`
	Failures   int              `xml:"failures,attr"`
	Errors     int              `xml:"errors,attr"`
	Skipped    int              `xml:"skipped,attr"`
	Time       string           `xml:"time,attr"`
	Timestamp  string           `xml:"timestamp,attr,omitempty"`
	Properties *junitProperties `xml:"properties"` // nil: none, since the schema wants at least one
	Cases      []junitCase      `xml:"testcase"`
}

type junitProperties struct {
	Each []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Error   *junitFailure `xml:"error"`
	Skipped *junitSkipped `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Why string `xml:",chardata"`
}

func writeJUnit(w io.Writer, r Report) error {
	res := r.Results
	doc := junitSuites{Name: "hookassay", Time: seconds(ran(res))}
	doc.add(runSuite(res))
	if len(res.Known) > 0 {
		doc.add(knownSuite(res))
	}
	if loose := of(res.Verdicts, ""); len(loose) > 0 {
		doc.add(suiteOf(res, Scenario{Name: "whole run"}, loose))
	}
	known := map[string]bool{"": true}
	for _, s := range res.Scenarios {
		known[s.Name] = true
		doc.add(suiteOf(res, s, of(res.Verdicts, s.Name)))
	}
	for _, v := range res.Verdicts {
		if !known[v.Scenario] {
			known[v.Scenario] = true
			doc.add(suiteOf(res, Scenario{Name: v.Scenario}, of(res.Verdicts, v.Scenario)))
		}
	}
	b, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write([]byte(xml.Header + string(b) + "\n"))
	return err
}

// add appends a suite and counts its cases, so that attributes and elements cannot disagree.
func (d *junitSuites) add(s junitSuite) {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	d.Tests += s.Tests
	d.Failures += s.Failures
	d.Errors += s.Errors
	d.Suites = append(d.Suites, s)
}

func runSuite(r Results) junitSuite {
	c := junitCase{Class: "run", Name: "verdict", Time: seconds(ran(r))}
	text := fmt.Sprintf("%s: %s", r.Verdict, plain(r.Why))
	switch r.Verdict {
	case judge.Conformant, judge.ConformantWithKnown:
		c.Out = text
	case judge.NonConformant:
		if failures(r) > 0 {
			c.Out = text
			break
		}
		c.Failure = &junitFailure{Message: text, Type: string(r.Verdict), Text: text}
	case judge.Incomplete, judge.RunError:
		c.Error = &junitFailure{Message: text, Type: string(r.Verdict), Text: text}
	default:
		c.Error = &junitFailure{Message: text, Type: string(judge.RunError), Text: text}
	}
	s := junitSuite{Name: "run", Time: c.Time, Timestamp: stamp(r), Cases: []junitCase{c}}
	for _, p := range facts(english(), r) {
		if s.Properties == nil {
			s.Properties = &junitProperties{}
		}
		s.Properties.Each = append(s.Properties.Each, junitProperty{Name: p.Name, Value: p.Value})
	}
	return s
}

// knownSuite has one case for each known failure, which fails where the entry is wrong.
func knownSuite(r Results) junitSuite {
	s := junitSuite{Name: "known failures", Time: seconds(0), Timestamp: stamp(r)}
	for _, k := range r.Known {
		c := junitCase{Class: s.Name, Name: plain(k.String()), Time: seconds(0), Out: string(k.State) + ": " + plain(k.Reason)}
		if k.Problem != "" {
			c.Failure = &junitFailure{Message: plain(k.Problem), Type: string(k.State), Text: plain(k.Problem)}
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

func suiteOf(r Results, s Scenario, vs []judge.Verdict) junitSuite {
	watched, err := time.ParseDuration(s.Watched)
	if err != nil {
		watched = 0
	}
	en := english()
	out := junitSuite{Name: plain(s.Name), Time: seconds(watched), Timestamp: stamp(r)}
	for _, v := range vs {
		out.Cases = append(out.Cases, caseOf(en, className(out.Name), v))
	}
	if len(vs) == 0 {
		why := "no check had a verdict"
		if s.NotRun != "" {
			why = "not played: " + plain(s.NotRun)
		}
		out.Cases = append(out.Cases, junitCase{
			Class: className(out.Name), Name: "scenario", Time: seconds(0), Skipped: &junitSkipped{Why: why},
		})
	}
	return out
}

// className names a scenario as Java names a class: viewers take what stands before the last dot for a package and group by it.
func className(scenario string) string { return strings.ReplaceAll(scenario, "/", ".") }

func caseOf(en words.Texts, class string, v judge.Verdict) junitCase {
	c := junitCase{Class: class, Name: plain(v.Check), Time: seconds(0)}
	because := plain(v.Because)
	text := because
	if l := lines(en, v.Records); l != "" {
		text += "\n" + evidenceFile + " " + l
	}
	if known(v) {
		c.Skipped = &junitSkipped{Why: "known failure: " + plain(v.Known) + ": " + because}
		return c
	}
	switch v.Outcome {
	case judge.Pass:
	case judge.Warn:
		c.Out = "warn: " + text
	case judge.Fail:
		c.Failure = &junitFailure{Message: because, Type: string(v.Level), Text: text}
	case judge.Inconclusive, judge.NotApplicable, judge.Observed:
		c.Skipped = &junitSkipped{Why: string(v.Outcome) + ": " + because}
	case judge.Error:
		c.Error = &junitFailure{Message: because, Type: string(v.Outcome), Text: text}
	default:
		c.Error = &junitFailure{Message: because, Type: plain(string(v.Outcome)), Text: text}
	}
	return c
}

// ran is how long the run took, 0 where its end is not known.
func ran(r Results) time.Duration {
	if r.Ended == nil {
		return 0
	}
	return r.Ended.Sub(r.Started)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// stamp is ISO 8601 without zone, as the JUnit schema wants it; the time is UTC.
func stamp(r Results) string {
	if r.Started.IsZero() {
		return ""
	}
	return r.Started.UTC().Format("2006-01-02T15:04:05")
}
