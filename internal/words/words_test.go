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
