//go:build linux || darwin

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// dialogue is a run of contract init on a terminal of its own.
type dialogue struct {
	t    *testing.T
	tty  *os.File
	cmd  *exec.Cmd
	out  string // the file that is to be written
	done chan struct{}

	mu    sync.Mutex
	shown string
	seen  int // up to here expect has read
}

// converse starts contract init on a terminal, as a person does.
func converse(t *testing.T, args ...string) *dialogue {
	t.Helper()
	d := &dialogue{t: t, out: filepath.Join(t.TempDir(), "contract.yaml"), done: make(chan struct{})}
	d.cmd = exec.Command(os.Args[0], append([]string{"contract", "init", "--out", d.out}, args...)...)
	tty, err := pty.StartWithSize(d.cmd, &pty.Winsize{Rows: 24, Cols: 400}) // so wide that no sentence is folded
	if err != nil {
		t.Fatal(err)
	}
	d.tty = tty
	go d.read()
	t.Cleanup(func() {
		_ = d.cmd.Process.Kill()
		<-d.done
		_ = tty.Close()
	})
	return d
}

// read keeps what the terminal shows, until nobody has it open any more.
func (d *dialogue) read() {
	defer close(d.done)
	b := make([]byte, 4096)
	for {
		n, err := d.tty.Read(b)
		d.mu.Lock()
		d.shown += strings.ReplaceAll(string(b[:n]), "\r\n", "\n")
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// expect waits until the terminal shows a text, behind what was expected before.
func (d *dialogue) expect(text string) {
	d.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(glance) {
		d.mu.Lock()
		at := strings.Index(d.shown[d.seen:], text)
		if at >= 0 {
			d.seen += at + len(text)
		}
		d.mu.Unlock()
		if at >= 0 {
			return
		}
	}
	d.t.Fatalf("the terminal never showed %q, but:\n%s", text, d.screen())
}

func (d *dialogue) screen() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.shown
}

func (d *dialogue) send(keys string) {
	d.t.Helper()
	if _, err := d.tty.WriteString(keys); err != nil {
		d.t.Fatal(err)
	}
}

// answer answers the question that shows a text.
func (d *dialogue) answer(question, line string) {
	d.t.Helper()
	d.expect(question)
	d.send(line + "\r")
}

// end waits for the end and returns the exit code, and the signal if one ended it.
func (d *dialogue) end() (code int, by syscall.Signal) {
	d.t.Helper()
	select {
	case <-d.done:
	case <-time.After(patience):
		d.t.Fatalf("it does not end; the terminal shows:\n%s", d.screen())
	}
	err := d.cmd.Wait()
	if ee, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := ee.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return -1, status.Signal()
		}
		return ee.ExitCode(), 0
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return 0, 0
}

func (d *dialogue) wroteNothing() {
	d.t.Helper()
	if _, err := os.Lstat(d.out); !errors.Is(err, os.ErrNotExist) {
		d.t.Errorf("the file is there, or cannot be looked for: %v", err)
	}
}

// lints wants the file to be a contract of which lint has nothing to say, and returns its text.
func (d *dialogue) lints() string {
	d.t.Helper()
	out, err := exec.Command(os.Args[0], "contract", "lint", d.out).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "nothing to say") {
		d.t.Errorf("contract lint: %v\n%s", err, out)
	}
	text, err := os.ReadFile(d.out)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

func TestInitAsksOnATerminal(t *testing.T) {
	t.Parallel()
	d := converse(t)
	for _, q := range []struct{ shows, answer string }{
		{"[my-sender]: ", "acme"},
		{"[timestamp-v1]: ", "none"},
		{"[X-Webhook-Id]: ", "Acme-Id"},
		{"[5]: ", "3"},
		{"[5s]: ", "2s"},
		{"[1h0m0s]: ", "10m"},
		{"[10s]: ", ""},
		{"by hand [yes]: ", "no"},
		{"can be asked [yes]: ", "Y"},
	} {
		d.answer(q.shows, q.answer)
	}
	if code, _ := d.end(); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, d.screen())
	}
	d.expect(" is written; hookassay contract lint ")
	text := d.lints()
	for _, line := range []string{"name: \"acme\"\n", "  header: \"Acme-Id\"\n", "  waits: [0s, 2s, 35s, 10m0s]\n", "  timeout: 10s\n", "\nlog:\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("the contract has no line %q:\n%s", line, text)
		}
	}
	for _, absent := range []string{"\nsignature:", "\nreplay:"} {
		if strings.Contains(text, absent) {
			t.Errorf("the contract promises what was answered with no: %q", absent)
		}
	}
}

func TestInitAsksAgainAfterAWrongAnswer(t *testing.T) {
	t.Parallel()
	d := converse(t)
	for _, q := range []struct{ shows, answer string }{
		{"[my-sender]: ", "Acme Inc"},
		{"lower-case letters", ""}, // says what is wrong, and keeps the value that was there
		{"[timestamp-v1]: ", "timestamp-v9"},
		{"is unknown", ""},
		{"[X-Webhook-Id]: ", "two words"},
		{"is no header name", ""},
		{"[5]: ", "many"},
		{`"many": want a whole number`, ""},
	} {
		d.answer(q.shows, q.answer)
	}
	d.answer("[5s]: ", "0s")
	d.expect("the first must be above 0")
	d.answer("[5s]: ", "2h")
	d.answer("[2h0m0s]: ", "1h") // the usual longest wait is shorter than the first by now
	d.expect("the waits go from 2h0m0s to 1h0m0s")
	d.answer("[2h0m0s]: ", "3h")
	d.answer("[10s]: ", "10")
	d.expect(`"10": want a time such as 10s`)
	d.answer("[10s]: ", "")
	d.answer("[yes]: ", "perhaps")
	d.expect(`"perhaps": want yes or no`)
	d.answer("[yes]: ", "")
	d.answer("[yes]: ", "")
	if code, _ := d.end(); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, d.screen())
	}
	if text := d.lints(); !strings.Contains(text, "name: \"my-sender\"\n") || !strings.Contains(text, "  attempts: 6\n") || !strings.Contains(text, "3h0m0s]\n") {
		t.Errorf("wrong answers left something behind:\n%s", text)
	}
}

func TestInitAsksNothingThatAFlagAnswers(t *testing.T) {
	t.Parallel()
	d := converse(t, "--name", "acme", "--scheme", "none", "--id-header", "Id", "--retries", "2", "--first", "1s", "--longest", "1m", "--replay=false", "--log=false")
	d.answer("[10s]: ", "")
	if code, _ := d.end(); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, d.screen())
	}
	d.lints()
	if n := strings.Count(d.screen(), "]: "); n != 1 {
		t.Errorf("%d questions, want the one without a flag:\n%s", n, d.screen())
	}
}

func TestInitThatIsLeftWritesNothing(t *testing.T) {
	t.Parallel()
	for what, keys := range map[string]string{"end of input": "\x04", "an answer and the end of input": "7\x04\x04\x04"} {
		d := converse(t)
		d.answer("[my-sender]: ", "acme")
		d.answer("[timestamp-v1]: ", "")
		d.answer("[X-Webhook-Id]: ", "")
		d.expect("[5]: ")
		d.send(keys)
		if code, _ := d.end(); code != 2 {
			t.Errorf("%s: exit code %d, want 2", what, code)
		}
		d.expect("and nothing was written; Enter keeps the value in brackets")
		d.wroteNothing()
	}
	d := converse(t)
	d.answer("[my-sender]: ", "acme")
	d.expect("[timestamp-v1]: ")
	d.send("\x03") // ctrl-C
	if _, by := d.end(); by != syscall.SIGINT {
		t.Errorf("ctrl-C: ended by signal %v, want SIGINT\n%s", by, d.screen())
	}
	d.wroteNothing()
}

func TestInitRefusesBeforeItAsks(t *testing.T) {
	t.Parallel()
	taken := filepath.Join(t.TempDir(), "taken.yaml")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for says, args := range map[string][]string{
		"is there already": {"--out", taken}, "retries are 0": {"--retries", "0"},
	} {
		d := converse(t, args...)
		if code, _ := d.end(); code != 2 {
			t.Errorf("%v: exit code %d, want 2", args, code)
		}
		d.expect(says)
		if strings.Contains(d.screen(), "]: ") {
			t.Errorf("%v: asks before it refuses:\n%s", args, d.screen())
		}
	}
}
