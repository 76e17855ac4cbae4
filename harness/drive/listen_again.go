package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver"
)

// kept is what a run keeps of its receiver beside the journal.
type kept struct {
	Listen string `json:"listen"` // address
	URL    string `json:"url"`    // base URL that senders were told
}

func (p *player) placeFile() string { return filepath.Join(p.setup.State, "receiver.json") }

// keepPlace notes where the receiver listens.
func (p *player) keepPlace(l net.Listener) error {
	if !p.keeping() {
		return nil
	}
	text, err := json.Marshal(kept{Listen: l.Addr().String(), URL: p.receiver.DataURL()})
	if err != nil {
		return err
	}
	return os.WriteFile(p.placeFile(), text, 0o600)
}

func (p *player) recallPlace() (k kept, err error) {
	text, err := os.ReadFile(p.placeFile())
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		err = fmt.Errorf("what was kept of the run is not whole (%w); begin a new run", err)
	}
	return k, err
}

// gate is a listener whose connections wait until it is open, so that no request comes before its endpoint is there.
type gate struct {
	net.Listener
	open chan struct{}
	shut chan struct{}
}

func (g *gate) Accept() (net.Conn, error) {
	select {
	case <-g.open:
	case <-g.shut:
		return nil, net.ErrClosed
	}
	return g.Listener.Accept()
}

func (g *gate) Close() error {
	select {
	case <-g.shut:
	default:
		close(g.shut)
	}
	return g.Listener.Close()
}

// listenAgain brings the receiver back where the sender knows it. Nothing is written to the evidence before all of it is there.
func (p *player) listenAgain(ctx context.Context) (err error) {
	k, err := p.lookBack()
	if err != nil {
		return err
	}
	if err := p.receive(sender.Place{}); errors.Is(err, mockreceiver.ErrInUse) {
		return errors.New("the run goes on in another process just now")
	} else if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.receiver.Close())
		}
	}()
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", k.Listen)
	if err != nil {
		return fmt.Errorf("listen for deliveries where the sender knows us: %w; free that address, or begin a new run", err)
	}
	g := &gate{Listener: l, open: make(chan struct{}), shut: make(chan struct{})}
	if err := p.receiver.Serve(g, nil); err != nil {
		return err
	}
	if err := p.restore(k.URL); err != nil {
		return err
	}
	p.say()
	close(g.open)
	p.measure(ctx)
	return nil
}

// restore brings back the endpoints and the plans of their events, except those of scenarios that are played anew.
func (p *player) restore(base string) error {
	e := p.before
	for i := range e.ends {
		ep := &e.ends[i]
		if !strings.HasPrefix(ep.URL, base+"/") || e.parts[ep.Scenario] == acting {
			continue
		}
		if _, err := p.receiver.AddEndpoint(mockreceiver.Endpoint{
			Name: ep.Name, Scenario: ep.Scenario, Fields: &mockreceiver.Fields{}, Handshake: p.handshake(lastSecret(ep)),
		}); err != nil {
			return err
		}
	}
	// What cannot come back lived on listeners of scenarios' own, which are over or played anew. The journal is ahead of the evidence,
	// and may have an endpoint of a scenario of which that knows nothing.
	back, err := p.receiver.Restore()
	for _, name := range back {
		for scenario, at := range e.parts {
			if own := dotted(scenario); (at == acting || at == unbegun) && (name == own || strings.HasPrefix(name, own+".")) {
				if err := p.receiver.RemoveEndpoint(name); err != nil {
					return err
				}
			}
		}
	}
	for i := range e.run.Acts {
		a := &e.run.Acts[i]
		if a.Act == evidence.ActEmit && a.Endpoint != "" && e.parts[a.Scenario] == waiting && !slices.Contains(back, a.Endpoint) {
			return errors.Join(fmt.Errorf("the journal has no plans of endpoint %s; begin a new run", a.Endpoint), err)
		}
	}
	return p.recallKeys()
}

// lastSecret is the endpoint's latest key; empty if the sender issued it.
func lastSecret(ep *evidence.Endpoint) string {
	if n := len(ep.Secrets); n > 0 {
		return ep.Secrets[n-1].Value
	}
	return ""
}
