package drive

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// EndpointSpec says which endpoint to make. The zero value is one for all types, with a secret of ours.
type EndpointSpec struct {
	Types       []string // filter; empty is all
	Tenant      string
	Environment string // test or live
	// Issued asks the sender to issue the secret. It stays out of the evidence.
	Issued bool
	// Query is added to the URL that the sender is told, as it is; empty is none.
	Query string
	// Headers are to be sent with each request, where the sender can do that.
	Headers map[string]string
	// Listener is a listener of the scenario's own, made by Stage.Listener; empty is the one that all share.
	Listener string
}

// Endpoint is a URL of the mock receiver that the sender delivers to.
type Endpoint struct {
	EndpointSpec
	Name string // unique in the run
	URL  string
	ID   string // the sender's

	mu      sync.Mutex
	keys    []evidence.Secret
	deleted bool // the sender can no longer be asked about it
}

// Endpoint makes an endpoint and registers it with the sender.
func (st *Stage) Endpoint(ctx context.Context, spec EndpointSpec) (*Endpoint, error) {
	st.mu.Lock()
	name := dotted(st.name)
	if n := len(st.endpoints); n > 0 {
		name = fmt.Sprintf("%s.%d", name, n+1)
	}
	e := &Endpoint{EndpointSpec: spec, Name: name}
	st.endpoints = append(st.endpoints, e)
	st.mu.Unlock()

	path, err := st.byHand(spec)
	if err != nil {
		return nil, err
	}
	secret, err := st.secret(spec.Issued)
	if err != nil {
		return nil, err
	}
	e.URL, err = st.p.receiver.AddEndpoint(mockreceiver.Endpoint{
		Name: name, Path: path, Scenario: st.sc.Name, Plan: fault.OK(), Listener: spec.Listener, Handshake: st.p.handshake(secret),
		Fields: &mockreceiver.Fields{}, // events are judged one by one, whatever they say of one object
	})
	if err != nil {
		return nil, err
	}
	if spec.Query != "" {
		e.URL += "?" + spec.Query
	}
	from, issued := st.Now(), ""
	err = st.p.act(st.on(evidence.ActRegister, e), func() error {
		reg, err := st.in.RegisterEndpoint(ctx, sender.Endpoint{
			Name: name, URL: e.URL, Secret: secret, Types: spec.Types, Tenant: spec.Tenant, Environment: spec.Environment,
			Headers: spec.Headers,
		})
		e.ID, issued = reg.ID, reg.Secret
		return err
	})
	if err == nil {
		err = st.addKey(e, secret, issued, from)
	}
	return e, err
}

// handshake is the run's, by the endpoint's own secret where it is signed and has none.
func (p *player) handshake(secret string) *Handshake {
	if p.setup.Handshake == nil {
		return nil
	}
	h := *p.setup.Handshake
	if secret != "" && len(h.Secrets) == 0 && h.Signed() {
		h.Secrets = []string{secret}
	}
	return &h
}

// secret makes a canary, or none where the sender is to issue one.
func (st *Stage) secret(issued bool) (string, error) {
	if issued {
		return "", nil
	}
	return st.p.setup.NewSecret()
}

// addKey notes which key signs from now on, ours or the sender's, and writes the endpoint down anew.
func (st *Stage) addKey(e *Endpoint, ours, issued string, from time.Duration) error {
	k := evidence.Secret{Value: ours, From: from}
	if issued != "" {
		e.mu.Lock()
		k = evidence.Secret{Name: fmt.Sprintf("%s.key%d", e.Name, len(e.keys)+1), From: from}
		e.mu.Unlock()
		if st.p.setup.ByHand != "" {
			k.Name = handKey // one key, whichever scenario's turn it is
		}
		if st.p.newKeyName(k.Name) {
			got := keptKey{k.Name, issued}
			st.p.know(got)
			if err := st.p.keepKey(got); err != nil {
				return err
			}
		}
	} else if ours == "" {
		return fmt.Errorf("register endpoint %s: the sender was asked to issue a secret and returned none", e.Name)
	}
	e.mu.Lock()
	e.keys = append(e.keys, k)
	e.mu.Unlock()
	st.write(e)
	return nil
}

// write records the endpoint as it is now.
func (st *Stage) write(e *Endpoint) {
	e.mu.Lock()
	rec := &evidence.Endpoint{
		Name: e.Name, Scenario: st.sc.Name, URL: e.URL, SenderID: e.ID, Tenant: e.Tenant, Environment: e.Environment,
		Types: e.Types, Headers: e.Headers, Secrets: append([]evidence.Secret(nil), e.keys...),
	}
	e.mu.Unlock()
	st.p.add(rec)
}

func (st *Stage) on(kind evidence.ActKind, e *Endpoint) *evidence.Act {
	return &evidence.Act{Act: kind, Scenario: st.sc.Name, Instance: st.in.name, Endpoint: e.Name, Tenant: e.Tenant}
}

// Rotate gives the endpoint a new key; the old one may sign for overlap after the call returned.
func (st *Stage) Rotate(ctx context.Context, e *Endpoint, overlap time.Duration) error {
	r, ok := st.in.Instance.(sender.KeyRotator)
	if !ok {
		return absent(sender.CanRotate)
	}
	return st.newKey(ctx, evidence.ActRotate, e, overlap, r.RotateSecret)
}

// Revoke gives the endpoint a new key; no older one may sign after the call returned.
func (st *Stage) Revoke(ctx context.Context, e *Endpoint) error {
	r, ok := st.in.Instance.(sender.KeyRevoker)
	if !ok {
		return absent(sender.CanRevoke)
	}
	return st.newKey(ctx, evidence.ActRevoke, e, 0, r.RevokeSecret)
}

func (st *Stage) newKey(
	ctx context.Context, kind evidence.ActKind, e *Endpoint, overlap time.Duration,
	call func(ctx context.Context, endpoint, secret string) (string, error),
) error {
	secret, err := st.secret(e.Issued)
	if err != nil {
		return err
	}
	a, from, issued := st.on(kind, e), st.Now(), ""
	err = st.p.act(a, func() (err error) {
		issued, err = call(ctx, e.ID, secret)
		return err
	})
	if err != nil {
		return err
	}
	e.mu.Lock()
	for i := range e.keys {
		if until := a.Returned + overlap; e.keys[i].Until == 0 || until < e.keys[i].Until {
			e.keys[i].Until = until
		}
	}
	e.mu.Unlock()
	return st.addKey(e, secret, issued, from)
}

// Disable stops the endpoint's deliveries.
func (st *Stage) Disable(ctx context.Context, e *Endpoint) error {
	s, ok := st.in.Instance.(sender.EndpointSwitch)
	if !ok {
		return absent(sender.CanDisable)
	}
	return st.p.act(st.on(evidence.ActDisable, e), func() error { return s.DisableEndpoint(ctx, e.ID) })
}

// Enable resumes the endpoint's deliveries.
func (st *Stage) Enable(ctx context.Context, e *Endpoint) error {
	s, ok := st.in.Instance.(sender.EndpointSwitch)
	if !ok {
		return absent(sender.CanDisable)
	}
	return st.p.act(st.on(evidence.ActEnable, e), func() error { return s.EnableEndpoint(ctx, e.ID) })
}

// Delete removes the endpoint from the sender. Our side goes on listening: what still arrives is evidence.
func (st *Stage) Delete(ctx context.Context, e *Endpoint) error {
	d, ok := st.in.Instance.(sender.EndpointDeleter)
	if !ok {
		return absent(sender.CanDelete)
	}
	e.mu.Lock()
	e.deleted = true
	e.mu.Unlock()
	return st.p.act(st.on(evidence.ActDelete, e), func() error { return d.DeleteEndpoint(ctx, e.ID) })
}

// ReadEndpoint reads the endpoint back from the sender, for what the answer shows.
func (st *Stage) ReadEndpoint(ctx context.Context, e *Endpoint) error {
	r, ok := st.in.Instance.(sender.EndpointReader)
	if !ok {
		return absent(sender.CanReadEndpoint)
	}
	return st.p.act(st.on(evidence.ActReadEndpoint, e), func() error { return r.ReadEndpoint(ctx, e.ID) })
}

// ReplayRange asks for a replay of the endpoint's dead letters whose events were accepted in [from, to), as offsets.
func (st *Stage) ReplayRange(ctx context.Context, e *Endpoint, from, to time.Duration, reason string) error {
	r, ok := st.in.Instance.(sender.RangeReplayer)
	if !ok {
		return absent(sender.CanReplayRange)
	}
	a := st.on(evidence.ActReplayRange, e)
	began := st.p.started.Add(st.p.clock.ahead())
	first, last := began.Add(from).UTC().Round(0), began.Add(to).UTC().Round(0)
	a.From, a.To, a.Note = &first, &last, reason
	return st.p.act(a, func() error { return r.ReplayRange(ctx, e.ID, first, last, reason) })
}
