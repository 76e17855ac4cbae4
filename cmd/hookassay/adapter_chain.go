package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
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
	within   time.Duration
	out      io.Writer // each link is told as soon as it is known

	receiver *mockreceiver.Receiver
	sender   sender.Instance
	url      string // of the endpoint
	secret   string // that it signs with
	endpoint string // the sender's id of it
	event    sender.Event
	id       string // the sender's id of the event
}

// chainEndpoint is the receiver's name of the endpoint.
const chainEndpoint = "adapter-check"

// preparer is a launcher that has images to fetch or to build, which is not counted as a part of the walk.
type preparer interface {
	Prepare(ctx context.Context) error
}

// try walks the links. The error is a verdictError once the broken link was named, or bad input.
func (c *chain) try(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "hookassay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // temporary, and the walk is over
	engine, end, err := containersOf(ctx, c.driver)
	if err != nil {
		return err
	}
	defer end() //nolint:errcheck // what it leaves are images, and the walk is over
	launcher, err := c.driver.launcher(ctx, driverOptions{contract: c.contract, vars: c.vars, dir: dir, calls: c.within / 3, engine: engine})
	if err != nil {
		return err
	}
	if p, ok := launcher.(preparer); ok {
		if err := p.Prepare(ctx); err != nil {
			return c.broken(linkReachable, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, c.within)
	defer cancel()
	if err := c.listen(ctx, launcher); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.receiver.Close()) }()
	if c.sender, err = launcher.Launch(ctx, chainEndpoint, nil); err != nil {
		return c.broken(linkReachable, err)
	}
	defer func() { err = errors.Join(err, c.sender.Close()) }()
	return c.deliver(ctx, launcher.Info().Name)
}

// deliver walks the links behind a sender that was launched, or is there.
func (c *chain) deliver(ctx context.Context, name string) error {
	reached := false
	for _, s := range []struct {
		link string
		do   func(context.Context) (string, error)
	}{
		{linkRegistered, c.register}, {linkAccepted, c.emit}, {linkArrives, c.arrive}, {linkSignature, c.verify},
	} {
		what, err := s.do(ctx)
		if errors.Is(err, httpapi.ErrUnreachable) {
			return c.broken(linkReachable, err)
		}
		if !reached {
			c.holds(linkReachable, name)
			reached = true
		}
		if err != nil {
			return c.broken(s.link, err)
		}
		c.holds(s.link, what)
	}
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
	if err != nil {
		return errors.Join(err, r.Close())
	}
	return nil
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
	c.id = got.ID
	if got.ID == "" {
		return kind + ", for which the sender gives no id", nil
	}
	return kind + ", event " + got.ID, nil
}

// spare is what is left of the walk's time for asking the sender why nothing came.
const spare = 1500 * time.Millisecond

func (c *chain) arrive(ctx context.Context) (string, error) {
	end, _ := ctx.Deadline()
	waiting, cancel := context.WithDeadline(ctx, end.Add(-min(spare, c.within/4)))
	defer cancel()
	n, err := c.receiver.WaitFor(waiting, journal.Query{Endpoint: chainEndpoint, Limit: 1})
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", fmt.Errorf("nothing reached %s within the %s that the walk may take%s; check that the sender can reach that address "+
			"(%s, a proxy, a list of allowed addresses), and that op register passes ${endpoint.url} on",
			c.url, c.within, c.excuse(ctx), c.wayOut())
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
