package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"short":                                "short",
		"one two three four five six":          "one two three four\n  five six",
		"  one two three four five six":        "  one two three\n    four five six",
		"name     one two three":               "name     one two\n         three",
		"name     one two three  last":         "name     one two\n         three\n         last",
		"a  b  c  what goes on":                "a  b  c  what goes\n         on",
		"          a cell below":               "          a cell\n          below",
		"a  " + strings.Repeat("x", 30):        "a  " + strings.Repeat("x", 30),
		"https://example.com/a/long/address x": "https://example.com/a/long/address\n  x",
		"名称     三个字在这里写得很长":                    "名称     三个字在\n         这里写得\n         很长",
		"": "",
	} {
		if diff := cmp.Diff(want, strings.Join(fold(line, 20), "\n")); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", line, diff)
		}
	}
}

func TestFolderWaitsForTheEndOfALine(t *testing.T) {
	var got strings.Builder
	f := &folder{w: &got, width: 10}
	for _, part := range []string{"one two ", "three four\nsh", "ort\n\n"} {
		if n, err := f.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	if want := "one two\n  three\n  four\nshort\n\n"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}

// TestHelpFits walks through the help of every command.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	var walk func(path ...string)
	walk = func(path ...string) {
		var out, errs strings.Builder
		if code := execute(t.Context(), append(path, "--help"), streams{out: &out, err: &errs}); code != 0 {
			t.Fatalf("%v: exit code %d, %s", path, code, errs.String())
		}
		for line := range strings.Lines(out.String()) {
			if n := columnsOf(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("hookassay %v --help has a line of %d columns: %s", path, n, line)
			}
		}
		_, list, _ := strings.Cut(out.String(), "\nAvailable Commands:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.Lines(list) {
			if name, _, _ := strings.Cut(strings.TrimPrefix(line, "  "), " "); name != "" && name != "help" {
				walk(append(slices.Clip(path), name)...)
			}
		}
	}
	walk()
}

func TestParagraphs(t *testing.T) {
	text := "One\ngoes on, with\n  - an item\n    that goes on\n  - another\nand ends.\n\nCode:\n\n    kept: 1\n      - kept\n\n\tkept as well"
	want := []string{
		"One goes on, with", "  - an item that goes on", "  - another", "and ends.", "", "Code:", "",
		"    kept: 1", "      - kept", "", "    kept as well",
	}
	if diff := cmp.Diff(want, paragraphs(text)); diff != "" {
		t.Error(diff)
	}
}
