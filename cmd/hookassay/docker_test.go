package main

import (
	"os"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hookassay/hookassay/harness/sender/container"
)

// requireDocker skips a test where no Docker answers, unless HOOKASSAY_REQUIRE_DOCKER is 1.
func requireDocker(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the program that is built for the image runs on Linux only")
	}
	e, err := container.Open(t.Context())
	switch {
	case err == nil:
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	case os.Getenv("HOOKASSAY_REQUIRE_DOCKER") == "1":
		t.Fatal(err)
	default:
		t.Skip(err)
	}
}

// passDocker lets the programs of a script find Docker as the test does. The library's reaper is left out: its image would have to
// come from a registry, and each run removes what it made.
func passDocker(env *testscript.Env) {
	for _, name := range []string{"DOCKER_HOST", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "TESTCONTAINERS_HOST_OVERRIDE"} {
		if value := os.Getenv(name); value != "" {
			env.Setenv(name, value)
		}
	}
	env.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true")
}

// TestAdapterCheckOfASenderInAContainer runs testdata/container beside a copy of examples/container with the program in it.
func TestAdapterCheckOfASenderInAContainer(t *testing.T) {
	requireDocker(t) // not parallel: TestDriveASenderInAContainer builds and removes the same image
	_, shown, _ := ownSenderPage(t)
	p := scripts(t)
	p.Dir = "testdata/container"
	prepare := p.Setup
	p.Setup = func(env *testscript.Env) error {
		if err := prepare(env); err != nil {
			return err
		}
		passDocker(env)
		if err := os.CopyFS(env.WorkDir+"/examples", os.DirFS("../../examples")); err != nil {
			return err
		}
		return buildAsShown(t, env.WorkDir, shown)
	}
	testscript.Run(t, p)
}
