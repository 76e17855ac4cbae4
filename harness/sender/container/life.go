package container

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"

	"github.com/hookassay/hookassay/harness/sender/process"
)

const (
	// goneWithin bounds the wait for the end of a container that was killed.
	goneWithin = 15 * time.Second
	// drainFor is how long output is still read after the end; the engine ends the stream by itself.
	drainFor = 2 * time.Second
)

// life is one run of a container, from a start to its end.
type life struct {
	tail   process.Tail
	logged chan struct{} // closed at the line that says ready
	done   chan struct{} // closed when the container is gone, its output is passed on and the watcher is told
	exit   process.Exit  // valid when done is closed

	// Under box.mu.
	started bool // start has returned without error
	asked   bool // somebody wants the end, so it is not reported
	ended   bool
}

func (l *life) wait(ctx context.Context) error {
	limit := time.NewTimer(goneWithin)
	defer limit.Stop()
	select {
	case <-l.done:
		return nil
	case <-limit.C:
		return fmt.Errorf("the container is still there after %s", goneWithin)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// printed is the end of a message: what the container said last.
func (l *life) printed() string {
	if text := l.tail.String(); text != "" {
		return "last lines of output:\n" + text
	}
	return "it printed nothing"
}

// begin starts the container. Its output and its end are asked for before that, so that nothing is missed.
func (b *box) begin(ctx context.Context) (*life, error) {
	own, cancel := context.WithCancel(context.Background()) // a life is longer than the call that begins it
	id, docker := b.ctr.GetContainerID(), b.engine.docker
	out, err := docker.ContainerAttach(own, id, client.ContainerAttachOptions{Stream: true, Stdout: true, Stderr: true})
	if err != nil {
		cancel()
		return nil, fmt.Errorf("attach to its output: %w", err)
	}
	end := docker.ContainerWait(own, id, client.ContainerWaitOptions{Condition: container.WaitConditionNextExit})
	if err := b.ctr.Start(ctx); err != nil {
		out.Close()
		cancel()
		return nil, err
	}
	l := &life{logged: make(chan struct{}), done: make(chan struct{})}
	b.mu.Lock()
	b.life = l
	b.mu.Unlock()
	go func() {
		defer cancel()
		b.follow(l, out.HijackedResponse, end)
	}()
	return l, nil
}

// follow is the life of l: it passes its output on and waits for its end.
func (b *box) follow(l *life, out client.HijackedResponse, end client.ContainerWaitResult) {
	defer close(l.done)
	defer out.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.read(l, out.Reader)
	}()
	select {
	case r := <-end.Result:
		l.exit = process.Exit{Code: int(r.StatusCode)}
		if r.Error != nil {
			l.exit = process.Exit{Err: errors.New(r.Error.Message)}
		}
	case err := <-end.Error:
		l.exit = process.Exit{Err: fmt.Errorf("its end was not told: %w", err)}
	}
	late := time.AfterFunc(drainFor, out.Close)
	<-read
	late.Stop()

	b.mu.Lock()
	l.ended = true
	report := l.started && !l.asked
	b.mu.Unlock()
	if report {
		b.exited(&process.ExitedError{Name: b.spec.Name, Exit: l.exit, Tail: l.tail.String()})
	}
}

// read takes the stream apart into lines until it ends.
func (b *box) read(l *life, from io.Reader) {
	say := b.sayer(l)
	stdout, outW := io.Pipe()
	stderr, errW := io.Pipe()
	var readers sync.WaitGroup
	for name, r := range map[string]*io.PipeReader{"stdout": stdout, "stderr": stderr} {
		readers.Go(func() { process.ReadLines(r, process.DefaultMaxLine, func(line string) { say(name, line) }) })
	}
	_, err := stdcopy.StdCopy(outW, errW, from)
	outW.CloseWithError(err) // a nil error is the end of the stream
	errW.CloseWithError(err)
	readers.Wait()
}

// sayer returns the function that takes lines from both streams. The watcher gets a line before it makes the sender ready.
func (b *box) sayer(l *life) func(stream, line string) {
	var mu sync.Mutex
	waiting := b.spec.Ready.Log != nil
	return func(stream, line string) {
		l.tail.Add(line)
		b.line(stream, line)
		mu.Lock()
		defer mu.Unlock()
		if waiting && b.spec.Ready.Log.MatchString(line) {
			waiting = false
			close(l.logged)
		}
	}
}
