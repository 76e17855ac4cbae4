//go:build unix

package process_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/sender/process"
)

var readyURL = regexp.MustCompile(`^ready (http://\S+)$`)

func shell(script string) process.Spec {
	return process.Spec{Name: "sender", Command: []string{"sh", "-c", script}, Ready: readyURL, Grace: time.Minute}
}

// start makes a process and closes it with the test.
func start(t *testing.T, spec process.Spec) (*process.Process, *watcher) {
	t.Helper()
	p, w := newProcess(t, spec)
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p, w
}

func newProcess(t *testing.T, spec process.Spec) (*process.Process, *watcher) {
	t.Helper()
	w := newWatcher()
	p, err := process.New(spec, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, w
}

// gate is a place in a script that waits, each time, until the test tells it to go on: what ends before Start has returned did not start.
func gate(t *testing.T) (script string, tell func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "told")
	return fmt.Sprintf("until rm '%s' 2>/dev/null; do sleep 0.01; done; ", path), func() {
		t.Helper()
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func noExit(t *testing.T, w *watcher) {
	t.Helper()
	select {
	case err := <-w.exited:
		t.Errorf("the watcher was told of an end that was asked for: %v", err)
	default:
	}
}

func TestReadyLineGivesTheURL(t *testing.T) {
	t.Parallel()
	for stream, script := range map[string]string{
		"stdout": `echo starting; echo ready http://127.0.0.1:7; exec sleep 100`,
		"stderr": `echo starting; echo ready http://127.0.0.1:7 >&2; exec sleep 100`,
	} {
		t.Run(stream, func(t *testing.T) {
			t.Parallel()
			p, w := start(t, shell(script))
			if got := p.URL(); got != "http://127.0.0.1:7" {
				t.Errorf("URL %q", got)
			}
			if !slices.Contains(w.all(), stream+": ready http://127.0.0.1:7") {
				t.Errorf("the ready line is not among the watched ones: %q", w.all())
			}
			if err := p.Kill(t.Context()); err != nil {
				t.Error(err)
			}
			if got := p.URL(); got != "" {
				t.Errorf("a killed process still has the URL %q", got)
			}
			noExit(t, w)
		})
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	quick := func(s process.Spec) process.Spec { s.ReadyTimeout = 3 * time.Second; return s } // in which a busy machine gets to the script
	tests := []struct {
		name string
		spec process.Spec
		want []string
	}{
		{
			"no ready line", quick(shell(`echo one; echo two >&2; exec sleep 100`)),
			[]string{"start sender: ", "sh -c", "within 3s", `^ready (http://\\S+)$`, "one", "two"},
		},
		{"silent", quick(shell(`exec sleep 100`)), []string{"it printed nothing"}},
		{"ends first", shell(`echo cannot open database; exit 3`), []string{"ended before it was ready (exit status 3)", "cannot open database"}},
		{"crashes first", shell(`kill -SEGV $$`), []string{"ended before it was ready (signal: segmentation fault"}},
		{"no such program", process.Spec{Command: []string{"no-such-program-here"}}, []string{"start no-such-program-here", "not found"}},
		{"no such folder", process.Spec{Command: []string{"sh"}, Dir: "/no/such/folder"}, []string{"/no/such/folder"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, w := newProcess(t, tt.spec)
			err := p.Start(t.Context())
			if err == nil {
				t.Fatal("it started")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error lacks %q:\n%v", want, err)
				}
			}
			if p.Running() {
				t.Error("something still runs")
			}
			noExit(t, w)
		})
	}
}

func TestStartGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	p, _ := newProcess(t, shell(`exec sleep 100`))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.Start(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("want the context's error, got %v", err)
	}
	if p.Running() {
		t.Error("something still runs")
	}
}

func TestStartAgainReadsTheURLAgain(t *testing.T) {
	t.Parallel()
	// The process id stands for a port that the system chose.
	p, w := start(t, shell(`echo ready http://127.0.0.1:$$; trap 'exit 0' TERM; while :; do sleep 0.01; done`))
	first := p.URL()
	if err := p.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "running already") {
		t.Errorf("second start of a running process: %v", err)
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if second := p.URL(); second == first || second == "" {
		t.Errorf("URL %q after the restart, %q before", second, first)
	}
	noExit(t, w)
}

func TestUnexpectedExitIsToldOnce(t *testing.T) {
	t.Parallel()
	untilTold, tell := gate(t)
	p, w := start(t, shell(`echo ready http://127.0.0.1:7; echo out of memory >&2; `+untilTold+`exit 7`))
	tell()
	err := <-w.exited
	var exited *process.ExitedError
	if !errors.As(err, &exited) || exited.Exit.Code != 7 {
		t.Errorf("want exit code 7, got %v", err)
	}
	if !strings.Contains(err.Error(), "exit status 7") || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("error lacks the code or the last line: %v", err)
	}
	for _, again := range []func(context.Context) error{p.Stop, p.Kill} {
		if err := again(t.Context()); err != nil {
			t.Errorf("ending a process that has ended: %v", err)
		}
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatalf("start after the unexpected end: %v", err)
	}
	tell()
	<-w.exited
	noExit(t, w)
}

func TestExitBySignalIsNamed(t *testing.T) {
	t.Parallel()
	untilTold, tell := gate(t)
	_, w := start(t, shell(`echo ready http://127.0.0.1:7; `+untilTold+`kill -ABRT $$`))
	tell()
	if err := <-w.exited; !strings.Contains(err.Error(), "signal: abort") {
		t.Errorf("want the signal's name, got %v", err)
	}
}

func TestStopWaitsForTheGracefulEnd(t *testing.T) {
	t.Parallel()
	p, w := start(t, shell(`trap 'echo draining; sleep 0.1; printf drained; exit 0' TERM
echo ready http://127.0.0.1:7; while :; do sleep 0.01; done`))
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"stdout: ready http://127.0.0.1:7", "stdout: draining", "stdout: drained"}
	if d := cmp.Diff(want, w.all()); d != "" {
		t.Errorf("lines (want first):\n%s", d)
	}
	noExit(t, w)
}

func TestStopKillsAfterTheGrace(t *testing.T) {
	t.Parallel()
	spec := shell(`trap '' TERM; echo ready http://127.0.0.1:7; while :; do sleep 0.01; done`)
	spec.Grace = 100 * time.Millisecond
	p, w := start(t, spec)
	err := p.Stop(t.Context())
	if !errors.Is(err, process.ErrForced) || !strings.Contains(err.Error(), "within 100ms of SIGTERM") {
		t.Errorf("want ErrForced with the grace, got %v", err)
	}
	if p.Running() {
		t.Error("it still runs")
	}
	noExit(t, w)
}

func TestStopGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	p, _ := start(t, shell(`trap '' TERM; echo ready http://127.0.0.1:7; while :; do sleep 0.01; done`))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("want the context's error, got %v", err)
	}
	if p.Running() {
		t.Error("it still runs")
	}
}

func TestCloseCutsAStartShort(t *testing.T) {
	t.Parallel()
	p, w := newProcess(t, shell(`echo here; exec sleep 100`))
	started := make(chan error, 1)
	go func() { started <- p.Start(context.Background()) }()
	waitFor(t, "first line", func() bool { return len(w.all()) > 0 })
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-started; err == nil {
		t.Error("the start succeeded")
	}
	if err := p.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("start after Close: %v", err)
	}
}

func TestLongLinesComeInPieces(t *testing.T) {
	t.Parallel()
	spec := shell(`printf '%s\n' aaaaaaaaaaaaaaaaaaaabbbbb; printf '\r\n'; echo ready http://h; exec sleep 100`)
	spec.MaxLine = 20
	_, w := start(t, spec)
	want := []string{"stdout: aaaaaaaaaaaaaaaaaaaa", "stdout: bbbbb", "stdout: ", "stdout: ready http://h"}
	if d := cmp.Diff(want, w.all()); d != "" {
		t.Errorf("lines (want first):\n%s", d)
	}
}

func TestEnvironmentAndFolder(t *testing.T) {
	t.Parallel()
	spec := shell(`echo "$COLOUR $(pwd) ${PATH:+path}"; echo ready http://h; exec sleep 100`)
	spec.Env = []string{"COLOUR=green"}
	spec.Dir = t.TempDir()
	_, w := start(t, spec)
	if got, want := w.all()[0], "stdout: green "+spec.Dir+" path"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBadSpecs(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]process.Spec{
		"no command": {}, "empty command": {Command: []string{""}}, "negative grace": {Command: []string{"sh"}, Grace: -1},
	} {
		if _, err := process.New(spec, nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	p, w := newProcess(t, shell(`echo ready http://127.0.0.1:$$; exec sleep 100`))
	var wg sync.WaitGroup
	for range 4 {
		for _, do := range []func(context.Context) error{p.Start, p.Stop, p.Kill} {
			wg.Go(func() { _ = do(context.Background()) })
		}
		wg.Go(func() { _, _ = p.URL(), p.PID() })
	}
	wg.Wait()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if p.Running() {
		t.Error("something runs after Close")
	}
	noExit(t, w)
}

// It is not parallel, so that no other test's goroutines are counted.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	p, err := process.New(shell(`echo ready http://127.0.0.1:7; exec sleep 100`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []func(context.Context) error{p.Stop, p.Kill, func(context.Context) error { return p.Close() }} {
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := end(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	// A goroutine that has closed its last channel needs a moment to be gone.
	waitFor(t, "goroutines gone", func() bool { return runtime.NumGoroutine() <= before })
	if err := p.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}
