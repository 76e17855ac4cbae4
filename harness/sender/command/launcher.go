package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// defaultCallTimeout is far over what a shim needs for a call, and under the patience of whoever watches.
const defaultCallTimeout = 30 * time.Second

// Options say how the shim is started. Command is required.
type Options struct {
	// Command is the program and its arguments. A program without a slash is looked up in PATH.
	Command []string
	// Env holds NAME=value entries that are added to the environment of the harness.
	Env []string
	// Folder is the working directory; empty means that of the harness.
	Folder string
	// Vars, Contract and Files are told to the shim: settings, values of the effective contract, and files by name, which are
	// written into the folder of each instance.
	Vars     map[string]string
	Contract map[string]string
	Files    map[string][]byte
	// Secrets are values that no message may show.
	Secrets []string
	// TempDir is where the folders of instances are made; empty means the system's place for such.
	TempDir string
	// CallTimeout bounds one call; 30 s if 0, no bound if negative: somebody may be at a breakpoint.
	CallTimeout time.Duration
	// Grace is what Stop leaves between SIGTERM and SIGKILL; 10 s if 0.
	Grace time.Duration
}

// launcher starts shims.
type launcher struct {
	options Options
	hello   helloResult
}

// Open starts the shim once, asks what it is, sends a ping to one that declares it, and ends it. The launcher starts it again for each instance.
func Open(ctx context.Context, o Options) (sender.Launcher, error) {
	if len(o.Command) == 0 || o.Command[0] == "" {
		return nil, errors.New("shim: no command given")
	}
	o.CallTimeout = cmp.Or(o.CallTimeout, defaultCallTimeout)
	l := &launcher{options: o}
	i, err := l.instance("hello", silent{})
	if err != nil {
		return nil, fmt.Errorf("shim: %w", err)
	}
	err = i.Start(ctx)
	if err == nil {
		err = i.tryPing(ctx)
	}
	if err = errors.Join(err, i.Close()); err != nil {
		return nil, fmt.Errorf("shim: %w", err)
	}
	l.hello = i.hello
	return l, nil
}

// Info implements sender.Launcher.
func (l *launcher) Info() evidence.Sender {
	return evidence.Sender{
		Name: l.hello.Name, Version: l.hello.Version, Driver: "command", Abilities: slices.Sorted(slices.Values(withOutput(l.hello.Abilities))),
	}
}

// withOutput adds what each shim can: its standard error is read.
func withOutput(abilities []string) []string {
	return append(slices.Clone(abilities), string(sender.CanOutput))
}

// Launch implements sender.Launcher.
func (l *launcher) Launch(ctx context.Context, name string, w sender.Watcher) (sender.Instance, error) {
	if w == nil {
		w = silent{}
	}
	i, err := l.instance(name, w)
	if err != nil {
		return nil, fmt.Errorf("launch %s: %w", name, err)
	}
	if err := i.Start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("launch %s: %w", name, err), i.Close())
	}
	return i, nil
}

// instance makes an instance's folder and process, which is not started yet.
func (l *launcher) instance(name string, w sender.Watcher) (*instance, error) {
	dir, err := os.MkdirTemp(l.options.TempDir, "hookassay-shim-")
	if err != nil {
		return nil, err
	}
	i := &instance{name: name, dir: dir, params: helloParams{
		Protocol: Protocol, Dir: dir, Vars: orEmpty(l.options.Vars), Contract: orEmpty(l.options.Contract), Files: map[string]string{},
	}}
	for file, content := range l.options.Files {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		i.params.Files[file] = path
	}
	i.shim = &shim{watcher: w, secrets: &sender.Redactor{}, timeout: max(0, l.options.CallTimeout)}
	i.prober = sender.NewProber(w)
	for _, s := range l.options.Secrets {
		i.secrets.Add(s)
	}
	i.proc, err = process.New(process.Spec{
		Name: name, Command: l.options.Command, Env: l.options.Env, Dir: l.options.Folder, Grace: l.options.Grace, Input: true, MaxLine: maxLine,
	}, i.shim)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return i, nil
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return maps.Clone(m)
}

// known are the abilities that a shim can declare.
func known() []sender.Ability {
	return []sender.Ability{
		sender.CanReplay, sender.CanReadLog, sender.CanReadDead, sender.CanChangeObject, sender.CanStop, sender.CanKill, sender.CanLaunch,
		sender.CanRotate, sender.CanRevoke, sender.CanDisable, sender.CanDelete, sender.CanReadEndpoint, sender.CanReplayRange,
		sender.CanRollBack, sender.CanIssueSecrets, sender.CanFanOut, sender.CanSeparate, sender.CanSetHeaders, sender.CanPing,
	}
}

func (h helloResult) check() error {
	if strings.TrimSpace(h.Name) == "" {
		return errors.New("the shim's hello gives no name of the sender")
	}
	for _, a := range h.Abilities {
		if !slices.Contains(known(), sender.Ability(a)) {
			var names []string
			for _, k := range known() {
				names = append(names, string(k))
			}
			return fmt.Errorf("the shim's hello declares an unknown ability %q; known: %s", clip(a), strings.Join(names, ", "))
		}
	}
	return nil
}

// silent is the watcher of those who want none.
type silent struct{}

func (silent) Line(string, string)           {}
func (silent) Answer(string, []byte)         {}
func (silent) Exited(error)                  {}
func (silent) Late(time.Time, time.Duration) {}
