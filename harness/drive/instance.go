package drive

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// shared is the name of the sender process that scenarios without one of their own are played on.
const shared = "shared"

func instanceName(name string) string {
	if name == "" {
		return shared
	}
	return name
}

// instance is a sender process of the run, launched when the first scenario asks for it.
type instance struct {
	sender.Instance
	name  string
	p     *player
	probe *series
	ready chan struct{} // closed when it was launched, or was not. A lock held for so long would stop virtual time
	err   error         // why it was not

	mu      sync.Mutex
	answers map[string]bool // by call and body: each is recorded once
	end     chan struct{}   // closed when the process has ended by itself; a start opens another
	how     string          // how it ended
}

func (p *player) instance(ctx context.Context, name string) (*instance, error) {
	name = instanceName(name)
	p.mu.Lock()
	in, ok := p.instances[name]
	if !ok {
		in = &instance{
			name: name, p: p, probe: &series{source: "probe:" + name, step: probe, add: p.add},
			ready: make(chan struct{}), answers: map[string]bool{}, end: make(chan struct{}),
		}
		p.instances[name] = in
	}
	p.mu.Unlock()
	if !ok {
		in.launch(ctx)
	}
	<-in.ready
	if in.err != nil {
		return nil, &LaunchError{Instance: name, Err: in.err}
	}
	return in, nil
}

// launch launches the sender, and lets go on who waits for it.
func (in *instance) launch(ctx context.Context) {
	defer close(in.ready)
	launch, note, act := in.p.setup.Launcher.Launch, "launching sender ", evidence.ActLaunch
	if k, ok := in.p.setup.Launcher.(sender.Keeper); ok && in.p.left(in.name) {
		launch, note = k.Relaunch, "going on with sender "
		if in.p.canLaunch() {
			act = evidence.ActStart
		}
	}
	in.p.tell(func(pr *Progress) { pr.Note = note + in.name })
	in.err = in.p.act(&evidence.Act{Act: act, Instance: in.name}, func() (err error) {
		in.Instance, err = launch(ctx, in.name, in)
		return err
	})
}

// Line implements sender.Watcher.
func (in *instance) Line(stream, line string) {
	line, leaked := in.p.leaks.clean(line)
	in.p.add(&evidence.Output{Instance: in.name, Stream: stream, At: in.p.now(), Line: line, Leaks: leaked})
}

// Answer implements sender.Watcher.
func (in *instance) Answer(call string, body []byte) {
	key := call + "\x00" + string(body)
	in.mu.Lock()
	again := in.answers[key]
	in.answers[key] = true
	in.mu.Unlock()
	if !again {
		in.Line(evidence.StreamAPI+call, string(body))
	}
}

// Exited implements sender.Watcher.
func (in *instance) Exited(err error) {
	now := in.p.now()
	a := &evidence.Act{Act: evidence.ActExit, Instance: in.name, Called: now, Returned: now, Note: "the sender ended by itself"}
	if err != nil {
		a.Note += ": " + err.Error()
	}
	in.p.add(a)
	note, _, _ := strings.Cut(a.Note, "; last lines of output:") // these are in the evidence
	in.ended(note)
	in.p.tell(func(pr *Progress) { pr.Note = fmt.Sprintf("sender %s: %s", in.name, note) })
}

// Late implements sender.Watcher.
func (in *instance) Late(due time.Time, late time.Duration) {
	in.probe.sample(due.Sub(in.p.started), late)
	in.p.tellStandstill("sender "+in.name, late)
}

// Noticed implements sender.Noter.
func (in *instance) Noticed(what string) {
	in.Line(evidence.StreamDriver, what)
	in.p.tell(func(pr *Progress) { pr.Note = fmt.Sprintf("sender %s: %s", in.name, what) })
}

func (in *instance) close() error {
	if in.Instance == nil {
		return nil
	}
	err := in.Close()
	in.probe.flush()
	if err != nil {
		return fmt.Errorf("close sender %s: %w", in.name, err)
	}
	return nil
}

// leave is close for one that is gone on with later.
func (in *instance) leave(l sender.Leaver) error {
	err := l.Leave()
	in.probe.flush()
	if err != nil {
		return fmt.Errorf("leave sender %s: %w", in.name, err)
	}
	return nil
}

func (in *instance) ended(how string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.how == "" {
		in.how = how
		close(in.end)
	}
}

// begun forgets an end, since the process was started again.
func (in *instance) begun() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.how != "" {
		in.how, in.end = "", make(chan struct{})
	}
}

// noticed is how long a process may have been gone before its end is told: a call fails some milliseconds sooner.
const noticed = 500 * time.Millisecond

// explain names the end of the process, if it has ended by itself, as the reason for an error.
func (in *instance) explain(err error) error {
	in.mu.Lock()
	end := in.end
	in.mu.Unlock()
	timer := time.NewTimer(noticed)
	defer timer.Stop()
	select {
	case <-end:
	case <-timer.C:
		return err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	return fmt.Errorf("sender %s: %s; after that: %w", in.name, in.how, err)
}
