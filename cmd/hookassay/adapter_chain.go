package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// The links of the chain, in the order in which they are tried.
const (
	linkReachable  = "reachable"
	linkRegistered = "registered"
	linkAccepted   = "accepted"
	linkArrives    = "arrives"
	linkSignature  = "signature"
)

// chain is the way of one event from the harness through the sender to the receiver.
type chain struct {
	driver   driver
	contract *contract.Contract
	vars     map[string]string
	pace     pace

	opened   []func() error // what is to be done at the end, the last first
	launcher sender.Launcher
	receiver *mockreceiver.Receiver
	sender   sender.Instance
	url      string // of the endpoint
	secret   string // that it signs with
	endpoint string // the sender's id of it
	event    sender.Event
	id       string    // the sender's id of the event
	accepted time.Time // when the sender had taken it
}

// chainEndpoint is the receiver's name of the endpoint.
const chainEndpoint = "adapter-check"

// links walks them, one after the other. The error is a linkError, or bad input.
func (c *chain) links(ctx context.Context, t *tale) error {
	if err := c.listen(ctx, c.launcher); err != nil {
		return err
	}
	if err := c.launch(ctx); err != nil {
		return &linkError{linkReachable, err}
	}
	steps := []struct {
		link string
		do   func(context.Context) (string, error)
	}{
		{linkRegistered, c.register}, {linkAccepted, c.emit}, {linkArrives, c.arrive}, {linkSignature, c.verify},
	}
	for n, s := range steps {
		t.tries(s.link)
		what, err := s.do(ctx)
		if errors.Is(err, httpapi.ErrUnreachable) {
			return &linkError{linkReachable, err}
		}
		if n == 0 { // its answer, of whatever kind, shows that it is there
			t.holds(linkReachable, c.launcher.Info().Name)
		}
		if err != nil {
			return &linkError{s.link, err}
		}
		t.holds(s.link, what)
	}
	return nil
}

func (c *chain) launch(ctx context.Context) error {
	ctx, cancel := c.pace.sparing(ctx) // what does not get ready has to be ended, to say why
	defer cancel()
	var err error
	if c.sender, err = c.launcher.Launch(ctx, chainEndpoint, nil); err != nil {
		return err
	}
	c.opened = append(c.opened, c.sender.Close)
	return nil
}

// listen starts the receiver where the sender reaches it, as a run does.
func (c *chain) listen(ctx context.Context, l sender.Launcher) error {
	var at sender.Place
	if p, ok := l.(sender.Placer); ok {
		var err error
		if at, err = p.Place(ctx); err != nil {
			return err
		}
	}
	cfg := mockreceiver.Config{Quick: true, ListenIP: at.Listen, AdvertisedHost: at.Host}
	if id := c.contract.Identity; id != nil {
		cfg.IDHeader, cfg.IDBody = id.Header, id.Body
	}
	r, err := mockreceiver.New(cfg)
	if err != nil {
		return err
	}
	c.receiver = r
	c.opened = append(c.opened, r.Close)
	var lc net.ListenConfig
	nl, err := lc.Listen(ctx, "tcp", net.JoinHostPort(cmp.Or(at.Listen, "127.0.0.1"), "0"))
	if err == nil {
		err = r.Serve(nl, nil)
	}
	if t, ok := l.(sender.Truster); ok && err == nil && slices.Contains(l.Info().Abilities, string(sender.CanTrust)) {
		err = t.Trust(r.CA())
	}
	if err == nil {
		c.url, err = r.AddEndpoint(mockreceiver.Endpoint{Name: chainEndpoint})
	}
	return err
}

func (c *chain) register(ctx context.Context) (string, error) {
	var random [32]byte // as many as contract.NewSecret asks for
	rand.Read(random[:])
	ours, err := c.contract.NewSecret(random[:])
	if err != nil {
		return "", err
	}
	got, err := c.sender.RegisterEndpoint(ctx, sender.Endpoint{Name: chainEndpoint, URL: c.url, Secret: ours})
	if err != nil {
		return "", err
	}
	c.endpoint, c.secret = got.ID, ours
	what := fmt.Sprintf("endpoint %s, signing with our secret", got.ID)
	if got.Secret != "" {
		c.secret, what = got.Secret, fmt.Sprintf("endpoint %s, signing with the secret that the sender issued", got.ID)
	}
	if a, ok := c.driver.(adapterDriver); ok && c.contract.Signature != nil && !a.SharesKeys() {
		return "", fmt.Errorf("the contract promises signatures, but op register of %s neither hands ${endpoint.secret} over nor extracts secret", a.path)
	}
	if sig := c.contract.Signature; sig != nil {
		err = c.receiver.SetVerify(chainEndpoint, &mockreceiver.Verify{
			Scheme: sig.SchemeText(), Secrets: []string{c.secret}, Tolerance: sig.Tolerance,
		})
	}
	return what, err
}

// marker is one of ours, in the form that evidence.MarkerIn finds.
func marker() string {
	return evidence.MarkerPrefix + strings.ToLower(rand.Text())[:20]
}

func (c *chain) emit(ctx context.Context) (string, error) {
	kind := "order.created"
	if e := c.contract.Envelope; e != nil && len(e.Types) > 0 {
		kind = e.Types[0]
	}
	m := marker()
	c.event = sender.Event{
		Type: kind, Endpoint: c.endpoint, Object: "object_" + m,
		Data: json.RawMessage(fmt.Sprintf(`{"hookassay_marker":%q,"amount":1.50,"note":"a <&> ü"}`, m)),
	}
	got, err := c.sender.Emit(ctx, c.event)
	if err != nil {
		return "", err
	}
	c.id, c.accepted = got.ID, time.Now() //nolint:forbidigo // how long was waited is told
	if got.ID == "" {
		return kind + ", for which the sender gives no id", nil
	}
	return kind + ", event " + got.ID, nil
}

func (c *chain) arrive(ctx context.Context) (string, error) {
	waiting, cancel := c.pace.sparing(ctx) // the rest is for asking the sender why nothing came
	defer cancel()
	n, err := c.receiver.WaitFor(waiting, journal.Query{Endpoint: chainEndpoint, Limit: 1})
	if err != nil {
		return "", err
	}
	if n == 0 {
		waited := time.Since(c.accepted).Round(100 * time.Millisecond) //nolint:forbidigo // as above
		return "", fmt.Errorf("nothing reached %s within %s of the event%s; check that the sender can reach that address "+
			"(%s, a proxy, a list of allowed addresses), and that op register passes ${endpoint.url} on; a slow sender needs more than --within %s",
			c.url, waited, c.excuse(ctx), c.wayOut(), c.pace.within)
	}
	a, err := c.first(ctx)
	if err != nil {
		return "", err
	}
	what := c.url
	if evidence.MarkerIn(a.Body) != evidence.MarkerIn(c.event.Data) {
		what += "; its body does not hold the event's marker: let ${event.data} or ${event.marker} reach it, or events cannot be told apart"
	}
	return what, nil
}

// wayOut is what may keep a sender in a container from the receiver.
func (c *chain) wayOut() string {
	if a, ok := c.driver.(adapterDriver); ok && a.InContainers() {
		return "from inside of its container: container: receiver: listen and host say how"
	}
	return "a container"
}

// excuse is what the sender's own log says, if there is one.
func (c *chain) excuse(ctx context.Context) string {
	r, ok := c.sender.(sender.LogReader)
	if !ok || !c.sender.Has(sender.CanReadLog) || c.id == "" {
		return ""
	}
	l, err := r.DeliveryLog(ctx, sender.Delivery{Event: c.id, Endpoint: c.endpoint})
	switch {
	case err != nil:
		return "; its log: " + err.Error()
	case len(l.Attempts) > 0:
		last := l.Attempts[len(l.Attempts)-1]
		return fmt.Sprintf("; its log says: %s, attempt %d: %s %s", l.State, last.Number, last.Outcome, last.Error)
	}
	return fmt.Sprintf("; its log says: %s, no attempt yet", l.State)
}

func (c *chain) first(ctx context.Context) (*journal.Attempt, error) {
	list, err := c.receiver.Attempts(ctx, journal.Query{Endpoint: chainEndpoint, Limit: 1})
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

func (c *chain) verify(ctx context.Context) (string, error) {
	if c.contract.Signature == nil {
		return "none is promised (--contract names a contract that does)", nil
	}
	a, err := c.first(ctx)
	if err != nil {
		return "", err
	}
	if s := c.receiver.Signature(&a.Arrival); s.State == mockreceiver.SignatureVerified {
		return "verifies as " + c.contract.Signature.Scheme, nil
	}
	f, ok := c.receiver.Diagnose(&a.Arrival)
	if !ok {
		return "", errors.New("the request could not be read whole")
	}
	why := fmt.Sprintf("%s: %s", f.Reason, f.Detail)
	if f.OK() {
		why = fmt.Sprintf("signed at %s, which is out of tolerance", f.SignedAtText)
	}
	if len(f.Causes) > 0 {
		why += fmt.Sprintf("; cause: %v", f.Causes)
	}
	return "", errors.New(why)
}
