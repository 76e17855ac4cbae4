package main

import (
	"bytes"
	"flag"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asCommand makes the test binary act as hookassay: the runs of these tests start it as the sender under test.
const asCommand = "HOOKASSAY_AS_COMMAND"

// atOnce is how many tests run side by side on few cores: more would disturb each other's timing.
const atOnce = 4

func TestMain(m *testing.M) {
	// The fuzzer starts the test binary as its worker, and means the tests.
	if os.Getenv(asCommand) != "" && !slices.Contains(os.Args, "-test.fuzzworker") {
		main()
	}
	// The runs of these tests are not what a CI job of ours is about.
	if err := os.Unsetenv(jobSummary); err != nil {
		panic(err)
	}
	if err := os.Setenv(asCommand, "1"); err != nil {
		panic(err)
	}
	// Most tests here wait for what is played in real time; go test -parallel says otherwise.
	if err := flag.Set("test.parallel", strconv.Itoa(max(atOnce, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"hookassay": main})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, scripts(t))
}

// hookassay runs a command line in this process.
func hookassay(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), args, streams{in: new(bytes.Buffer), out: &out, err: &err})
	return code, out.String(), err.String()
}
