package process_test

import (
	"sync"
	"testing"
	"time"
)

// watcher records what it is told.
type watcher struct {
	mu     sync.Mutex
	lines  []string // stream: line
	exited chan error
}

func newWatcher() *watcher { return &watcher{exited: make(chan error, 10)} }

func (w *watcher) Line(stream, line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, stream+": "+line)
}

func (w *watcher) Exited(err error) { w.exited <- err }

func (w *watcher) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.lines...)
}

// waitFor polls because what it waits for happens in another process. Ten seconds are for a machine whose cores are busy.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(time.Minute)
	for !ok() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("%s: did not happen within a minute", what)
		}
	}
}
