package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// instance is one shim with what it speaks for.
type instance struct {
	*shim
	name   string
	dir    string
	params helloParams
	hello  helloResult
	pings  *pings
}

var _ sender.Full = (*instance)(nil)

// Start implements sender.Instance: the shim is ready when it has answered hello.
func (i *instance) Start(ctx context.Context) error {
	i.begun()
	if err := i.proc.Start(ctx); err != nil {
		return i.secrets.Wrap(err)
	}
	if err := i.greet(ctx); err != nil {
		return errors.Join(fmt.Errorf("start %s: %w", i.name, err), i.proc.Kill(context.WithoutCancel(ctx)))
	}
	i.prober.Pause() // what is left from a process that ended by itself
	i.pings = &pings{shim: i.shim}
	i.probe()
	return nil
}

// probe begins to ask a shim for signs of life that declares ping.
func (i *instance) probe() {
	if i.Has(sender.CanPing) {
		i.prober.Resume(i.pings.ask)
	}
}

func (i *instance) greet(ctx context.Context) error {
	result, err := i.call(ctx, "hello", "greet the shim", i.params)
	if err != nil {
		return err
	}
	i.hello = helloResult{}
	if err := decode(result, &i.hello); err != nil {
		return err
	}
	return i.hello.check()
}

// Has implements sender.Instance.
func (i *instance) Has(a sender.Ability) bool {
	return slices.Contains(withOutput(i.hello.Abilities), string(a))
}

// Stop implements sender.Instance.
func (i *instance) Stop(ctx context.Context) error {
	i.prober.Pause()
	err := i.proc.Stop(ctx)
	i.ended(errors.New("the shim was stopped"))
	return err
}

// Kill implements sender.Instance.
func (i *instance) Kill(ctx context.Context) error {
	i.prober.Pause()
	err := i.proc.Kill(ctx)
	i.ended(errors.New("the shim was killed"))
	return err
}

// Close implements sender.Instance.
func (i *instance) Close() error {
	i.prober.Close()
	err := i.proc.Close()
	i.ended(errors.New("the shim was closed")) // lets a ping go that was not answered
	return errors.Join(err, os.RemoveAll(i.dir))
}

// RegisterEndpoint implements sender.Sender.
func (i *instance) RegisterEndpoint(ctx context.Context, e sender.Endpoint) (sender.Registered, error) {
	i.secrets.Add(e.Secret)
	subject := "register endpoint " + e.Name
	got, err := i.grant(ctx, "register", subject, e.Secret, registerParams(e))
	if err == nil && got.ID == "" {
		err = fmt.Errorf("%s: the shim's answer gives no id", subject)
	}
	return sender.Registered{ID: got.ID, Secret: got.Secret}, err
}

// grant makes a call that may be answered with a key. An echo of ours is no key that the sender issued.
func (i *instance) grant(ctx context.Context, name, subject, ours string, params any) (grantResult, error) {
	var got grantResult
	result, err := i.call(ctx, name, subject, params)
	if err != nil {
		return got, err
	}
	if err := decode(result, &got); err != nil {
		return got, fmt.Errorf("%s: %w", subject, err)
	}
	i.secrets.Add(got.Secret)
	if got.Secret == ours {
		got.Secret = ""
	}
	return got, nil
}

// Emit implements sender.Sender.
func (i *instance) Emit(ctx context.Context, e sender.Event) (sender.Emitted, error) {
	var got struct {
		ID string `json:"id"`
	}
	subject := "emit " + e.Type
	result, err := i.call(ctx, "emit", subject, eventParams(e))
	if err == nil {
		if err = decode(result, &got); err != nil {
			err = fmt.Errorf("%s: %w", subject, err)
		}
	}
	return sender.Emitted{ID: got.ID}, err
}

// EmitRolledBack implements sender.RolledBackEmitter.
func (i *instance) EmitRolledBack(ctx context.Context, e sender.Event) error {
	return i.do(ctx, "emit_rolled_back", "emit and roll back "+e.Type, eventParams(e))
}

func eventParams(e sender.Event) emitParams {
	return emitParams{
		Endpoint: e.Endpoint, Type: e.Type, Tenant: e.Tenant, Environment: e.Environment, Object: e.Object,
		Marker: evidence.MarkerIn(e.Data), Data: e.Data,
	}
}

func (i *instance) do(ctx context.Context, name, subject string, params any) error {
	_, err := i.call(ctx, name, subject, params)
	return err
}

// Replay implements sender.Replayer.
func (i *instance) Replay(ctx context.Context, d sender.Delivery, reason string) error {
	return i.do(ctx, "replay", fmt.Sprintf("replay event %s at endpoint %s", d.Event, d.Endpoint), deliveryParams{d.Event, d.Endpoint, reason})
}

// DeliveryLog implements sender.LogReader.
func (i *instance) DeliveryLog(ctx context.Context, d sender.Delivery) (evidence.LogEntry, error) {
	var e evidence.LogEntry
	subject := fmt.Sprintf("log of event %s at endpoint %s", d.Event, d.Endpoint)
	result, err := i.call(ctx, "log", subject, deliveryParams{Event: d.Event, Endpoint: d.Endpoint})
	if err != nil {
		return e, err
	}
	if err = decode(result, &e); err == nil && (e.State == "" || slices.ContainsFunc(e.Attempts, func(a evidence.LogAttempt) bool {
		return a.Number == 0 || a.At.IsZero()
	})) {
		err = errors.New("state, or number or at of an attempt, is missing")
	}
	if err != nil {
		return e, i.secrets.Wrap(fmt.Errorf("%s: %w; the answer begins: %s", subject, err, clip(string(result))))
	}
	if e.Event == "" {
		e.Event = d.Event
	}
	return e, nil
}

// DeadLetters implements sender.DeadLetterReader.
func (i *instance) DeadLetters(ctx context.Context, endpoint string) ([]evidence.DeadLetter, error) {
	var list []evidence.DeadLetter
	subject := "dead letters of endpoint " + endpoint
	result, err := i.call(ctx, "dead_letters", subject, endpointParams{Endpoint: endpoint})
	if err != nil {
		return nil, err
	}
	if err = decode(result, &list); err == nil && slices.ContainsFunc(list, func(d evidence.DeadLetter) bool {
		return d.Event == "" || d.Reason == ""
	}) {
		err = errors.New("event or reason is missing")
	}
	if err != nil {
		return nil, i.secrets.Wrap(fmt.Errorf("%s: %w; the answer begins: %s", subject, err, clip(string(result))))
	}
	return list, nil
}

// ChangeObject implements sender.ObjectChanger.
func (i *instance) ChangeObject(ctx context.Context, object string, data json.RawMessage) error {
	return i.do(ctx, "change_object", "change object "+object, objectParams{object, data})
}

// RotateSecret implements sender.KeyRotator.
func (i *instance) RotateSecret(ctx context.Context, endpoint, secret string) (string, error) {
	return i.newKey(ctx, "rotate", endpoint, secret)
}

// RevokeSecret implements sender.KeyRevoker.
func (i *instance) RevokeSecret(ctx context.Context, endpoint, secret string) (string, error) {
	return i.newKey(ctx, "revoke", endpoint, secret)
}

func (i *instance) newKey(ctx context.Context, name, endpoint, secret string) (string, error) {
	i.secrets.Add(secret)
	subject := name + " the secret of endpoint " + endpoint
	got, err := i.grant(ctx, name, subject, secret, endpointParams{endpoint, secret})
	if err == nil && secret == "" && got.Secret == "" {
		err = fmt.Errorf("%s: the sender was to issue a secret, and the shim gives none", subject)
	}
	return got.Secret, err
}

// DisableEndpoint implements sender.EndpointSwitch.
func (i *instance) DisableEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, "disable", endpoint)
}

// EnableEndpoint implements sender.EndpointSwitch.
func (i *instance) EnableEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, "enable", endpoint)
}

// DeleteEndpoint implements sender.EndpointDeleter.
func (i *instance) DeleteEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, "delete", endpoint)
}

// ReadEndpoint implements sender.EndpointReader.
func (i *instance) ReadEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, "read_endpoint", endpoint)
}

func (i *instance) onEndpoint(ctx context.Context, name, endpoint string) error {
	return i.do(ctx, name, name+" "+endpoint, endpointParams{Endpoint: endpoint})
}

// ReplayRange implements sender.RangeReplayer.
func (i *instance) ReplayRange(ctx context.Context, endpoint string, from, to time.Time, reason string) error {
	return i.do(ctx, "replay_range", "replay a range at endpoint "+endpoint, rangeParams{endpoint, from.UTC(), to.UTC(), reason})
}
