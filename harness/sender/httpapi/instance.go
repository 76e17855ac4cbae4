package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// instance is one sender: a process of its own, or one that runs without us if proc is nil.
type instance struct {
	*client
	name  string
	base  string // base URL, where the process does not print it
	proc  process.Runner
	dir   string
	probe *sender.Prober
	// keepIn is the folder for what is needed to go on with the instance; empty: nothing is kept. earlier are the endpoints of a sender that
	// is gone on with and learns of them from a file.
	keepIn  string
	earlier []any

	conf *configured // nil unless the sender learns of its endpoints from a file
	// end is done once, when the last of those that share the sender is closed.
	end *ending
}

var _ sender.Full = (*instance)(nil)

// RegisterEndpoint implements sender.Sender.
func (i *instance) RegisterEndpoint(ctx context.Context, e sender.Endpoint) (sender.Registered, error) {
	i.secrets.Add(e.Secret)
	if i.conf != nil {
		return i.registerInFile(ctx, e)
	}
	types, err := listed(e.Types, len(e.Types))
	if err != nil {
		return sender.Registered{}, fmt.Errorf("register endpoint %s: types: %w", e.Name, err)
	}
	headers, err := listed(e.Headers, len(e.Headers))
	if err != nil {
		return sender.Registered{}, fmt.Errorf("register endpoint %s: headers: %w", e.Name, err)
	}
	got, _, err := i.call(ctx, opRegister, "register endpoint "+e.Name, values{
		"endpoint.name": e.Name, "endpoint.url": e.URL, "endpoint.secret": e.Secret, "endpoint.types": types,
		"endpoint.tenant": e.Tenant, "endpoint.environment": e.Environment, headersVariable: headers,
	})
	if err != nil {
		return sender.Registered{}, err
	}
	r := sender.Registered{ID: got["id"], Secret: got["secret"]}
	if r.Secret == e.Secret {
		r.Secret = "" // an echo of ours is no secret that the sender issued
	}
	return r, nil
}

// listed is v, of n entries, as JSON; empty if there are none.
func listed(v any, n int) (string, error) {
	if n == 0 {
		return "", nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

// Emit implements sender.Sender.
func (i *instance) Emit(ctx context.Context, e sender.Event) (sender.Emitted, error) {
	i.conf.underWay()
	got, _, err := i.call(ctx, opEmit, "emit "+e.Type, eventValues(e))
	return sender.Emitted{ID: got["id"]}, err
}

// EmitRolledBack implements sender.RolledBackEmitter.
func (i *instance) EmitRolledBack(ctx context.Context, e sender.Event) error {
	_, _, err := i.call(ctx, opRolledBack, "emit and roll back "+e.Type, eventValues(e))
	return err
}

func eventValues(e sender.Event) values {
	return values{
		"event.type": e.Type, "event.data": string(e.Data), "event.endpoint": e.Endpoint, "event.tenant": e.Tenant,
		"event.environment": e.Environment, "event.object": e.Object, "event.marker": evidence.MarkerIn(e.Data),
	}
}

// Replay implements sender.Replayer.
func (i *instance) Replay(ctx context.Context, d sender.Delivery, reason string) error {
	_, _, err := i.call(ctx, opReplay, fmt.Sprintf("replay event %s at endpoint %s", d.Event, d.Endpoint), values{
		"delivery.event": d.Event, "delivery.endpoint": d.Endpoint, "reason": reason,
	})
	return err
}

// DeliveryLog implements sender.LogReader.
func (i *instance) DeliveryLog(ctx context.Context, d sender.Delivery) (evidence.LogEntry, error) {
	subject := fmt.Sprintf("log of event %s at endpoint %s", d.Event, d.Endpoint)
	_, a, err := i.call(ctx, opLog, subject, values{"delivery.event": d.Event, "delivery.endpoint": d.Endpoint})
	if err != nil {
		return evidence.LogEntry{}, err
	}
	var form logForm
	if err := i.record(ctx, opLog, subject, a, &form); err != nil {
		return evidence.LogEntry{}, err
	}
	e, err := form.entry(d.Event)
	if err != nil {
		return evidence.LogEntry{}, fmt.Errorf("%s: %w", subject, err)
	}
	return e, nil
}

// DeadLetters implements sender.DeadLetterReader.
func (i *instance) DeadLetters(ctx context.Context, endpoint string) ([]evidence.DeadLetter, error) {
	subject := "dead letters of endpoint " + endpoint
	_, a, err := i.call(ctx, opDead, subject, values{"endpoint.id": endpoint})
	if err != nil {
		return nil, err
	}
	var forms []deadForm
	if err := i.record(ctx, opDead, subject, a, &forms); err != nil {
		return nil, err
	}
	letters := make([]evidence.DeadLetter, 0, len(forms))
	for n, f := range forms {
		l, err := f.letter()
		if err != nil {
			return nil, fmt.Errorf("%s: result: entry %d: %w", subject, n, err)
		}
		letters = append(letters, l)
	}
	return letters, nil
}

// ChangeObject implements sender.ObjectChanger.
func (i *instance) ChangeObject(ctx context.Context, object string, data json.RawMessage) error {
	_, _, err := i.call(ctx, opChange, "change object "+object, values{"object.id": object, "object.data": string(data)})
	return err
}

func (i *instance) call(ctx context.Context, name opName, subject string, inputs values) (map[string]string, answer, error) {
	o := i.adapter.ops[name]
	if o == nil {
		return nil, answer{}, fmt.Errorf("%s: the adapter %s has no op %s", subject, i.adapter.file, name)
	}
	base, err := i.baseURL()
	if err != nil {
		return nil, answer{}, fmt.Errorf("%s: %w", subject, err)
	}
	return i.do(ctx, base, o, subject, inputs)
}

func (i *instance) record(ctx context.Context, name opName, subject string, a answer, dst any) error {
	ctx, cancel := context.WithTimeout(ctx, i.timeout)
	defer cancel()
	if err := i.adapter.ops[name].result.record(ctx, a, dst); err != nil {
		return i.secrets.Wrap(fmt.Errorf("%s: %w; the answer begins: %s", subject, err, i.shown(i.adapter.ops[name].steps[0], a)))
	}
	return nil
}

// baseURL returns where the sender is now.
func (i *instance) baseURL() (string, error) {
	if i.proc == nil {
		return i.base, nil
	}
	if !i.proc.Running() {
		return "", fmt.Errorf("the sender %s does not run", i.name)
	}
	if i.base != "" {
		return i.base, nil
	}
	u := i.proc.URL()
	if u == "" {
		return "", fmt.Errorf("the sender %s is not ready", i.name)
	}
	if _, err := strconv.ParseUint(u, 10, 16); err == nil {
		u = "127.0.0.1:" + u
	}
	if _, _, err := net.SplitHostPort(u); err == nil {
		u = "http://" + u // many senders print the address that they listen on, and no URL
	}
	return u, nil
}

// Has implements sender.Instance.
func (i *instance) Has(a sender.Ability) bool { return i.adapter.has(a) }

// Stop implements sender.Instance. A sender that had to be killed is an error that wraps process.ErrForced.
func (i *instance) Stop(ctx context.Context) error {
	if i.proc == nil {
		return i.notOurs("stop")
	}
	i.probe.Pause()
	defer i.http.CloseIdleConnections()
	err := i.proc.Stop(ctx)
	if base, still := i.baseURL(); still == nil {
		i.probeAt(base) // ctx ended before it was our turn
	}
	return err
}

// Kill implements sender.Instance.
func (i *instance) Kill(ctx context.Context) error {
	if i.proc == nil {
		return i.notOurs("kill")
	}
	i.probe.Pause()
	defer i.http.CloseIdleConnections()
	return i.proc.Kill(ctx)
}

// Start implements sender.Instance.
func (i *instance) Start(ctx context.Context) error {
	if i.proc == nil {
		return i.notOurs("start")
	}
	if err := i.proc.Start(ctx); err != nil {
		return i.secrets.Wrap(err)
	}
	base, err := i.baseURL()
	if err == nil {
		err = checkBase(base)
		if err != nil && i.base == "" {
			err = fmt.Errorf("launch: ready: its group caught what will not do: %w; host:port or the port alone will do as well", err)
		}
	}
	if err != nil {
		return errors.Join(i.secrets.Wrap(fmt.Errorf("start %s: %w", i.name, err)), i.proc.Kill(context.WithoutCancel(ctx)))
	}
	i.probe.Pause() // what is left from a process that ended by itself
	i.probeAt(base)
	return i.keep()
}

// Close implements sender.Instance. It does the op teardown and removes the instance's folder. A sender that was attached to runs on.
func (i *instance) Close() error {
	torn := i.tearDown()
	if i.proc == nil {
		if i.probe != nil {
			i.probe.Close()
		}
		return torn
	}
	err := errors.Join(torn, i.proc.Close())
	i.probe.Close()
	i.http.CloseIdleConnections()
	return errors.Join(err, os.RemoveAll(i.dir))
}

func (i *instance) notOurs(act string) error {
	return fmt.Errorf("%s %s: it was not launched by the harness; give the adapter a section launch or container", act, i.adapter.Name)
}

// prepare is the op setup, done once.
func (i *instance) prepare(ctx context.Context) error {
	if i.adapter.setup == nil {
		return i.keep()
	}
	base, err := i.baseURL()
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	got, _, err := i.do(ctx, base, i.adapter.setup, "setup", nil)
	if err != nil {
		return err
	}
	i.setup = got
	return i.keep()
}

// heardBy returns the same sender, whose answers go to w.
func (i *instance) heardBy(w sender.Watcher) *instance {
	c := *i.client
	c.watcher = w
	i.end.join()
	return &instance{client: &c, name: i.name, base: i.base, conf: i.conf, keepIn: i.keepIn, end: i.end}
}
