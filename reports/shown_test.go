package reports_test

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

func page(t *testing.T, in reports.Input) string {
	t.Helper()
	return html.UnescapeString(string(render(t, format(t, "html"), in)))
}

// A reader takes red for a verdict: an attempt outside its raw window is in order as long as the judge says so.
func TestAReportInWhichAllPassesMarksNoAttempt(t *testing.T) {
	in := perfect()
	for i := range in.Timelines[0].Attempts {
		a := &in.Timelines[0].Attempts[i]
		a.Start = a.Latest + 100*ms
	}
	for _, mark := range []string{judge.OffEarly, judge.OffLate, judge.OffDeadline, `class="ring"/`} {
		if strings.Contains(page(t, in), mark) {
			t.Errorf("all checks passed, and the page says %q", mark)
		}
	}
	in.Timelines[0].Attempts[1].Off = judge.OffLate
	if !strings.Contains(page(t, in), judge.OffLate) {
		t.Errorf("what the judge marked is not marked on the page")
	}
}

func TestWindowsSayHowFarTheyAreJudged(t *testing.T) {
	p := page(t, perfect())
	for _, says := range []string{"183 ms to 440 ms (end not judged)", "789 ms to 1.05 s (+250 ms)", `<rect class="slack"`} {
		if !strings.Contains(p, says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}

func TestASelectionIsSaidInEveryHeadline(t *testing.T) {
	in := perfect()
	in.Run.Header.Selected, in.Run.Header.LeftOut = []string{"budget/*"}, []string{"retry/hang", "order/by-object"}
	all := artifacts(t, in)
	for _, name := range []string{"terminal", "summary.md", "report.html"} {
		text := strings.Join(strings.Fields(strings.ReplaceAll(html.UnescapeString(string(all[name])), `\*`, "*")), " ")
		for _, says := range []string{"1 of 3 scenarios selected by budget/*: the verdict says nothing of the other 2.", "not selected"} {
			if !strings.Contains(text, says) {
				t.Errorf("%s does not say %q", name, says)
			}
		}
		if strings.Contains(text, "Nothing was left out") || name != "terminal" && !strings.Contains(text, "order/by-object") {
			t.Errorf("%s hides what was left out", name)
		}
	}
	var doc struct {
		Selected []string `json:"selected"`
		LeftOut  []string `json:"left_out"`
	}
	if err := json.Unmarshal(all["results.json"], &doc); err != nil || len(doc.Selected) != 1 || len(doc.LeftOut) != 2 {
		t.Errorf("results.json: %+v, %v", doc, err)
	}
	for name, text := range artifacts(t, perfect()) {
		if bytes.Contains(text, []byte("selected by")) || bytes.Contains(text, []byte("not selected")) {
			t.Errorf("%s speaks of a selection where there is none", name)
		}
	}
}

func TestACutRunDoesNotSayThatNothingWasLeftOut(t *testing.T) {
	in := perfect()
	in.Run.Footer, in.Verdict = nil, judge.Incomplete
	for name, text := range artifacts(t, in) {
		if bytes.Contains(text, []byte("Nothing was left out")) {
			t.Errorf("%s says that nothing was left out of a run that was cut short", name)
		}
	}
}

func TestOneReasonIsSaidOnce(t *testing.T) {
	in := perfect()
	in.Verdict = judge.RunError
	for _, check := range []string{"a.one", "a.two", "a.three"} {
		in.Verdicts = append(in.Verdicts, verdict("budget/never", check, judge.Error, "the disk was full", 7))
	}
	all := artifacts(t, in)
	for name, want := range map[string]int{"terminal": 1, "summary.md": 1, "report.html": 3} {
		text := string(all[name])
		if n := strings.Count(text, "the disk was full"); n != want {
			t.Errorf("%s says the reason %d times, want %d", name, n, want)
		}
		for _, check := range []string{"a.one", "a.two", "a.three"} {
			if !strings.Contains(text, check) {
				t.Errorf("%s does not name %s", name, check)
			}
		}
	}
}

func TestNoReasonOfWhatWasNotTestedIsLeftOut(t *testing.T) {
	in := perfect()
	for i := range 120 {
		in.Verdicts = append(in.Verdicts, verdict("budget/never", "id.stable", judge.Inconclusive, "reason "+strings.Repeat("i", i+1)+"."))
	}
	for _, check := range []string{"id.stable", "body.stable"} {
		in.Verdicts = append(in.Verdicts, verdict("life/idle", check, judge.NotApplicable, "the scenario was not played: no clock"))
	}
	in.Run.Scenarios = append(in.Run.Scenarios, evidence.Scenario{Name: "life/idle", NotRun: "no clock"})
	all := artifacts(t, in)
	for _, name := range []string{"summary.md", "report.html"} {
		text := string(all[name])
		_, text, _ = strings.Cut(text, "What was not tested, and why")
		for i := range 120 {
			if !strings.Contains(text, "reason "+strings.Repeat("i", i+1)+".") {
				t.Errorf("%s: reason %d is missing", name, i+1)
			}
		}
		if n := strings.Count(text, "no clock"); n != 1 {
			t.Errorf("%s says %d times why a scenario was not played", name, n)
		}
	}
}

// What the harness did stands on the timelines that it concerns, in the drawing, its text and its table; and an attempt
// that died with the sender is not called a timeout.
func TestActsStandOnTheTimelines(t *testing.T) {
	p := page(t, mixed())
	titles := regexp.MustCompile(`(?s)<title id="[^"]*">(.*?)</title>`).FindAllStringSubmatch(p, -1)
	title := func(event string) string {
		i := slices.IndexFunc(titles, func(m []string) bool { return strings.HasPrefix(m[1], "Event "+event+",") })
		if i < 0 {
			t.Fatalf("no drawing of %s", event)
		}
		return titles[i][1]
	}
	for event, want := range map[string][]string{
		"evt_1": {"rotated at 30 ms"}, "evt_2": {"1 at 6 ms: cut by the kill", "killed at 60 ms", "started again at 61 ms"}, "evt_5": {"replay called (failed) at"},
	} {
		for _, says := range want {
			if got := title(event); !strings.Contains(got, says) {
				t.Errorf("%s: no %q in %s", event, says, got)
			}
		}
	}
	if strings.Contains(title("evt_3"), "killed") {
		t.Error("the kill of another instance stands on a timeline")
	}
	if n := strings.Count(p, `class="act-label"`); n != 4 {
		t.Errorf("%d acts are drawn, want 4", n)
	}
	if n := strings.Count(p, `<tr class="act-row">`); n != 4 {
		t.Errorf("%d acts stand in tables, want 4", n)
	}
}

func TestVerdictsShowWhatTheyRestOn(t *testing.T) {
	in := mixed()
	in.Verdicts[0].Outcome = judge.Fail // below a pass one record is enough
	p := page(t, in)
	_, section, ok := strings.Cut(p, `<section id="scenarios">`)
	if !ok {
		t.Fatal("no scenarios")
	}
	for _, says := range []string{
		"POST attempt 1, signature t=1772615550 (redacted), body 210 B, SHA-256 5f8a1c02", "POST attempt 2, id evt_9, signature",
		"answered 502, Retry-After: 0, in full", "+7.0 ms", "dead letter: attempts used up, 6 attempts, last status 500",
		"the sender's log says pending", "ticker: 2 samples, at most 412 ms late", "committed: dedupe row, 1 business row",
	} {
		if !strings.Contains(section, says) {
			t.Errorf("no record reads %q", says)
		}
	}
	if strings.Contains(p, "0123abcd") {
		t.Error("a signature too short to be known by its look is shown")
	}
	for _, m := range regexp.MustCompile(`(?s)<li class="finding ([^"]*)">(.*?)</li>`).FindAllStringSubmatch(section, -1) {
		open := strings.Contains(m[2], `<details class="basis" open>`)
		if closed := strings.Contains(m[2], `<details class="basis">`); (open || closed) && open != slices.Contains([]string{"o-fail", "o-warn", "o-error"}, m[1]) {
			t.Errorf("records below a verdict of class %s: open %v", m[1], open)
		}
	}
}

// Runs write down scenarios and events as they end; two reports of equal runs are equal.
func TestTheOrderOfEndingDoesNotShow(t *testing.T) {
	a, b := mixed(), mixed()
	slices.Reverse(b.Run.Scenarios)
	slices.Reverse(b.Timelines)
	slices.SortStableFunc(b.Verdicts, func(x, y judge.Verdict) int { return strings.Compare(y.Scenario, x.Scenario) })
	for name, text := range artifacts(t, a) {
		if !bytes.Equal(text, artifacts(t, b)[name]) {
			line, x, y := firstDifference(text, artifacts(t, b)[name])
			t.Errorf("%s differs in line %d:\n%s\n%s", name, line, x, y)
		}
	}
}

func TestJudgingAgainIsSaidAsTheUserCanTypeIt(t *testing.T) {
	in := perfect()
	in.Rejudge = "hookassay judge 'my report/evidence.ndjson'"
	for _, name := range []string{"terminal", "summary.md", "report.html", "junit.xml"} {
		if text := html.UnescapeString(string(artifacts(t, in)[name])); !strings.Contains(text, in.Rejudge) || strings.Contains(text, "folder)") {
			t.Errorf("%s does not name the command, or names a folder besides", name)
		}
	}
	for _, name := range []string{"terminal", "summary.md", "report.html"} {
		if text := string(artifacts(t, perfect())[name]); !strings.Contains(text, "folder)") {
			t.Errorf("%s does not say from where the command is to be run", name)
		}
	}
}

func TestDeadLettersOfTheAcceptanceHaveScenarioHintAndRecord(t *testing.T) {
	in := perfect()
	in.Run.Scenarios[0].Name, in.Timelines[0].Scenario = "acceptance/mixed-load", "acceptance/mixed-load"
	in.Timelines[0].DeadLetter.Hint = "look at the endpoint"
	in.Acceptance = &judge.Acceptance{Events: 1, DeadLettered: 1, DeadLetters: []judge.AcceptanceDeadLetter{{ID: "evt_3", Reason: "attempts used up", Replay: "delivered"}}}
	for _, name := range []string{"summary.md", "report.html"} {
		text := string(artifacts(t, in)[name])
		for _, says := range []string{"acceptance/mixed-load", "look at the endpoint", "delivered, 200", "2026-03-04T09:12:53.250Z"} {
			if !strings.Contains(text, says) {
				t.Errorf("%s: no %q", name, says)
			}
		}
	}
}
