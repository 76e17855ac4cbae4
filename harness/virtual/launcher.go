package virtual

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// shared is the name of the instance that is made to find out what the sender can do.
const shared = "shared"

// launcher makes senders inside the bubble, one for each instance of a run.
type launcher struct {
	cfg  Config
	net  *network
	dir  string
	info evidence.Sender

	mu    sync.Mutex
	first *instance // nil once it was handed out
}

// newLauncher makes the first sender, to see what it can do.
func newLauncher(ctx context.Context, cfg Config, n *network, dir string) (*launcher, error) {
	l := &launcher{cfg: cfg, net: n, dir: dir}
	first, err := l.make(ctx, shared)
	if err != nil {
		return nil, err
	}
	l.first = first
	l.info = evidence.Sender{Name: cfg.Name, Driver: "go, on virtual time", Abilities: []string{string(sender.CanLaunch)}}
	for _, a := range abilities() {
		if first.Has(a) {
			l.info.Abilities = append(l.info.Abilities, string(a))
		}
	}
	slices.Sort(l.info.Abilities)
	return l, nil
}

// Info implements sender.Launcher.
func (l *launcher) Info() evidence.Sender { return l.info }

// Launch implements sender.Launcher.
func (l *launcher) Launch(ctx context.Context, name string, w sender.Watcher) (sender.Instance, error) {
	// Nothing takes time here but what waits. With this, no act of a run has the offset 0, which stands for none.
	time.Sleep(time.Millisecond)
	l.mu.Lock()
	i := l.first
	if name == shared && i != nil {
		l.first = nil
	} else {
		i = nil
	}
	l.mu.Unlock()
	if i == nil {
		var err error
		if i, err = l.make(ctx, name); err != nil {
			return nil, err
		}
	}
	i.ears.heardBy(w)
	return i, nil
}

// close ends the first sender if no scenario has asked for it.
func (l *launcher) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		return nil
	}
	return l.first.Close()
}

// make makes an instance with a folder of its own, and its sender.
func (l *launcher) make(ctx context.Context, name string) (*instance, error) {
	dir := filepath.Join(l.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("launch %s: make its folder: %w", name, err)
	}
	i := &instance{name: name, restarts: l.cfg.Restarts, ears: &ears{}, declared: l.cfg.Abilities}
	env := Env{
		Name: name, Dir: dir, Contract: l.cfg.Contract, Log: &lines{to: i.ears}, Watcher: i.ears,
		Dial: l.net.DialContext, Listen: l.net.Listen,
	}
	i.new = func(ctx context.Context) (sender.Sender, error) { return l.cfg.NewSender(ctx, env) }
	if err := i.Start(ctx); err != nil {
		return nil, fmt.Errorf("launch %s: %w", name, err)
	}
	return i, nil
}

// errStopped says that a sender is called while it is stopped.
var errStopped = errors.New("the sender is stopped")

// ears hand what a sender says to its watcher, and keep it until there is one.
type ears struct {
	mu   sync.Mutex
	to   sender.Watcher
	kept []func(sender.Watcher)
}

// keptMost bounds what a sender may say before the run has begun; what it says beyond is not kept.
const keptMost = 1000

func (e *ears) heardBy(w sender.Watcher) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, say := range e.kept {
		say(w)
	}
	e.to, e.kept = w, nil
}

func (e *ears) say(what func(sender.Watcher)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.to != nil:
		what(e.to)
	case len(e.kept) < keptMost:
		e.kept = append(e.kept, what)
	}
}

// Line implements sender.Watcher.
func (e *ears) Line(stream, line string) { e.say(func(w sender.Watcher) { w.Line(stream, line) }) }

// Answer implements sender.Watcher.
func (e *ears) Answer(call string, body []byte) {
	body = bytes.Clone(body)
	e.say(func(w sender.Watcher) { w.Answer(call, body) })
}

// Exited implements sender.Watcher.
func (e *ears) Exited(err error) { e.say(func(w sender.Watcher) { w.Exited(err) }) }

// Late implements sender.Watcher.
func (e *ears) Late(due time.Time, late time.Duration) {
	e.say(func(w sender.Watcher) { w.Late(due, late) })
}

// lines is a writer that hands over what is written to it line by line.
type lines struct {
	to *ears

	mu   sync.Mutex
	rest []byte
}

var _ io.Writer = (*lines)(nil)

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.to.Line("stderr", string(bytes.TrimSuffix(line, []byte("\r"))))
		l.rest = bytes.Clone(rest)
	}
}
