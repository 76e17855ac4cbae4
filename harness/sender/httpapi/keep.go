package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

var (
	_ sender.Keeper = (*launcher)(nil)
	_ sender.Leaver = (*instance)(nil)
)

// keptFile holds what of an instance is neither in its files nor in the sender.
const keptFile = "hookassay-instance.json"

// kept is what an instance needs to be gone on with.
type kept struct {
	Setup     map[string]string `json:"setup,omitempty"`     // what the op setup extracted
	Endpoints []any             `json:"endpoints,omitempty"` // of a sender that learns of them from a file
	Process   int               `json:"process,omitempty"`   // id of the process, while it is not known to have ended
}

// Keeps implements sender.Keeper.
func (l *launcher) Keeps() error {
	switch {
	case l.adapter.containers != nil:
		return errors.New("the sender's containers ended with the run and cannot be gone on with; begin a new run")
	case l.options.KeepDir == "":
		return errors.New("nothing was kept of the sender; begin a new run")
	}
	return nil
}

// instanceDir is the folder of a launched instance: one that is found again where it may be gone on with.
func (l *launcher) instanceDir(name string, again bool) (string, error) {
	if l.options.KeepDir == "" {
		return os.MkdirTemp(l.options.TempDir, "hookassay-"+fileName(name)+"-")
	}
	// The sum tells names apart that fileName makes alike.
	dir := filepath.Join(l.options.KeepDir, fmt.Sprintf("sender-%s-%08x", fileName(name), crc32.ChecksumIEEE([]byte(name))))
	if again {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			err = errors.New("is no folder")
		}
		return dir, err
	}
	if err := os.RemoveAll(dir); err != nil { // of a launch before the run was interrupted, which nothing waits for
		return "", err
	}
	return dir, os.Mkdir(dir, 0o700)
}

// Relaunch implements sender.Keeper.
func (l *launcher) Relaunch(ctx context.Context, name string, w sender.Watcher) (sender.Instance, error) {
	if w == nil {
		w = nobody{}
	}
	if !l.adapter.launched() {
		l.mu.Lock()
		l.again = true
		l.mu.Unlock()
		return l.attach(ctx, w)
	}
	i, err := l.instance(name, w, true)
	if err != nil {
		return nil, fmt.Errorf("go on with %s: %w", name, err)
	}
	k, err := i.recall()
	if err == nil {
		err = awaitEnd(ctx, k.Process)
	}
	if err == nil {
		err = i.configure(ctx)
	}
	if err == nil {
		err = i.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("go on with %s: %w", name, err), i.Leave())
	}
	return i, nil
}

// endsWithin is how long a process may take to end with the harness that was killed.
const endsWithin = 5 * time.Second

// awaitEnd waits for the end of a process that a harness before us launched: two senders on one state would be nobody's sender.
func awaitEnd(ctx context.Context, pid int) error {
	for end := time.Now().Add(endsWithin); pid != 0 && process.Alive(pid); {
		if time.Now().After(end) {
			return fmt.Errorf("process %d of before, or one of its group, still runs; end it first", pid)
		}
		if err := pause(ctx, sender.ProbeEvery); err != nil {
			return err
		}
	}
	return nil
}

// Leave implements sender.Leaver.
func (i *instance) Leave() error {
	if i.proc == nil {
		if i.probe != nil {
			i.probe.Close()
		}
		return nil
	}
	err := i.proc.Close()
	i.probe.Close()
	i.http.CloseIdleConnections()
	return errors.Join(err, i.keep())
}

// keep writes down what is needed to go on with the instance.
func (i *instance) keep() error {
	if i.keepIn == "" {
		return nil
	}
	k := kept{Setup: i.setup}
	if i.conf != nil {
		i.conf.mu.Lock()
		k.Endpoints = append(k.Endpoints, i.conf.endpoints...)
		i.conf.mu.Unlock()
	}
	if p, ok := i.proc.(*process.Process); ok {
		k.Process = p.PID()
	}
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	path := filepath.Join(i.keepIn, keptFile)
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return fmt.Errorf("keep what is needed to go on with %s: %w", i.name, err)
	}
	return os.Rename(path+".new", path)
}

// recall takes up what was kept.
func (i *instance) recall() (kept, error) {
	var k kept
	text, err := os.ReadFile(filepath.Join(i.keepIn, keptFile))
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		return k, fmt.Errorf("what was kept of it is not whole: %w", err)
	}
	i.setup, i.earlier = k.Setup, k.Endpoints
	i.secrets.Add(k.Setup["secret"])
	return k, nil
}
