package httpapi

import (
	"context"
	"fmt"
	"time"
)

// RotateSecret implements sender.KeyRotator.
func (i *instance) RotateSecret(ctx context.Context, endpoint, secret string) (string, error) {
	return i.newKey(ctx, opRotate, "rotate the secret of endpoint "+endpoint, endpoint, secret)
}

// RevokeSecret implements sender.KeyRevoker.
func (i *instance) RevokeSecret(ctx context.Context, endpoint, secret string) (string, error) {
	return i.newKey(ctx, opRevoke, "revoke the secret of endpoint "+endpoint, endpoint, secret)
}

// newKey replaces an endpoint's key and returns the one that the sender issued, if it did.
func (i *instance) newKey(ctx context.Context, name opName, subject, endpoint, secret string) (string, error) {
	i.secrets.Add(secret)
	got, _, err := i.call(ctx, name, subject, values{"endpoint.id": endpoint, "endpoint.secret": secret})
	switch issued := got["secret"]; {
	case err != nil:
		return "", err
	case secret == "" && issued == "":
		return "", fmt.Errorf("%s: the sender was to issue a secret, but op %s extracts none from its answer", subject, name)
	case issued == secret:
		return "", nil // an echo of ours is no secret that the sender issued
	default:
		return issued, nil
	}
}

// DisableEndpoint implements sender.EndpointSwitch.
func (i *instance) DisableEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, opDisable, "disable endpoint ", endpoint)
}

// EnableEndpoint implements sender.EndpointSwitch.
func (i *instance) EnableEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, opEnable, "enable endpoint ", endpoint)
}

// DeleteEndpoint implements sender.EndpointDeleter.
func (i *instance) DeleteEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, opDelete, "delete endpoint ", endpoint)
}

// ReadEndpoint implements sender.EndpointReader.
func (i *instance) ReadEndpoint(ctx context.Context, endpoint string) error {
	return i.onEndpoint(ctx, opReadEndpoint, "read endpoint ", endpoint)
}

func (i *instance) onEndpoint(ctx context.Context, name opName, act, endpoint string) error {
	_, _, err := i.call(ctx, name, act+endpoint, values{"endpoint.id": endpoint})
	return err
}

// ReplayRange implements sender.RangeReplayer.
func (i *instance) ReplayRange(ctx context.Context, endpoint string, from, to time.Time, reason string) error {
	first, last := from.UTC().Format(time.RFC3339Nano), to.UTC().Format(time.RFC3339Nano)
	_, _, err := i.call(ctx, opReplayRange, fmt.Sprintf("replay %s to %s at endpoint %s", first, last, endpoint), values{
		"endpoint.id": endpoint, "range.from": first, "range.to": last, "reason": reason,
	})
	return err
}
