package words_test

import (
	"bufio"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/internal/words"
)

// catalogue reads a file of texts, and fails for a line that is none and for a key that is there twice.
func catalogue(t *testing.T, name string) map[string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	in := bufio.NewScanner(f)
	for in.Scan() {
		line := strings.TrimSpace(in.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, text, ok := strings.Cut(line, " = ")
		if !ok {
			t.Errorf("%s: %q is no line of the form key = text", name, line)
		}
		if _, twice := out[key]; twice {
			t.Errorf("%s: %s is there twice", name, key)
		}
		out[key] = text
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([a-z%])`)

// places lists the placeholders of a text in the order of their values: "1d 2s".
func places(text string) []string {
	var out []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				return []string{err.Error()}
			}
			next = n
		}
		out = append(out, strconv.Itoa(next)+m[2])
		next++
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestBothLanguagesHaveTheSameKeysAndPlaces(t *testing.T) {
	en, zh := catalogue(t, "en.txt"), catalogue(t, "zh.txt")
	for _, key := range slices.Sorted(maps.Keys(en)) {
		other, ok := zh[key]
		if !ok {
			t.Errorf("zh.txt has no %s", key)
			continue
		}
		for form := range strings.SplitSeq(en[key], "|") {
			if a, b := places(form), places(other); !slices.Equal(a, b) {
				t.Errorf("%s: English has places %v, Chinese %v", key, a, b)
			}
		}
		if en[key] != `""` && strings.Trim(other, `"`) == "" {
			t.Errorf("%s: the Chinese is empty", key)
		}
	}
	for key := range zh {
		if _, ok := en[key]; !ok {
			t.Errorf("en.txt has no %s", key)
		}
	}
}

// Groups whose keys are made from words of the evidence.
var made = []string{"outcome", "state", "end", "effect", "off", "known", "verdict", "level", "family", "glossary", "cite"}

// TestEachTextIsUsedAndEachUsedTextIsThere reads the sources of what shows texts.
func TestEachTextIsUsedAndEachUsedTextIsThere(t *testing.T) {
	en := catalogue(t, "en.txt")
	groups := map[string]bool{}
	for key := range en {
		group, _, _ := strings.Cut(key, ".")
		groups[group] = true
	}
	var files []string
	for _, glob := range []string{"../../reports/*.go", "../../reports/*.tmpl", "../../cmd/hookassay/*.go"} {
		found, err := filepath.Glob(glob)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", glob, len(found), err)
		}
		files = append(files, found...)
	}
	used := map[string]bool{}
	key := regexp.MustCompile(`(?:Text\(|Count\(|\{\{(?:with )?th? )"([^"]+)"`)
	literal := regexp.MustCompile(`"([a-z0-9]+(?:[.-][a-z0-9]+)+)"`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range key.FindAllStringSubmatch(string(text), -1) {
			if _, ok := en[m[1]]; !ok && !strings.HasSuffix(m[1], ".") {
				t.Errorf("%s uses %q, which no language has", filepath.Base(file), m[1])
			}
		}
		for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
		}
	}
	for key := range en {
		if group, _, _ := strings.Cut(key, "."); !used[key] && !slices.Contains(made, group) {
			t.Errorf("%s is used nowhere", key)
		}
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]words.Language{"": words.English, "en": words.English, "zh": words.Chinese, "ZH-CN": words.Chinese, "zh-Hans": words.Chinese} {
		if got, err := words.Parse(name); err != nil || got != want {
			t.Errorf("Parse(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	_, err := words.Parse("fr")
	if err == nil || err.Error() != `language "fr" is unknown; write en or zh` {
		t.Errorf("Parse of an unknown language: %v", err)
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		l    words.Language
		n    int
		want string
	}{
		{words.English, 0, "0 events"},
		{words.English, 1, "1 event"},
		{words.English, 2, "2 events"},
		{words.Chinese, 1, "1 个事件"},
		{words.Chinese, 2, "2 个事件"},
	} {
		if got := words.In(c.l).Count("n.event", c.n); got != c.want {
			t.Errorf("%s, %d: %q, want %q", c.l, c.n, got, c.want)
		}
	}
}

// TestPhrases: each names its places by number, and each English sentence once.
func TestPhrases(t *testing.T) {
	text, err := os.ReadFile("phrases.zh.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		en, zh, ok := strings.Cut(line, " => ")
		if !ok || seen[en] || strings.TrimSpace(zh) == "" {
			t.Errorf("%q is no line of the form English => Chinese, or there twice", line)
		}
		seen[en] = true
		want := regexp.MustCompile(`%[ds]`).FindAllString(en, -1)
		got := map[string]bool{}
		for _, m := range regexp.MustCompile(`%\[(\d)\]s`).FindAllStringSubmatch(zh, -1) {
			got[m[1]] = true
		}
		if len(got) != len(want) || len(want) > 0 && !got[strconv.Itoa(len(want))] {
			t.Errorf("%q has %d places, its Chinese %v", en, len(want), slices.Sorted(maps.Keys(got)))
		}
	}
}

func TestSentences(t *testing.T) {
	zh := words.In(words.Chinese)
	for recorded, want := range map[string]string{
		"replays carry the declared id (replays: 10)":                                                   "重放携带声明的 id（重放：10）",
		"every wait lies in its band (waits after a failure: 7) (the first 50 of 70 records are named)": "每次等待都在其范围内（失败后的等待：7）（列出 70 条记录中的前 50 条）",
		"the scenario was not played: the contract promises no order":                                   "该情形未进行：契约没有承诺顺序",
		"1224 of 1329 verdicts passed, and no MUST is broken":                                           "1329 项判定中 1224 项通过，没有违背任何 MUST 承诺",
		"no check passed; the run was resumed (interrupted by signal: interrupt): nothing listened from 812 ms to 1.5 s; " +
			"the run was resumed (interrupted by signal: terminated): nothing listened from 8 s to 9.25 s": "没有任何检查通过；" +
			"运行曾被中断（收到 interrupt 信号），之后继续；没有监听的时间：812 ms 至 1.5 s；运行曾被中断（收到 terminated 信号），之后继续；没有监听的时间：8 s 至 9.25 s",
	} {
		if got := zh.Sentence(recorded); len(got) != 1 || got[0].Text != want || got[0].Language != words.Chinese {
			t.Errorf("%q: %v, want %q", recorded, got, want)
		}
	}
	// What is not known as a whole stays as it was recorded, its end too.
	for _, recorded := range []string{"attempt 3 came 61 ms after attempt 2 (attempts: 4)", "%s (%s: %d)", "<b> => x (events: 3)"} {
		if got := zh.Sentence(recorded); len(got) != 1 || got[0] != (words.Piece{Text: recorded, Language: words.English}) {
			t.Errorf("%q became %v", recorded, got)
		}
	}
	mixed := zh.Sentence("2 MUST verdicts failed, the first id.stable in retry/hang: attempt 2 carried evt_9")
	if !slices.Equal(mixed, []words.Piece{
		{Text: "2 项 MUST 判定失败，首先是 id.stable（retry/hang）：", Language: words.Chinese},
		{Text: "attempt 2 carried evt_9", Language: words.English},
	}) {
		t.Errorf("mixed: %q", mixed)
	}
	if got := words.In(words.English).Sentence("anything"); len(got) != 1 || got[0].Text != "anything" {
		t.Errorf("English: %v", got)
	}
}
