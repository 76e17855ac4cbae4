package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// run is one life of the process.
type run struct {
	cmd   *exec.Cmd
	stdin *os.File // our end; nil without Spec.Input
	tail  Tail
	ready chan struct{} // closed at the line that says ready
	done  chan struct{} // closed when the process is gone, its output is passed on and the watcher is told
	exit  Exit          // valid when done is closed

	// Under Process.mu.
	url     string
	started bool // Start has returned without error
	asked   bool // somebody wants the end, so it is not reported
	ended   bool // the process is gone
}

// Exit says how a process ended.
type Exit struct {
	Code   int    // exit status; -1 if a signal ended it or it is not known
	Signal string // the signal's name where a signal ended it
	Err    error  // why neither is known
}

func (e Exit) String() string {
	switch {
	case e.Err != nil:
		return e.Err.Error()
	case e.Signal != "":
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// launch starts the command and the goroutines that look after it.
func (p *Process) launch() (*run, error) {
	if p.spec.Dir != "" {
		// The system's own message would name the program as missing.
		if _, err := os.Stat(p.spec.Dir); err != nil {
			return nil, fmt.Errorf("working directory: %w", err)
		}
	}
	cmd := exec.Command(p.spec.Command[0], p.spec.Command[1:]...) //nolint:noctx // its life is longer than any call's context
	cmd.Dir = p.spec.Dir
	cmd.Env = append(cmd.Environ(), p.spec.Env...)
	cmd.SysProcAttr = attributes()
	out, outW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	errOut, errW, err := os.Pipe()
	if err != nil {
		closeAll(out, outW)
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = outW, errW
	var in, inW *os.File
	if p.spec.Input {
		if in, inW, err = os.Pipe(); err != nil {
			closeAll(out, outW, errOut, errW)
			return nil, err
		}
		cmd.Stdin = in
	}

	r := &run{stdin: inW, cmd: cmd, ready: make(chan struct{}), done: make(chan struct{})}
	if p.spec.Ready == nil {
		close(r.ready)
	}
	begun := make(chan error)
	go p.supervise(r, out, errOut, begun)
	err = <-begun
	closeAll(outW, errW, in)
	if err != nil {
		closeAll(inW)
		<-r.done
		return nil, err
	}
	return r, nil
}

// supervise is the life of one run. It starts the command on a thread that it keeps until the command has ended: the
// kernel counts the death of the starting thread as the death of the parent (prctl(2), PR_SET_PDEATHSIG).
func (p *Process) supervise(r *run, stdout, stderr *os.File, begun chan<- error) {
	defer close(r.done)
	defer closeAll(stdout, stderr)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.begin(r); err != nil {
		begun <- err
		return
	}
	begun <- nil

	var readers sync.WaitGroup
	say := p.lineReader(r)
	for name, f := range map[string]*os.File{"stdout": stdout, "stderr": stderr} {
		readers.Go(func() { ReadLines(f, p.spec.MaxLine, func(line string) { say(name, line) }) })
	}
	state, err := r.cmd.Process.Wait()
	r.exit = exitOf(state, err)
	// The children of the child go with it, and with them the last writers of the pipes.
	killGroup(r.cmd.Process)
	closeAll(r.stdin)
	drain(&readers, stdout, stderr)

	p.mu.Lock()
	r.ended = true
	report := r.started && !r.asked
	p.mu.Unlock()
	if report {
		p.watcher.Exited(&ExitedError{Name: p.spec.Name, Exit: r.exit, Tail: r.tail.String()})
	}
}

// begin starts the command, unless p is closed. It holds the lock meanwhile, so that Close cannot slip in between.
func (p *Process) begin(r *run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errors.New("it was closed")
	}
	if err := r.cmd.Start(); err != nil {
		return err
	}
	p.run = r
	return nil
}

// drainFor is how long output is still read after the process has ended. What the process wrote is in the pipe already;
// only a process that left the group can keep the pipe open.
const drainFor = 2 * time.Second

func drain(readers *sync.WaitGroup, pipes ...*os.File) {
	until := time.Now().Add(drainFor)
	for _, f := range pipes {
		if err := f.SetReadDeadline(until); err != nil {
			// Where pipes have no deadlines, closing ends the read.
			defer time.AfterFunc(drainFor, func() { _ = f.Close() }).Stop()
		}
	}
	readers.Wait()
}

// lineReader returns the function that takes lines from both streams. The watcher gets a line before it makes the process
// ready, so that its record of the line is there first.
func (p *Process) lineReader(r *run) func(stream, line string) {
	var mu sync.Mutex
	isReady := p.spec.Ready == nil
	return func(stream, line string) {
		r.tail.Add(line)
		p.watcher.Line(stream, line)
		mu.Lock()
		defer mu.Unlock()
		if isReady {
			return
		}
		m := p.spec.Ready.FindStringSubmatch(line)
		if m == nil {
			return
		}
		isReady = true
		if len(m) > 1 {
			p.mu.Lock()
			r.url = strings.TrimSpace(m[1])
			p.mu.Unlock()
		}
		close(r.ready)
	}
}

// closeAll closes what is there.
func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close() // of nil it is an error, and nothing else
	}
}
