package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// launcher makes instances of one adapter.
type launcher struct {
	adapter *Adapter
	options Options
	values  values

	mu       sync.Mutex
	ca       []byte    // PEM, that instances are to trust; nil: none
	attached *instance // if the adapter does not launch; the instances of all names share its client's parts
	err      error     // why attaching did not succeed
	again    bool      // attaching goes on with what a process of the harness before us left
}

// Info implements sender.Launcher.
func (l *launcher) Info() evidence.Sender {
	return evidence.Sender{
		Name: l.adapter.Name, Driver: "httpapi", Abilities: l.adapter.declared(), Version: l.adapter.Version,
	}
}

// Launch implements sender.Launcher. An adapter without a launch section gives the same sender for every name; w
// is then told only the answers to calls of the instance returned.
func (l *launcher) Launch(ctx context.Context, name string, w sender.Watcher) (sender.Instance, error) {
	if w == nil {
		w = nobody{}
	}
	if !l.adapter.launched() {
		return l.attach(ctx, w)
	}
	i, err := l.instance(name, w, false)
	if err != nil {
		return nil, fmt.Errorf("launch %s: %w", name, err)
	}
	if err = i.configure(ctx); err == nil {
		err = i.Start(ctx)
	}
	if err == nil {
		err = i.prepare(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("launch %s: %w", name, err), i.Close())
	}
	return i, nil
}

// attach reaches the sender at its first call. A failed setup is not tried again: it may have acted.
func (l *launcher) attach(ctx context.Context, w sender.Watcher) (sender.Instance, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return nil, l.err
	}
	if l.attached == nil || l.attached.end.over() {
		l.attached, l.err = l.newAttached(ctx, w)
		if l.err != nil {
			return nil, l.err
		}
	}
	i := l.attached.heardBy(w)
	if l.adapter.probe != nil {
		// One that stands still, at a breakpoint say, must not be blamed for being late.
		i.probe = sender.NewProber(w)
		i.probeAt(i.base)
	}
	return i, nil
}

func (l *launcher) newAttached(ctx context.Context, w sender.Watcher) (*instance, error) {
	c := l.client(l.values, w)
	base, err := l.adapter.baseURL.expand(c.values, plain)
	if err == nil {
		err = checkBase(base)
	}
	if err != nil {
		return nil, l.adapter.errorAt(l.adapter.baseURL.at, "base_url: %v", c.secrets.Wrap(err))
	}
	i := &instance{client: c, name: l.adapter.Name, base: base, keepIn: l.options.KeepDir, end: &ending{}}
	if l.again {
		if _, err := i.recall(); err != nil {
			return nil, err
		}
	}
	if err := i.configure(ctx); err != nil {
		return nil, c.secrets.Wrap(err)
	}
	if l.adapter.probe != nil {
		alive := &call{method: http.MethodGet, path: *l.adapter.probe, expect: []int{http.StatusOK, http.StatusNoContent}}
		if _, err := c.once(ctx, base, alive, c.values); err != nil {
			return nil, c.secrets.Wrap(fmt.Errorf("attach to %s: %w", l.adapter.Name, err))
		}
	}
	if l.again {
		return i, nil
	}
	if err := i.prepare(ctx); err != nil {
		return nil, fmt.Errorf("attach to %s: %w", l.adapter.Name, err)
	}
	return i, nil
}

func checkBase(base string) error {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q is no base URL; want http://host:port, with a path if the API has one", base)
	}
	return nil
}

// client makes the part of an instance that performs ops.
func (l *launcher) client(v values, w sender.Watcher) *client {
	c := &client{
		adapter: l.adapter, timeout: l.options.CallTimeout, launched: l.adapter.launched(), values: v, watcher: w,
		secrets: &sender.Redactor{}, own: &sender.Redactor{},
	}
	for _, key := range l.adapter.keys(v) {
		c.secrets.Add(key)
		c.own.Add(key)
	}
	if l.options.HTTP != nil {
		own := *l.options.HTTP
		c.http = &own
	} else {
		// An idle connection is kept for less than the 5 s after which common servers close theirs, so that no call meets
		// one that is just being closed.
		c.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32, IdleConnTimeout: 3 * time.Second}}
	}
	// A redirect would turn the call into another one.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// caVariable is the path of the file with the authority to trust; empty where there is none.
const caVariable = "ca"

// Trust implements sender.Truster: ${ca} is the path of a file with ca from now on.
func (l *launcher) Trust(ca []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ca = bytes.Clone(ca)
	return nil
}

// writeFiles writes what the adapter may name into the folder of an instance, and notes the paths in v.
func (l *launcher) writeFiles(dir string, v values) error {
	files := map[string][]byte{}
	for name, content := range l.options.Files {
		v["file."+name] = filepath.Join(dir, name)
		files[v["file."+name]] = content
	}
	l.mu.Lock()
	ca := l.ca
	l.mu.Unlock()
	if ca != nil {
		v[caVariable] = filepath.Join(dir, "trusted-ca.pem")
		files[v[caVariable]] = ca
	}
	for path, content := range files {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// instance makes a launched instance's folder, files and process; the process is not started yet. again takes the folder that there is.
func (l *launcher) instance(name string, w sender.Watcher, again bool) (*instance, error) {
	dir, err := l.instanceDir(name, again)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	v := maps.Clone(l.values)
	v["dir"] = dir
	if err := l.writeFiles(dir, v); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	i := &instance{client: l.client(v, w), name: name, dir: dir, end: &ending{users: 1}}
	if l.options.KeepDir != "" {
		i.keepIn = dir
	}
	i.probe = sender.NewProber(w)
	run := l.process
	if l.adapter.containers != nil {
		run = l.contain
	}
	if err := run(i); err != nil {
		return nil, errors.Join(i.secrets.Wrap(err), os.RemoveAll(dir))
	}
	return i, nil
}

// process fills in the instance's process.
func (l *launcher) process(i *instance) error {
	s := l.adapter.launch
	spec := process.Spec{Name: i.name, Ready: s.ready, ReadyTimeout: s.readyTimeout, Grace: s.stopGrace}
	if l.options.NoTimeouts {
		spec.ReadyTimeout = patience
	}
	var err error
	if spec.Command, err = expandAll(s.command, i.values); err != nil {
		return err
	}
	if spec.Env, err = assignments(s.env, i.values); err != nil {
		return err
	}
	// What an adapter names lies beside it, whoever runs it from wherever.
	spec.Dir = l.adapter.folder
	if s.dir != nil {
		dir, err := s.dir.expand(i.values, plain)
		if err != nil {
			return err
		}
		spec.Dir = l.beside(dir)
	}
	if l.adapter.baseURL != nil {
		if i.base, err = l.adapter.baseURL.expand(i.values, plain); err != nil {
			return err
		}
	}
	i.proc, err = process.New(spec, watch{i.watcher, i.probe, i.secrets})
	return err
}

// fileName makes a part of a folder's name from an instance's name.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(clip(name, 40)))
}
