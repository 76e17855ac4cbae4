package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// configured is the file of a sender that learns of its endpoints from one.
type configured struct {
	path string

	applying sync.Mutex // one at a time writes the file and tells the sender

	mu        sync.Mutex
	endpoints []any  // as the expression sees them
	open      *batch // nil: none
	emitted   bool
}

// batch is the registrations that are told to the sender together: each time costs a reload, which may disturb what is under
// way.
type batch struct {
	done chan struct{} // closed when the sender has been told
	err  error
}

// listing is an endpoint as the expression sees it.
func listing(e sender.Endpoint) (any, error) {
	text, err := json.Marshal(map[string]any{
		"id": e.Name, "name": e.Name, "url": e.URL, "secret": e.Secret, "types": e.Types, "tenant": e.Tenant,
		"environment": e.Environment, "headers": e.Headers,
	})
	if err != nil {
		return nil, err
	}
	var v any
	return v, json.Unmarshal(text, &v)
}

// registerInFile adds an endpoint to the sender's file and returns when the sender has been told. Its id is our name of it.
func (i *instance) registerInFile(ctx context.Context, e sender.Endpoint) (sender.Registered, error) {
	if e.Secret == "" {
		return sender.Registered{}, fmt.Errorf("register endpoint %s: a sender that is configured by a file issues no secrets", e.Name)
	}
	en, err := listing(e)
	if err != nil {
		return sender.Registered{}, fmt.Errorf("register endpoint %s: %w", e.Name, err)
	}
	f := i.conf
	f.mu.Lock()
	if f.emitted && i.adapter.config.reload.restart {
		f.mu.Unlock()
		return sender.Registered{}, fmt.Errorf(
			"register endpoint %s: the sender would have to be restarted, and events are under way; select scenarios that register at once, or give it another reload", e.Name)
	}
	f.endpoints = append(f.endpoints, en)
	b, first := f.open, f.open == nil
	if first {
		b = &batch{done: make(chan struct{})}
		f.open = b
	}
	f.mu.Unlock()
	if first {
		b.err = i.applyLater(ctx, b)
		close(b.done)
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return sender.Registered{}, ctx.Err()
	}
	if b.err != nil {
		return sender.Registered{}, i.secrets.Wrap(fmt.Errorf("register endpoint %s: %w", e.Name, b.err))
	}
	return sender.Registered{ID: e.Name}, nil
}

// applyLater waits for others that register now, and applies all of them.
func (i *instance) applyLater(ctx context.Context, b *batch) error {
	waited := pause(ctx, i.adapter.config.gather)
	i.conf.applying.Lock()
	defer i.conf.applying.Unlock()
	i.conf.mu.Lock()
	if i.conf.open == b {
		i.conf.open = nil
	}
	i.conf.mu.Unlock()
	if waited != nil {
		return waited
	}
	if err := i.writeConfig(ctx); err != nil {
		return err
	}
	return i.reload(ctx)
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writeConfig writes the file with the endpoints that there are.
func (i *instance) writeConfig(ctx context.Context) error {
	c, f := i.adapter.config, i.conf
	vars := map[string]any{}
	for name, value := range i.values {
		if !strings.Contains(name, ".") {
			vars[name] = value
		}
	}
	f.mu.Lock()
	a := answer{json: map[string]any{"endpoints": append([]any{}, f.endpoints...), "vars": vars}}
	f.mu.Unlock()
	v := maps.Clone(i.values)
	for name, value := range i.setup {
		v["setup."+name] = value
	}
	a.in = inputTree(v)
	made, err := c.content.run(ctx, a)
	if err != nil {
		return i.adapter.errorAt(c.content.at, "config: content: %w", err)
	}
	text, ok := made.(string)
	if !ok {
		b, err := json.MarshalIndent(made, "", "  ")
		if err != nil {
			return i.adapter.errorAt(c.content.at, "config: content: %w", err)
		}
		text = string(b) + "\n" // JSON, which is YAML as well
	}
	temp := f.path + ".new"
	if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
		return fmt.Errorf("config: file: %w", err)
	}
	if err := os.Rename(temp, f.path); err != nil {
		return err
	}
	return i.keep()
}

// reload tells the sender that its file has changed. One that does not run will read it at its start.
func (i *instance) reload(ctx context.Context) error {
	l := i.adapter.config.reload
	if i.proc != nil && !i.proc.Running() {
		return nil
	}
	var err error
	switch {
	case l.restart:
		if err = i.Stop(ctx); err == nil {
			err = i.Start(ctx)
		}
	case l.signal != nil:
		err = i.signal(l.signal)
	case l.request != nil:
		var base string
		if base, err = i.baseURL(); err == nil {
			_, _, err = i.do(ctx, base, l.request, "reload", nil)
		}
	default:
		err = i.runReload(ctx, l.command)
	}
	if err != nil {
		return fmt.Errorf("make the sender read its file again: %w", err)
	}
	return pause(ctx, l.settle)
}

// signal sends a signal to the sender. Adapters ask for it only where the sender is a process.
func (i *instance) signal(s os.Signal) error {
	p, ok := i.proc.(*process.Process)
	if !ok {
		return i.notOurs("signal")
	}
	return p.Signal(s)
}

func (i *instance) runReload(ctx context.Context, command []template) error {
	var words []string
	for _, t := range command {
		w, err := t.expand(i.values, plain)
		if err != nil {
			return err
		}
		words = append(words, w)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, i.timeout, errNoAnswer)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = i.adapter.folder
	// Children of the command that keep its output open are not waited for.
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if errors.Is(context.Cause(ctx), errNoAnswer) {
		return fmt.Errorf("command %s did not end within %s", words[0], i.timeout)
	}
	if err != nil {
		return fmt.Errorf("command %s: %w; it said: %s", words[0], err, clip(strings.Join(strings.Fields(string(out)), " "), shownAnswer))
	}
	return nil
}

// configure prepares the file of i, if its adapter has one. A launched sender finds it at its start, with no endpoint in it.
func (i *instance) configure(ctx context.Context) error {
	c := i.adapter.config
	if c == nil {
		return nil
	}
	path, err := c.file.expand(i.values, plain)
	if err != nil {
		return err
	}
	i.conf = &configured{path: path, endpoints: i.earlier}
	if i.proc == nil {
		return nil
	}
	return i.writeConfig(ctx)
}

// underWay notes that the sender was given an event.
func (f *configured) underWay() {
	if f == nil {
		return
	}
	f.mu.Lock()
	f.emitted = true
	f.mu.Unlock()
}
