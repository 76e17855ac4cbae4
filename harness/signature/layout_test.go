package signature_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/signature"
)

// TestLayoutSignsByHand does what a layout says with the tools that it names, and verifies what comes out.
func TestLayoutSignsByHand(t *testing.T) {
	for _, tool := range []string{"sh", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("signing by hand needs %s, which is not here", tool)
		}
	}
	const body = `{"id":"evt_1","name":"Ünï","webhookTimestamp":1700000000000}`
	byHand := 0
	for _, s := range signature.Schemes() {
		l := s.Layout()
		if l.Shell == "" {
			continue
		}
		byHand++
		t.Run(s.ID(), func(t *testing.T) {
			at := "1700000000"
			if s.Record().Timestamp.Format == "rfc3339" {
				at = "2023-11-14T22:13:20Z"
			}
			secret, err := s.Secret([]byte("0123456789abcdef0123456789abcdef"))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "body.json"), []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", l.Shell)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "SECRET="+secret, "TIME="+at, "ID=evt_1")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v, %s", l.Shell, err, out)
			}
			h := http.Header{}
			for _, line := range l.Headers {
				name, value, _ := strings.Cut(strings.Replace(line, "{n}", "1", 1), ": ")
				if slices.ContainsFunc(s.Record().Mirrors, func(m signature.Mirror) bool { return m.Header == name }) {
					continue // it may be absent
				}
				value = strings.NewReplacer("{timestamp}", at, "{id}", "evt_1").Replace(value)
				if before, _, ok := strings.Cut(value, "{"); ok {
					value = before + strings.TrimSpace(string(out))
				}
				h.Set(name, value)
			}
			if f := s.Verify(h, []byte(body), secret); !f.OK() {
				t.Errorf("signed by hand: %v: %+v", h, f)
			}
		})
	}
	if least := 25; byHand < least {
		t.Errorf("%d schemes can be signed by hand, want at least %d", byHand, least)
	}
}
