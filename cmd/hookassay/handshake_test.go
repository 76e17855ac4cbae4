package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunFileHasAHandshake: its secret is read beside the run file, and what cannot be is refused before anything is played.
func TestRunFileHasAHandshake(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "token.txt"), []byte("canary\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "run.yaml")
	for text, want := range map[string]string{
		"{name: slack}":                             "",
		"{name: meta, secret_file: token.txt}":      "",
		"{name: meta}":                              "give the token",
		"{name: meta, secret_file: nowhere.txt}":    "handshake.secret_file",
		"{name: nobody}":                            "hookassay list handshakes",
		"{name: websub, only: 'https://t.example'}": "",
	} {
		file := "schema: hookassay.run/1\ncontract: bounded-6\nsender: {adapter: a.yaml}\nhandshake: " + text + "\n"
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		run, err := loadRunFile(path)
		if err != nil {
			t.Fatal(err)
		}
		set, err := run.Handshake.settings()
		if want == "" && (err != nil || set == nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: the error shows the secret", text)
		}
	}
}
