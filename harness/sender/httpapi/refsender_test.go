package httpapi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/harness/sender/sendertest"
)

// The published example drives the real reference sender.
func TestExerciseReferenceSender(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "hookassay")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/hookassay/hookassay/cmd/hookassay")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	a, err := httpapi.Load("../../../examples/refsender/adapter.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := os.ReadFile("testdata/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	l, err := httpapi.New(a, httpapi.Options{
		Builtin: map[string]string{"hookassay": program}, Files: map[string][]byte{"contract.yaml": contract}, TempDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	sendertest.Exercise(t, func(t *testing.T) sender.Instance { return launch(t, l, newWatcher()) })
}
