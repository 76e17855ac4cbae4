package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBothReadmesShowTheSame compares everything that is code: blocks, and words in the text, such as commands and flags.
func TestBothReadmesShowTheSame(t *testing.T) {
	var blocks, words [2][]string
	for i, path := range []string{"../../README.md", "../../README.zh.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		block := regexp.MustCompile("(?ms)^ *```.*?^ *```$")
		blocks[i] = block.FindAllString(string(text), -1)
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(block.ReplaceAllString(string(text), ""), -1) {
			words[i] = append(words[i], strings.Join(strings.Fields(m[1]), " "))
		}
		slices.Sort(words[i])
		words[i] = slices.Compact(words[i])
	}
	if diff := cmp.Diff(blocks[0], blocks[1]); diff != "" {
		t.Errorf("blocks of code, README.md and README.zh.md: %s", diff)
	}
	if diff := cmp.Diff(words[0], words[1]); diff != "" {
		t.Errorf("code in the text, README.md and README.zh.md: %s", diff)
	}
}

// TestReadmeShowsTheMinimalAdapter keeps the copy in README.md equal to the file that TestMinimalExample runs.
func TestReadmeShowsTheMinimalAdapter(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	adapter, err := os.ReadFile("../../examples/minimal/adapter.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```yaml\n"+string(adapter)+"```\n") {
		t.Error("README.md does not show examples/minimal/adapter.yaml as it is")
	}
}

// TestReadmeNamesTheContractVariables checks that the table lists every name that an adapter can use.
func TestReadmeNamesTheContractVariables(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	c, err := effectiveContract("bounded-6", 200)
	if err != nil {
		t.Fatal(err)
	}
	for name := range contractVariables(c) {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_ms"), "_s")
		if !strings.Contains(string(readme), "`"+name+"`") {
			t.Errorf("README.md does not name ${contract.%s}", name)
		}
	}
}

// TestPagesShowReportCommandsThatAScriptRuns holds the pages to the commands on reports that report.txtar runs.
func TestPagesShowReportCommandsThatAScriptRuns(t *testing.T) {
	script, err := os.ReadFile("testdata/script/report.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"README.md", "docs/contracts-and-acceptance.md"} {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, line := range regexp.MustCompile("(?m)^ *(hookassay (?:report|schema|alarms) .*)$").FindAllStringSubmatch(string(text), -1) {
			n++
			if !strings.Contains(string(script), line[1]+"\n") {
				t.Errorf("%s shows %q, which report.txtar does not run", page, line[1])
			}
		}
		if n < 3 {
			t.Errorf("%s shows %d commands on reports, want those of report.txtar", page, n)
		}
	}
}
