package container_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hookassay/hookassay/harness/sender/container"
)

// TestMain leaves the library's reaper out: its image would have to come from a registry, and each test removes what it made.
func TestMain(m *testing.M) {
	if err := os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true"); err != nil {
		panic(err)
	}
	code := m.Run()
	if built.Load() { // to ask for it would build it
		_ = os.RemoveAll(example().folder)
	}
	os.Exit(code)
}

// open connects to Docker. Without one the test is skipped, unless HOOKASSAY_REQUIRE_DOCKER is 1.
func open(t *testing.T) *container.Engine {
	t.Helper()
	e, err := container.Open(t.Context())
	if err != nil {
		if os.Getenv("HOOKASSAY_REQUIRE_DOCKER") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// copied is a copy of examples/container with the program in it.
type copied struct {
	folder  string
	program string
	err     error
}

// built tells whether example was asked for.
var built atomic.Bool

// example builds the program, static, once. It is not built where no test asks for it.
var example = sync.OnceValue(func() copied {
	built.Store(true)
	folder, err := os.MkdirTemp("", "hookassay-container-")
	if err != nil {
		return copied{err: err}
	}
	c := copied{folder: folder, program: filepath.Join(folder, "hookassay")}
	if c.err = os.CopyFS(folder, os.DirFS("../../../examples/container")); c.err != nil {
		return c
	}
	cmd := exec.CommandContext(context.Background(), "go", "build", "-o", c.program, "./cmd/hookassay")
	cmd.Dir = "../../.."
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.err = errors.Join(err, errors.New(string(out)))
	}
	return c
})

func sender(t *testing.T) copied {
	t.Helper()
	c := example()
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c
}
