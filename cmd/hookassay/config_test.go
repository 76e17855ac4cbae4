package main

import (
	"os"
	"strings"
	"testing"
)

// FuzzRunFile wants of any text a run file or one sentence.
func FuzzRunFile(f *testing.F) {
	text, err := os.ReadFile("../../examples/refsender/hookassay.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("schema: hookassay.run/1\ncontract: bounded-6\ncompress: 200\nsender: {adapter: a.yaml, vars: {a: b}}\nselect: ['retry/*']\n"))
	f.Add([]byte("\ufeffa: &a [*a]\n---\n? {\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := parseRunFile("run.yaml", text)
		if err == nil && run.Schema != runSchema {
			t.Error("neither a run file nor an error")
		}
		if err != nil && !strings.HasPrefix(err.Error(), "run.yaml: ") {
			t.Errorf("does not name the file: %v", err)
		}
	})
}
