package virtual

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// instance is a sender inside the bubble. Its abilities are those of the sender that it holds.
type instance struct {
	name     string
	new      func(context.Context) (sender.Sender, error)
	restarts bool
	declared []sender.Ability
	ears     *ears

	mu      sync.Mutex
	running sender.Sender // nil while it is stopped
	last    sender.Sender // for what it can do, also while it is stopped
}

var _ sender.Full = (*instance)(nil)

// abilities are all that a sender inside the bubble may have. A process to be killed is not among them.
func abilities() []sender.Ability {
	return []sender.Ability{
		sender.CanReplay, sender.CanReadLog, sender.CanReadDead, sender.CanChangeObject, sender.CanStop, sender.CanOutput,
		sender.CanRotate, sender.CanRevoke, sender.CanDisable, sender.CanDelete, sender.CanReadEndpoint, sender.CanReplayRange,
		sender.CanRollBack, sender.CanIssueSecrets, sender.CanFanOut, sender.CanSeparate, sender.CanSetHeaders,
	}
}

// Has implements sender.Instance. What is an interface is found out from the sender's methods, unless the sender says itself what
// it has; the others are declared.
func (i *instance) Has(a sender.Ability) bool {
	i.mu.Lock()
	s := i.last
	i.mu.Unlock()
	switch a {
	case sender.CanLaunch:
		return true
	case sender.CanKill, sender.CanTrust: // a sender is made before there is an authority to trust
		return false
	case sender.CanStop:
		return i.restarts
	default: // the others are the sender's own
	}
	if own, ok := s.(interface{ Has(a sender.Ability) bool }); ok {
		return own.Has(a)
	}
	return slices.Contains(i.declared, a) || implements(s, a)
}

func implements(s sender.Sender, a sender.Ability) (ok bool) {
	switch a {
	case sender.CanReplay:
		_, ok = s.(sender.Replayer)
	case sender.CanReadLog:
		_, ok = s.(sender.LogReader)
	case sender.CanReadDead:
		_, ok = s.(sender.DeadLetterReader)
	case sender.CanChangeObject:
		_, ok = s.(sender.ObjectChanger)
	case sender.CanRotate:
		_, ok = s.(sender.KeyRotator)
	case sender.CanRevoke:
		_, ok = s.(sender.KeyRevoker)
	case sender.CanDisable:
		_, ok = s.(sender.EndpointSwitch)
	case sender.CanDelete:
		_, ok = s.(sender.EndpointDeleter)
	case sender.CanReadEndpoint:
		_, ok = s.(sender.EndpointReader)
	case sender.CanReplayRange:
		_, ok = s.(sender.RangeReplayer)
	case sender.CanRollBack:
		_, ok = s.(sender.RolledBackEmitter)
	default: // the others are no interfaces
	}
	return ok
}

// Start implements sender.Instance.
func (i *instance) Start(ctx context.Context) error {
	s, err := i.new(ctx)
	if err == nil && s == nil {
		err = errors.New("NewSender returned no sender")
	}
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running, i.last = s, s
	return nil
}

// Stop implements sender.Instance.
func (i *instance) Stop(context.Context) error { return i.Close() }

// Kill implements sender.Instance. Goroutines cannot be killed.
func (i *instance) Kill(context.Context) error {
	return fmt.Errorf("kill %s: %w: on virtual time there is no process", i.name, errors.ErrUnsupported)
}

// Close implements sender.Instance.
func (i *instance) Close() error {
	i.mu.Lock()
	s := i.running
	i.running = nil
	i.mu.Unlock()
	if c, ok := s.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// as returns the running sender as one that has an ability.
func as[T any](i *instance, what string) (T, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var none T
	if i.running == nil {
		return none, fmt.Errorf("%s: %w", what, errStopped)
	}
	s, ok := i.running.(T)
	if !ok {
		return none, fmt.Errorf("%s: the sender, a %T, has no such method", what, i.running)
	}
	return s, nil
}

// RegisterEndpoint implements sender.Sender.
func (i *instance) RegisterEndpoint(ctx context.Context, e sender.Endpoint) (sender.Registered, error) {
	s, err := as[sender.Sender](i, "register endpoint")
	if err != nil {
		return sender.Registered{}, err
	}
	return s.RegisterEndpoint(ctx, e)
}

// Emit implements sender.Sender. It takes a millisecond at least, where nothing takes time but what waits: events that are emitted one
// after the other can then be told from those that are emitted at once.
func (i *instance) Emit(ctx context.Context, e sender.Event) (sender.Emitted, error) {
	s, err := as[sender.Sender](i, "emit")
	if err != nil {
		return sender.Emitted{}, err
	}
	time.Sleep(time.Millisecond)
	return s.Emit(ctx, e)
}

// Replay implements sender.Replayer.
func (i *instance) Replay(ctx context.Context, d sender.Delivery, reason string) error {
	s, err := as[sender.Replayer](i, "replay")
	if err != nil {
		return err
	}
	return s.Replay(ctx, d, reason)
}

// DeliveryLog implements sender.LogReader.
func (i *instance) DeliveryLog(ctx context.Context, d sender.Delivery) (evidence.LogEntry, error) {
	s, err := as[sender.LogReader](i, "read the log")
	if err != nil {
		return evidence.LogEntry{}, err
	}
	return s.DeliveryLog(ctx, d)
}

// DeadLetters implements sender.DeadLetterReader.
func (i *instance) DeadLetters(ctx context.Context, endpoint string) ([]evidence.DeadLetter, error) {
	s, err := as[sender.DeadLetterReader](i, "read the dead letters")
	if err != nil {
		return nil, err
	}
	return s.DeadLetters(ctx, endpoint)
}

// ChangeObject implements sender.ObjectChanger.
func (i *instance) ChangeObject(ctx context.Context, object string, data json.RawMessage) error {
	s, err := as[sender.ObjectChanger](i, "change an object")
	if err != nil {
		return err
	}
	return s.ChangeObject(ctx, object, data)
}

// RotateSecret implements sender.KeyRotator.
func (i *instance) RotateSecret(ctx context.Context, endpoint, secret string) (string, error) {
	s, err := as[sender.KeyRotator](i, "rotate a key")
	if err != nil {
		return "", err
	}
	return s.RotateSecret(ctx, endpoint, secret)
}

// RevokeSecret implements sender.KeyRevoker.
func (i *instance) RevokeSecret(ctx context.Context, endpoint, secret string) (string, error) {
	s, err := as[sender.KeyRevoker](i, "revoke a key")
	if err != nil {
		return "", err
	}
	return s.RevokeSecret(ctx, endpoint, secret)
}

// DisableEndpoint implements sender.EndpointSwitch.
func (i *instance) DisableEndpoint(ctx context.Context, endpoint string) error {
	s, err := as[sender.EndpointSwitch](i, "disable an endpoint")
	if err != nil {
		return err
	}
	return s.DisableEndpoint(ctx, endpoint)
}

// EnableEndpoint implements sender.EndpointSwitch.
func (i *instance) EnableEndpoint(ctx context.Context, endpoint string) error {
	s, err := as[sender.EndpointSwitch](i, "enable an endpoint")
	if err != nil {
		return err
	}
	return s.EnableEndpoint(ctx, endpoint)
}

// DeleteEndpoint implements sender.EndpointDeleter.
func (i *instance) DeleteEndpoint(ctx context.Context, endpoint string) error {
	s, err := as[sender.EndpointDeleter](i, "delete an endpoint")
	if err != nil {
		return err
	}
	return s.DeleteEndpoint(ctx, endpoint)
}

// ReadEndpoint implements sender.EndpointReader.
func (i *instance) ReadEndpoint(ctx context.Context, endpoint string) error {
	s, err := as[sender.EndpointReader](i, "read an endpoint")
	if err != nil {
		return err
	}
	return s.ReadEndpoint(ctx, endpoint)
}

// ReplayRange implements sender.RangeReplayer.
func (i *instance) ReplayRange(ctx context.Context, endpoint string, from, to time.Time, reason string) error {
	s, err := as[sender.RangeReplayer](i, "replay a range")
	if err != nil {
		return err
	}
	return s.ReplayRange(ctx, endpoint, from, to, reason)
}

// EmitRolledBack implements sender.RolledBackEmitter.
func (i *instance) EmitRolledBack(ctx context.Context, e sender.Event) error {
	s, err := as[sender.RolledBackEmitter](i, "emit and roll back")
	if err != nil {
		return err
	}
	return s.EmitRolledBack(ctx, e)
}
