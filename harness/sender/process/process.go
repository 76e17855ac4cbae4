// Package process runs a sender as a supervised child process: start until ready, stop, kill, start again, and word of an
// end that nobody asked for.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"
	"time"
)

const (
	// defaultReadyTimeout is for senders that migrate a database or load a runtime before they listen; the reference
	// sender needs a few milliseconds.
	defaultReadyTimeout = 30 * time.Second
	// defaultGrace is what common supervisors leave between SIGTERM and SIGKILL.
	defaultGrace = 10 * time.Second
	// goneWithin bounds the wait after SIGKILL, which only a process stuck in the kernel outlasts.
	goneWithin = 10 * time.Second
)

// ErrForced says that a process did not end in time when it was asked to, and was killed.
var ErrForced = errors.New("it had to be killed")

// Spec says how a process is started. Only Command is needed.
type Spec struct {
	// Name is what messages call the process; the command's first word if empty.
	Name string
	// Command is the program and its arguments. A program without a slash is looked up in PATH.
	Command []string
	// Env holds NAME=value entries that are added to the environment of the harness.
	Env []string
	// Dir is the working directory; empty means that of the harness.
	Dir string
	// Ready is matched against each line of output. The process is ready at the first line that matches, and its first
	// group, if it has one, becomes URL. Nil means ready as soon as it runs.
	Ready *regexp.Regexp
	// ReadyTimeout bounds the wait for Ready; 30 s if 0.
	ReadyTimeout time.Duration
	// Grace is how long Stop waits after SIGTERM before it kills; 10 s if 0.
	Grace time.Duration
	// Input gives the process a standard input that Write writes to; without it there is nothing to read.
	Input bool
	// MaxLine is the longest line of output in bytes; a longer one is passed on in pieces. 64 KiB if 0.
	MaxLine int
}

// Watcher is told what a process does. Its methods are called from goroutines of the process; they must return soon, since a
// slow Line holds up the child, and must not call back.
type Watcher interface {
	// Line is called for each line of output, without its line end. stream is stdout or stderr.
	Line(stream, line string)
	// Exited is called when the process ended without being asked to.
	Exited(err error)
}

// Process is one child process at a time, started as often as wanted. It is safe for concurrent use. Whoever makes it calls
// Close.
//
// The child has a process group of its own, so Ctrl-C at the terminal does not reach it. What is left of the group when the
// child ends is killed. On Linux the child also dies with the harness, however the harness dies; elsewhere, and for
// children of the child, only the calls of this type see to that.
type Process struct {
	spec    Spec
	watcher Watcher

	// turn serialises Start and Stop; it is a channel so that a caller can give up waiting.
	turn chan struct{}

	mu     sync.Mutex
	run    *run // nil before the first start
	closed bool
}

// New checks spec and returns a process that is not running yet. Lines of output and an end that was not asked for go to w.
// A nil w hears nothing.
func New(spec Spec, w Watcher) (*Process, error) {
	if len(spec.Command) == 0 || spec.Command[0] == "" {
		return nil, errors.New("process: no command given")
	}
	if spec.ReadyTimeout < 0 || spec.Grace < 0 || spec.MaxLine < 0 {
		return nil, fmt.Errorf("process %s: a timeout or limit is negative", spec.Command[0])
	}
	if spec.Name == "" {
		spec.Name = spec.Command[0]
	}
	if spec.ReadyTimeout == 0 {
		spec.ReadyTimeout = defaultReadyTimeout
	}
	if spec.Grace == 0 {
		spec.Grace = defaultGrace
	}
	if spec.MaxLine == 0 {
		spec.MaxLine = DefaultMaxLine
	}
	if w == nil {
		w = deaf{}
	}
	return &Process{spec: spec, watcher: w, turn: make(chan struct{}, 1)}, nil
}

// Start starts the process and waits until it is ready. An error means that nothing is left running; it names the command
// and shows the last lines of output. Starting a process that runs is an error. A process that ends before it is ready is
// reported by Start alone, not to the watcher.
func (p *Process) Start(ctx context.Context) error {
	release, err := p.take(ctx)
	if err != nil {
		return fmt.Errorf("start %s: %w", p.spec.Name, err)
	}
	defer release()
	if p.Running() {
		return fmt.Errorf("start %s: it is running already", p.spec.Name)
	}
	r, err := p.launch()
	if err != nil {
		return fmt.Errorf("start %s: command %s: %w", p.spec.Name, commandText(p.spec.Command), err)
	}
	if err := p.awaitReady(ctx, r); err != nil {
		return fmt.Errorf("start %s: %w", p.spec.Name, err)
	}
	return nil
}

// Stop asks the process to end (SIGTERM) and waits for it. If it still runs after the grace, or when ctx ends, its group is
// killed, and the error says so: it wraps ErrForced or ctx's error. On systems without SIGTERM it is killed at once, with
// ErrForced. Stop of a process that does not run does nothing.
func (p *Process) Stop(ctx context.Context) error {
	release, err := p.take(ctx)
	if err != nil {
		return fmt.Errorf("stop %s: %w", p.spec.Name, err)
	}
	defer release()
	r := p.ask()
	if r == nil {
		return nil
	}
	grace := time.NewTimer(p.spec.Grace)
	defer grace.Stop()
	why := ErrForced
	if err := terminate(r.cmd.Process); err == nil {
		select {
		case <-r.done:
			return nil
		case <-grace.C:
			why = fmt.Errorf("it did not end within %s of SIGTERM: %w", p.spec.Grace, ErrForced)
		case <-ctx.Done():
			why = fmt.Errorf("killed before its grace was over: %w", ctx.Err())
		}
	}
	if err := p.end(context.WithoutCancel(ctx), r); err != nil {
		return fmt.Errorf("stop %s: %w", p.spec.Name, err)
	}
	return fmt.Errorf("stop %s: %w", p.spec.Name, why)
}

// Kill kills the process's group (SIGKILL) and waits until the process is gone and its output is read. It does not wait for
// a Start or Stop in progress, but ends it. Kill of a process that does not run does nothing.
func (p *Process) Kill(ctx context.Context) error {
	r := p.ask()
	if r == nil {
		return nil
	}
	if err := p.end(ctx, r); err != nil {
		return fmt.Errorf("kill %s: %w", p.spec.Name, err)
	}
	return nil
}

// Close kills the process if it runs, and waits for it and for every goroutine of p. Later calls do nothing.
func (p *Process) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	if err := p.Kill(context.Background()); err != nil {
		return err
	}
	// A Start that was just launching finds the process closed and ends it; its turn over, nothing runs.
	release, err := p.take(context.Background())
	if err != nil {
		return err
	}
	release()
	return nil
}

// URL returns what the ready pattern captured at the latest start; empty while the process does not run.
func (p *Process) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil || !p.run.started || p.run.ended {
		return ""
	}
	return p.run.url
}

// PID returns the process's id, or 0 while it does not run.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil || p.run.ended {
		return 0
	}
	return p.run.cmd.Process.Pid
}

// Running tells whether the process runs.
func (p *Process) Running() bool { return p.PID() != 0 }

func (p *Process) take(ctx context.Context) (release func(), err error) {
	select {
	case p.turn <- struct{}{}:
		return func() { <-p.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ask marks the end of the current run as wanted and returns the run; nil if there is none left to end. A run that is
// ending by itself is waited for, so that the caller finds its goroutines gone.
func (p *Process) ask() *run {
	p.mu.Lock()
	r := p.run
	if r == nil {
		p.mu.Unlock()
		return nil
	}
	ended := r.ended
	r.asked = true
	p.mu.Unlock()
	if ended {
		<-r.done
		return nil
	}
	return r
}

// end kills the group of r and waits.
func (p *Process) end(ctx context.Context, r *run) error {
	p.mu.Lock()
	r.asked = true
	if !r.ended {
		killGroup(r.cmd.Process)
	}
	p.mu.Unlock()
	limit := time.NewTimer(goneWithin)
	defer limit.Stop()
	select {
	case <-r.done:
		return nil
	case <-limit.C:
		return fmt.Errorf("process %d is still there %s after SIGKILL", r.cmd.Process.Pid, goneWithin)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// deaf is the watcher of those who want none.
type deaf struct{}

func (deaf) Line(string, string) {}
func (deaf) Exited(error)        {}

// Signal sends the process a signal. One that does not run is an error.
func (p *Process) Signal(sig os.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil || p.run.ended {
		return fmt.Errorf("signal %s: it does not run", p.spec.Name)
	}
	if err := p.run.cmd.Process.Signal(sig); err != nil {
		return fmt.Errorf("signal %s: %w", p.spec.Name, err)
	}
	return nil
}

// Write writes to the standard input of a process with Spec.Input. It blocks while the process does not read, at the longest
// until the process is gone.
func (p *Process) Write(b []byte) (int, error) {
	p.mu.Lock()
	r := p.run
	if r == nil || r.ended || r.stdin == nil {
		p.mu.Unlock()
		return 0, fmt.Errorf("write to %s: it does not run", p.spec.Name)
	}
	p.mu.Unlock()
	n, err := r.stdin.Write(b)
	if err != nil {
		return n, fmt.Errorf("write to %s: %w", p.spec.Name, err)
	}
	return n, nil
}
