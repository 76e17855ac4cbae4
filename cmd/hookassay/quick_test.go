package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/selftest"
)

// quickContract writes down a contract of the self-test's set in five seconds; the empty name is the default one.
func quickContract(t *testing.T, name string) (path string, c *contract.Contract) {
	t.Helper()
	c, err := selftest.Contract(name)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = selftest.Quick(c); err != nil {
		t.Fatal(err)
	}
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "quick.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, c
}
