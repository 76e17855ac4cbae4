package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// TriggerOptions say how events are set off at a sender whose one endpoint was configured by hand. Command is required.
type TriggerOptions struct {
	// Command is run for each event: the event's data, a JSON object with the marker in it, is its standard input, and HOOKASSAY_URL, HOOKASSAY_TYPE,
	// HOOKASSAY_MARKER and HOOKASSAY_OBJECT are in its environment. It ends with 0 once the sender has accepted the event, with
	// 75 (EX_TEMPFAIL) where the sender takes none just now, with anything else in trouble.
	Command []string
	// Folder is the working directory; empty means that of the harness.
	Folder string
	// Secret is the endpoint's key, as configured by hand; empty where nothing is signed. It stays out of the evidence.
	Secret string
	// Timeout bounds one command; 30 s if 0.
	Timeout time.Duration
}

// exitRefused is EX_TEMPFAIL of sysexits.h: try again later.
const exitRefused = 75

// Trigger is a sender of which nothing is known but how to set an event off. It has no abilities, and one endpoint: drive.Setup.ByHand.
func Trigger(o TriggerOptions) (sender.Launcher, error) {
	if len(o.Command) == 0 || o.Command[0] == "" {
		return nil, errors.New("trigger: no command given")
	}
	o.Timeout = cmp.Or(o.Timeout, defaultCallTimeout)
	t := &trigger{options: o}
	t.secrets.Add(o.Secret)
	return t, nil
}

// Observed is a sender that nobody drives: its traffic is watched. secret is the endpoint's key, as configured by hand.
func Observed(secret string) sender.Launcher {
	t := &trigger{options: TriggerOptions{Secret: secret}}
	t.secrets.Add(secret)
	return t
}

// trigger is launcher and instance in one, since there is nothing to launch.
type trigger struct {
	options TriggerOptions
	secrets sender.Redactor

	mu  sync.Mutex
	url string // of the endpoint
}

// Info implements sender.Launcher.
func (t *trigger) Info() evidence.Sender {
	if len(t.options.Command) == 0 {
		return evidence.Sender{Name: "observed sender", Driver: "observe", Abilities: []string{}}
	}
	return evidence.Sender{Name: "sender triggered by " + t.options.Command[0], Driver: "trigger", Abilities: []string{}}
}

// Launch implements sender.Launcher.
func (t *trigger) Launch(context.Context, string, sender.Watcher) (sender.Instance, error) {
	return t, nil
}

// RegisterEndpoint implements sender.Sender: a person has done it.
func (t *trigger) RegisterEndpoint(_ context.Context, e sender.Endpoint) (sender.Registered, error) {
	t.mu.Lock()
	t.url = e.URL
	t.mu.Unlock()
	return sender.Registered{ID: e.Name, Secret: t.options.Secret}, nil
}

// Emit implements sender.Sender.
func (t *trigger) Emit(ctx context.Context, e sender.Event) (sender.Emitted, error) {
	if len(t.options.Command) == 0 {
		return sender.Emitted{}, fmt.Errorf("emit %s: the sender is only observed", e.Type)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.options.Timeout, errNoAnswer)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.options.Command[0], t.options.Command[1:]...)
	cmd.Dir = t.options.Folder
	t.mu.Lock()
	url := t.url
	t.mu.Unlock()
	cmd.Env = append(os.Environ(), "HOOKASSAY_URL="+url,
		"HOOKASSAY_TYPE="+e.Type, "HOOKASSAY_OBJECT="+e.Object, "HOOKASSAY_MARKER="+evidence.MarkerIn(e.Data))
	cmd.Stdin = bytes.NewReader(e.Data)
	cmd.WaitDelay = time.Second // children that keep its output open are not waited for
	out, err := cmd.CombinedOutput()
	if err == nil {
		return sender.Emitted{}, nil
	}
	if errors.Is(context.Cause(ctx), errNoAnswer) {
		return sender.Emitted{}, fmt.Errorf("emit %s: command %s did not end within %s", e.Type, t.options.Command[0], t.options.Timeout)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == exitRefused {
		err = sender.ErrRefused
	}
	return sender.Emitted{}, t.secrets.Wrap(fmt.Errorf("emit %s: command %s: %w; it said: %s",
		e.Type, t.options.Command[0], err, clip(strings.ToValidUTF8(string(out), ""))))
}

// Has implements sender.Instance.
func (t *trigger) Has(sender.Ability) bool { return false }

// Stop implements sender.Instance.
func (t *trigger) Stop(context.Context) error { return errNotOurs }

// Kill implements sender.Instance.
func (t *trigger) Kill(context.Context) error { return errNotOurs }

// Start implements sender.Instance.
func (t *trigger) Start(context.Context) error { return errNotOurs }

// Close implements sender.Instance.
func (t *trigger) Close() error { return nil }

var errNotOurs = errors.New("the sender was not launched by the harness")
