package reports_test

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
	"github.com/hookassay/hookassay/reports"
)

func chinese(in reports.Input) reports.Input {
	in.Language = reports.Chinese
	return in
}

func TestChineseMatchesItsGoldens(t *testing.T) {
	for suffix, in := range inputs() {
		for _, name := range []string{"html", "markdown"} {
			golden(t, name+"-zh"+suffix, render(t, format(t, name), chinese(in)))
		}
	}
}

// What programs read has no language, and neither has the terminal.
func TestOnlyViewsForPeopleHaveALanguage(t *testing.T) {
	for name, in := range inputs() {
		for _, f := range reports.Formats() {
			en, zh := render(t, f, in), render(t, f, chinese(in))
			forPeople := f.Name == "html" || f.Name == "markdown"
			if bytes.Equal(en, zh) == forPeople {
				t.Errorf("input%s: %s in Chinese is the English one: %v, want %v", name, f.File, !forPeople, forPeople)
			}
		}
	}
}

// Not prose: names of files, commands, headers, units and words that Chinese engineers leave as they are.
var technical = regexp.MustCompile(`^(hookassay|report|html|HTTP|HTTPS|URL|SHA-\d+|curl|UTC|GET|POST|MUST|SHOULD|Wilson|Retry-After|min|evidence|ndjson|results|json|RECEIVER|id|httpapi|body|timestamp|timestamp-v|target|ticker|event|POST|status|failing|dead-letter|bounded-)$`)

// Names that the checks, the scenarios and the evidence bear in every language.
var proper = regexp.MustCompile(`[a-z-]+(\.[a-z0-9-]+)+|[a-z-]+/[a-z*-]+|evt_\w+|\([a-z]+\)|（[a-z]+）|\b\d{4}-\d\d-\d\dT[0-9:.]+Z|go1\.[0-9.]+|linux/amd64`)

// leftEnglish returns the words of a page that are English without being marked so.
func leftEnglish(page string) []string {
	for _, mark := range []string{`(?s)<head>.*?</head>`, `(?s)<code[ >].*?</code>`, `(?s)<pre[ >].*?</pre>`, `(?s)<span lang="en">.*?</span>`, `(?s)<td class="raw">.*?</td>`} {
		page = regexp.MustCompile(mark).ReplaceAllString(page, " ")
	}
	var texts []string
	for _, m := range regexp.MustCompile(`(?:aria-label|data-l|title)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		texts = append(texts, m[1])
	}
	texts = append(texts, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
	text := proper.ReplaceAllString(html.UnescapeString(strings.Join(texts, " ")), " ")
	var out []string
	for _, w := range regexp.MustCompile(`[A-Za-z][A-Za-z'-]{2,}`).FindAllString(text, -1) {
		if !technical.MatchString(w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// TestNoEnglishIsLeftOnAChinesePage reads a page whose sender wrote nothing itself.
func TestNoEnglishIsLeftOnAChinesePage(t *testing.T) {
	for name, in := range map[string]reports.Input{"empty": empty(), "perfect": perfect(), "stale": stale()} {
		if in.Run != nil {
			in.Run.Header.Sender = evidence.Sender{Name: "甲方", Driver: "httpapi"}
			in.Contract.Title = "六次尝试"
			in.Timelines[0].DeadLetter.Reason = "次数用尽"
			in.Run.DeadLetters[0].Reason = "次数用尽"
			for i := range in.Known {
				in.Known[i].Reason = "下个版本修复"
			}
			for i := range in.Verdicts {
				if in.Verdicts[i].Known != "" {
					in.Verdicts[i].Known = "下个版本修复"
				}
			}
		}
		if got := leftEnglish(string(render(t, format(t, "html"), chinese(in)))); len(got) > 0 {
			t.Errorf("%s: %q are English, outside of the catalogue or of lang=en", name, got)
		}
	}
}

func TestEachFamilyOutcomeAndStateHasWords(t *testing.T) {
	w := words.In(words.Chinese)
	keys := map[string]bool{}
	for _, c := range judge.Checks() {
		family, _, _ := strings.Cut(c.ID, ".")
		keys["family."+family] = true
	}
	for _, s := range []judge.KnownState{judge.KnownUsed, judge.KnownNotSelected, judge.KnownUndecided, judge.KnownStale, judge.KnownUnmatched, judge.KnownDuplicate, judge.KnownConflict} {
		keys["known."+string(s)] = true
	}
	for _, v := range []judge.RunVerdict{judge.Conformant, judge.ConformantWithKnown, judge.NonConformant, judge.Incomplete, judge.RunError} {
		keys["verdict."+string(v)] = true
	}
	for _, off := range []string{judge.OffEarly, judge.OffLate, judge.OffDeadline} {
		keys["off."+off] = true
	}
	for key := range keys {
		if w.Text(key) == key {
			t.Errorf("no language has %s", key)
		}
	}
}

// A report is verified in the language that it was written in.
func TestVerifyTakesEachLanguage(t *testing.T) {
	for _, l := range words.Languages() {
		dir := filepath.Join(t.TempDir(), "report")
		storedRunIn(t, dir, l)
		v, err := reports.Verify(dir, "0.9.0", mixedJudge)
		if err != nil || len(v.Altered) > 0 {
			t.Errorf("%s: %v, %q", l, err, v.Altered)
		}
		summary := filepath.Join(dir, "summary.md")
		text := string(content(t, summary))
		fail := words.In(l).Text("outcome.count", 3, words.In(l).Text("outcome.fail"))
		less := words.In(l).Text("outcome.count", 2, words.In(l).Text("outcome.fail"))
		if !strings.Contains(text, fail) {
			t.Fatalf("%s: summary.md does not say %q", l, fail)
		}
		put(t, summary, strings.Replace(text, fail, less, 1))
		seal(t, dir)
		v, err = reports.Verify(dir, "0.9.0", mixedJudge)
		if err != nil || !strings.Contains(strings.Join(v.Altered, "\n"), "summary.md shows 2 failed") {
			t.Errorf("%s: a failure less in summary.md is not found: %v, %q", l, err, v.Altered)
		}
	}
}

// TestOtherLanguageIsNoReport: a page in another language than the manifest says is not what the run left.
func TestOtherLanguageIsNoReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	storedRunIn(t, dir, reports.Chinese)
	path := filepath.Join(dir, "manifest.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.Replace(string(text), `"language": "zh"`, `"language": "en"`, 1))
	v, err := reports.Verify(dir, "0.9.0", mixedJudge)
	if err != nil || !strings.Contains(strings.Join(v.Altered, "\n"), "report.html is not what the evidence gives") {
		t.Errorf("a Chinese page passes for the English one: %v, %q", err, v.Altered)
	}
}
