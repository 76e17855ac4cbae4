package signature_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
	const body = `{"id":"evt_1","name":"Ünï"}`
	for _, s := range signature.Schemes() {
		t.Run(s.ID(), func(t *testing.T) {
			secret, err := s.Secret([]byte("0123456789abcdef0123456789abcdef"))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "body.json"), []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
			l := s.Layout()
			cmd := exec.CommandContext(t.Context(), "sh", "-c", l.Shell)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "SECRET="+secret, "TIME=1700000000", "ID=evt_1")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v, %s", l.Shell, err, out)
			}
			h := http.Header{}
			for _, line := range l.Headers {
				name, value, _ := strings.Cut(line, ": ")
				value = strings.NewReplacer("{timestamp}", "1700000000", "{id}", "evt_1").Replace(value)
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
}
