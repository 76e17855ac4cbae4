package reports_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

type suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Cases    []struct {
		Name    string    `xml:"name,attr"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
		Out     string    `xml:"system-out"`
	} `xml:"testcase"`
	Suites []suite `xml:"testsuite"`
}

func junit(t *testing.T, in reports.Input) suite {
	t.Helper()
	var s suite
	if err := xml.Unmarshal(render(t, format(t, "junit"), in), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestJUnitCountsAgreeWithItsElements(t *testing.T) {
	for name, in := range inputs() {
		root := junit(t, in)
		var sum suite
		for _, s := range root.Suites {
			var got suite
			for _, c := range s.Cases {
				got.Tests++
				if c.Failure != nil {
					got.Failures++
				}
				if c.Error != nil {
					got.Errors++
				}
				if c.Skipped != nil {
					got.Skipped++
				}
			}
			if s.Tests != got.Tests || s.Failures != got.Failures || s.Errors != got.Errors || s.Skipped != got.Skipped {
				t.Errorf("input%s, suite %s: attributes %+v, elements %+v", name, s.Name, s, got)
			}
			sum.Tests += got.Tests
			sum.Failures += got.Failures
			sum.Errors += got.Errors
			sum.Skipped += got.Skipped
		}
		if root.Tests != sum.Tests || root.Failures != sum.Failures || root.Errors != sum.Errors {
			t.Errorf("input%s: attributes of the whole %+v, suites add up to %+v", name, root, sum)
		}
	}
}

func TestJUnitElementOfEachOutcome(t *testing.T) {
	want := map[judge.Outcome]string{
		judge.Pass: "", judge.Fail: "failure", judge.Warn: "out", judge.Observed: "skipped", judge.Inconclusive: "skipped",
		judge.NotApplicable: "skipped", judge.Error: "error", "new in a later version": "error",
	}
	for outcome, element := range want {
		in := perfect()
		in.Verdicts = []judge.Verdict{verdict("budget/never", "budget.attempts", outcome, "because")}
		c := junit(t, in).Suites[1].Cases[0]
		got := map[string]bool{"failure": c.Failure != nil, "error": c.Error != nil, "skipped": c.Skipped != nil, "out": c.Out != ""}
		for e, there := range got {
			if there != (e == element) {
				t.Errorf("outcome %s: element %s is there: %v, want only %q", outcome, e, there, element)
			}
		}
	}
}

func TestJUnitOfARunThatProvesNothingIsNotGreen(t *testing.T) {
	for _, v := range []judge.RunVerdict{judge.Incomplete, judge.RunError, judge.NonConformant, "", "unheard of"} {
		in := perfect()
		in.Verdict = v
		if s := junit(t, in); s.Failures+s.Errors == 0 {
			t.Errorf("run verdict %q with passing checks only: no failure and no error", v)
		}
	}
	in := perfect()
	in.Verdict = judge.Conformant
	if s := junit(t, in); s.Failures+s.Errors != 0 {
		t.Errorf("run verdict %q with passing checks only: %d failures, %d errors", in.Verdict, s.Failures, s.Errors)
	}
}

func TestFailuresHaveOneRowPerFaultAndNoFormula(t *testing.T) {
	in := mixed()
	faults := 0
	for i := range in.Timelines {
		in.Timelines[i].Event = "=HYPERLINK(\"http://x\")" + in.Timelines[i].Event
		for j, a := range in.Timelines[i].Attempts {
			in.Timelines[i].Attempts[j].Fault = "@" + a.Fault
			if a.Status/100 != 2 || a.Ending != evidence.EndComplete {
				faults++
			}
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(render(t, format(t, "csv"), in))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows)-1 != faults {
		t.Errorf("%d rows, want %d", len(rows)-1, faults)
	}
	for _, row := range rows[1:] {
		if _, err := time.Parse("2006-01-02T15:04:05.000Z", row[5]); err != nil {
			t.Errorf("request time %q: %v", row[5], err)
		}
		for _, cell := range row {
			if cell == "" || strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("cell %q is empty or a formula", cell)
			}
		}
	}
}

func TestPercentagesAreNeverRounded(t *testing.T) {
	for _, c := range []struct {
		first, retry, all int
		want              string
	}{
		{982, 13, 1000, "(982 + 13) / 1000 = 99.5 %"},
		{1953, 26, 2000, "(1953 + 26) / 2000 = 98.95 %"},
		{98998, 1, 100000, "(98998 + 1) / 100000 = 98.999 %"},
		{999999, 0, 1000000, "(999999 + 0) / 1000000 = 99.9999 %"},
		{9999999, 0, 10000000, "(9999999 + 0) / 10000000 = 99.9999… %"},
		{2, 0, 3, "(2 + 0) / 3 = 66.6666… %"},
		{1, 0, 995, "(1 + 0) / 995 = 0.1005… %"},
		{1000, 0, 1000, "(1000 + 0) / 1000 = 100 %"},
		{990, 0, 1000, "(990 + 0) / 1000 = 99 %"},
		{0, 0, 0, "(0 + 0) / 0 = n/a"},
	} {
		in := perfect()
		in.Acceptance = &judge.Acceptance{Events: c.all, DeliveredFirstTry: c.first, DeliveredAfterRetry: c.retry, Threshold: 0.99}
		for name, text := range artifacts(t, in) {
			if name == "report.html" || name == "terminal" {
				if !strings.Contains(html.UnescapeString(string(text)), c.want) {
					t.Errorf("%s: no %q", name, c.want)
				}
			}
		}
	}
}

func TestTheRateIsReachedOnlyWhenItIs(t *testing.T) {
	for _, c := range []struct {
		delivered, all int
		sufficient     bool
		says           string
	}{
		{990, 1000, true, "at least 99 %: reached"},
		{989, 1000, true, "at least 99 %: missed"},
		{98999, 100000, true, "at least 99 %: missed"},
		{20, 20, false, "20 events are too few"},
		{0, 0, false, "No event was measured"},
	} {
		in := perfect()
		in.Acceptance = &judge.Acceptance{Events: c.all, DeliveredFirstTry: c.delivered, Threshold: 0.99, SampleSufficient: c.sufficient}
		if got := string(terminal(t, in, 100, false)); !strings.Contains(got, c.says) {
			t.Errorf("%d of %d: want %q in\n%s", c.delivered, c.all, c.says, got)
		}
	}
}

func TestHTMLNeedsNothingFromOutsideAndHoldsNoMarkupOfOthers(t *testing.T) {
	page := string(render(t, format(t, "html"), mixed()))
	for _, bad := range []string{"<script", "<img", "<link", "<iframe", "@import", "<style ", "javascript:", " onerror=\"", "\x1b", "\u2028", "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if tag := regexp.MustCompile(`<[a-z]+(?:\s+[a-z-]+(?:="[^"]*")?)*\s+(?:src|style|srcset|on[a-z]+)=`).FindString(page); tag != "" {
		t.Errorf("the page holds the tag %s", tag)
	}
	for _, m := range regexp.MustCompile(`(?:href|xlink:href)="([^"]*)"|url\(([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		if ref := m[1] + m[2]; !strings.HasPrefix(ref, "#") {
			t.Errorf("the page refers to %q", ref)
		}
	}
	_, rest, ok := strings.Cut(page, "<style>")
	style, _, ok2 := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	policy := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if !ok || !ok2 || !strings.Contains(html.UnescapeString(page), policy) {
		t.Errorf("the policy does not name the style sheet: want %s", policy)
	}
}

func TestHTMLAnchorsAreUniqueAndLead(t *testing.T) {
	page := string(render(t, format(t, "html"), mixed()))
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		ids[m[1]]++
		if ids[m[1]] > 1 {
			t.Errorf("two elements have the id %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?:href="#|aria-labelledby=")([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] == 0 {
			t.Errorf("no element has the id %s", m[1])
		}
	}
}

func TestHTMLCapsEventsAndAttempts(t *testing.T) {
	in := perfect()
	in.Timelines = nil
	for i := range 1000 {
		in.Timelines = append(in.Timelines, timeline("budget/never", fmt.Sprintf("evt_%d", i), evidence.StateDelivered, s,
			attempt{at: ms, status: 200, fault: "status"}))
	}
	for range 5000 {
		in.Timelines[777].Attempts = append(in.Timelines[777].Attempts, in.Timelines[777].Attempts[0])
	}
	page := string(render(t, format(t, "html"), in))
	if n := strings.Count(page, `<figure class="event"`); n != 1 {
		t.Errorf("%d events are drawn, want the one that was not delivered at first try", n)
	}
	for _, says := range []string{"evt_777", "Drawn: 1 of 1000 events.", "4977 more attempts"} {
		if !strings.Contains(page, says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}

func TestOddTimelinesAreDrawn(t *testing.T) {
	for name, change := range map[string]func(*judge.Timeline){
		"no times at all": func(l *judge.Timeline) {
			*l = judge.Timeline{Scenario: l.Scenario, Attempts: []judge.TimelineAttempt{{}}}
		},
		"negative times":  func(l *judge.Timeline) { l.Emitted, l.Deadline, l.Attempts[0].Start = -time.Hour, -s, -2*time.Hour },
		"only observed":   func(l *judge.Timeline) { l.Emitted, l.Deadline = 0, 0 },
		"for centuries":   func(l *judge.Timeline) { l.Attempts[5].Start = 1<<63 - 1 },
		"bounds reversed": func(l *judge.Timeline) { l.Attempts[2].Earliest, l.Attempts[2].Latest = 9*s, 1*s },
	} {
		in := perfect()
		change(&in.Timelines[0])
		page := string(render(t, format(t, "html"), in))
		if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") || regexp.MustCompile(`(?:x|width)="-[0-9.]+%"`).MatchString(page) {
			t.Errorf("%s: the drawing has impossible numbers", name)
		}
	}
}

func TestNoViewLetsControlCharactersThrough(t *testing.T) {
	for name, text := range artifacts(t, mixed()) {
		if !utf8.Valid(text) {
			t.Errorf("%s is no UTF-8", name)
		}
		if name == "terminal" {
			text = regexp.MustCompile(`\x1b\[(?:1;3[1-5]|0)m`).ReplaceAll(text, nil)
		}
		if name == "results.json" {
			continue // a document for programs keeps what was said; its encoding escapes what would break it
		}
		for _, r := range string(text) {
			if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Errorf("%s holds %U", name, r)
				break
			}
		}
	}
}

func TestResultsListsAreNeverNull(t *testing.T) {
	in := perfect()
	in.Acceptance = &judge.Acceptance{}
	in.Verdicts = append(in.Verdicts, verdict("budget/never", "x", judge.Pass, ""))
	in.Run.Scenarios[0].Checks = nil
	in.Run.Header.Sender.Abilities = nil
	in.Contract.Schedule = nil
	for name, doc := range map[string]reports.Input{"perfect": in, "empty": empty()} {
		b := render(t, format(t, "json"), doc)
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(b, &fields); err != nil {
			t.Fatal(err)
		}
		for key, v := range fields {
			nullable := key == "acceptance" || key == "acceptance_interval" || key == "delivery" || key == "ended"
			if bytes.Equal(v, []byte("null")) && !nullable || !nullable && bytes.Contains(v, []byte(": null")) {
				t.Errorf("%s: %s holds null: %s", name, key, v)
			}
		}
		if name == "perfect" && bytes.Contains(fields["acceptance"], []byte("null")) {
			t.Errorf("acceptance holds null: %s", fields["acceptance"])
		}
	}
}

func TestExitCodeOfEachRunVerdict(t *testing.T) {
	for v, want := range map[judge.RunVerdict]int{
		judge.Conformant: 0, judge.ConformantWithKnown: 0, judge.NonConformant: 1, judge.RunError: 2, judge.Incomplete: 3, "": 2,
	} {
		if got := reports.Build(reports.Input{Verdict: v}).ExitCode; got != want {
			t.Errorf("%q: exit code %d, want %d", v, got, want)
		}
	}
}
