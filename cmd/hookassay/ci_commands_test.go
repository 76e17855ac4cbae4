package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestCommandsOfCIExist holds each command line of the action and of the examples for CI to what the program knows: it asks for the
// help of that command and looks for each flag.
func TestCommandsOfCIExist(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]int{"../../action.yml": 1, "../../examples/ci/gitlab-ci.yml": 1, "../../examples/ci/github.yml": 0} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := yaml.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		n := 0
		for _, line := range commandLines(doc) {
			n++
			code, help, errs := hookassay(t, line[0], "--help")
			if code != 0 || !strings.Contains(help, "hookassay "+line[0]) {
				t.Errorf("%s: hookassay %s: there is no such command: %s", file, line[0], errs)
			}
			for _, word := range line[1:] {
				flag, _, _ := strings.Cut(word, "=")
				if strings.HasPrefix(flag, "-") && !regexp.MustCompile(`(^|[\s,])`+flag+`[\s,]`).MatchString(help) {
					t.Errorf("%s: hookassay %s has no flag %s", file, line[0], flag)
				}
			}
		}
		if n < least {
			t.Errorf("%s: %d commands were found, want at least %d", file, n, least)
		}
	}
}

// commandLines are the words behind the program's name in every text of a document.
func commandLines(doc any) [][]string {
	var lines [][]string
	switch v := doc.(type) {
	case map[string]any:
		for _, value := range v {
			lines = append(lines, commandLines(value)...)
		}
	case []any:
		for _, value := range v {
			lines = append(lines, commandLines(value)...)
		}
	case string:
		for _, m := range regexp.MustCompile(`(?m)(?:^|[ /])hookassay ([a-z].*)$`).FindAllStringSubmatch(v, -1) {
			lines = append(lines, strings.Fields(m[1]))
		}
	}
	return lines
}

// TestActionHasTheInputsThatItsExampleGives compares the example's with section and the action.
func TestActionHasTheInputsThatItsExampleGives(t *testing.T) {
	t.Parallel()
	a := readAction(t)
	text, err := os.ReadFile("../../examples/ci/github.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	used := false
	for _, job := range workflow.Jobs {
		for _, s := range job.Steps {
			if !strings.HasPrefix(s.Uses, "hookassay/hookassay@") {
				continue
			}
			used = true
			for name := range s.With {
				if _, there := a.Inputs[name]; !there {
					t.Errorf("the example gives the action %s, which it does not take", name)
				}
			}
		}
	}
	if !used {
		t.Error("the example does not use the action")
	}
}
