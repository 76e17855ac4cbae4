package mockreceiver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
)

// TestLargePEMFiles gives files of a certificate and of a key that have no end, or one far away.
func TestLargePEMFiles(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small"), filepath.Join(dir, "large")
	if err := os.WriteFile(small, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 1<<40); err != nil {
		t.Skip("no file of a terabyte, with nothing in it, can be made here")
	}
	for _, files := range []mockreceiver.TLS{{CertFile: large, KeyFile: small}, {CertFile: small, KeyFile: large}} {
		_, err := mockreceiver.Listen(t.Context(), mockreceiver.Config{TLS: &files}, "", "")
		if err == nil || !strings.Contains(err.Error(), "is larger than 1048576 bytes: give a PEM file") {
			t.Errorf("%+v: got %v", files, err)
		}
	}
}
