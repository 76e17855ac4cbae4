package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// This file holds the words that the scripts add to those of testscript: exit codes, and processes that are watched and
// signalled in the middle.

const (
	// patience is far over what any of these steps takes on two busy cores.
	patience = 60 * time.Second
	// glance is how often a condition is looked at: often enough not to be noticed.
	glance = 10 * time.Millisecond
)

func scripts(t *testing.T) testscript.Params {
	t.Helper()
	quick, _ := quickContract(t, "")
	return testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			jobs := &jobs{}
			env.Values[jobsKey{}] = jobs
			env.Defer(jobs.kill)
			env.Setenv("QUICK", quick)
			env.Setenv(asCommand, "1")
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "start": start, "waitfor": waitFor, "signal": signalJob, "ended": ended, "capture": capture,
			"oneline": oneLineOf, "noprocess": noProcess, "conforms": conforms,
		},
	}
}

type jobsKey struct{}

// jobs are the processes that a script has started, by name.
type jobs struct{ running map[string]*job }

type job struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

func (j *jobs) kill() {
	for _, job := range j.running {
		_ = job.cmd.Process.Kill()
		<-job.done
	}
}

func jobOf(ts *testscript.TestScript, name string) *job {
	j := ts.Value(jobsKey{}).(*jobs).running[name]
	if j == nil {
		ts.Fatalf("no process %s was started", name)
	}
	return j
}

func usage(ts *testscript.TestScript, neg bool, args []string, least int, form string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", form)
	}
}

// exits runs a program and wants its exit code. Its output can be looked at as after exec.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, "exits CODE PROGRAM [ARG…]")
	if code := execCode(ts, args[1:]); strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func execCode(ts *testscript.TestScript, command []string) int {
	err := ts.Exec(command[0], command[1:]...)
	if ee, ok := errors.AsType[*exec.ExitError](err); ok {
		return ee.ExitCode()
	}
	ts.Check(err)
	return 0
}

// start starts a program in the background; its output goes to NAME.out and NAME.err.
func start(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, "start NAME PROGRAM [ARG…]")
	out, err := os.Create(ts.MkAbs(args[0] + ".out"))
	ts.Check(err)
	errs, err := os.Create(ts.MkAbs(args[0] + ".err"))
	ts.Check(err)
	path := args[1]
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), string(os.PathListSeparator)) {
		if full := filepath.Join(dir, args[1]); isFile(full) {
			path = full
			break
		}
	}
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, errs
	cmd.Env = []string{
		"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR"), asCommand + "=1",
		"KEY=" + ts.Getenv("KEY"), "WEBHOOK_KEY=" + ts.Getenv("WEBHOOK_KEY"), // of endpoints that a script configures by hand
	}
	ts.Check(cmd.Start())
	j := &job{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the state says what there is to say
		_, _ = out.Close(), errs.Close()
		close(j.done)
	}()
	js := ts.Value(jobsKey{}).(*jobs)
	if js.running == nil {
		js.running = map[string]*job{}
	}
	js.running[args[0]] = j
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// waitFor waits until a file has a line that matches.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, "waitfor FILE REGEXP")
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	var text []byte
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(glance) {
		if text, err = os.ReadFile(ts.MkAbs(args[0])); err == nil && re.Match(text) {
			return
		}
	}
	ts.Fatalf("%s shows no %q; it ends: %s", args[0], args[1], text[max(0, len(text)-2000):])
}

// capture sets a variable to the first group of what matches in a file.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 3, "capture FILE REGEXP VARIABLE")
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile(args[0]))
	if m == nil {
		ts.Fatalf("%s shows no %q", args[0], args[1])
	}
	ts.Setenv(args[2], m[1])
}

func signalJob(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, "signal NAME INT|TERM|KILL")
	sig := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}[args[1]]
	ts.Check(jobOf(ts, args[0]).cmd.Process.Signal(sig))
}

// ended waits for the end of a process and wants its exit code, or "signal" if a signal ended it.
func ended(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 2, "ended NAME CODE|signal")
	j := jobOf(ts, args[0])
	select {
	case <-j.done:
	case <-time.After(patience):
		ts.Fatalf("%s has not ended", args[0])
	}
	got := strconv.Itoa(j.cmd.ProcessState.ExitCode())
	if got == "-1" {
		got = "signal"
	}
	if got != args[1] {
		ts.Fatalf("%s ended with %s, want %s; it said: %s", args[0], got, args[1], ts.ReadFile(args[0]+".err"))
	}
}

// oneLineOf wants a file, or stderr, to hold exactly one line that opens with hookassay:, and no trace of a panic.
func oneLineOf(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, args, 1, "oneline FILE|stderr")
	text := ts.ReadFile(args[0])
	if n := len(regexp.MustCompile(`(?m)^hookassay: `).FindAllString(text, -1)); n != 1 {
		ts.Fatalf("%d lines open with hookassay:, want 1:\n%s", n, text)
	}
	if !regexp.MustCompile(`(?m)^hookassay: .*\n\z`).MatchString(text) {
		ts.Fatalf("the sentence is not the last line:\n%s", text)
	}
	if strings.Contains(text, "goroutine ") || strings.Contains(text, "\x1b") {
		ts.Fatalf("a trace or a control character:\n%s", text)
	}
}

// noProcess wants no process left that has the script's folder for temporary files in its command line: senders have.
func noProcess(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, append(args, ""), 1, "noprocess")
	if runtime.GOOS != "linux" {
		return
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	ts.Check(err)
	for _, f := range files {
		line, err := os.ReadFile(f)
		if err == nil && bytes.Contains(line, []byte(ts.Getenv("TMPDIR"))) {
			ts.Fatalf("still there: %s %q", f, line)
		}
	}
}
