package mockreceiver

import (
	"fmt"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/handshake"
)

// Handshake says which handshake of a provider an endpoint answers.
type Handshake = handshake.Settings

// What Outcome.Fault says of a request that was no attempt but a handshake.
const (
	// FaultHandshake is for one that was answered as the provider wants it.
	FaultHandshake = "handshake"
	// FaultHandshakeRefused is for one whose signature, token or challenge was not in order.
	FaultHandshakeRefused = "handshake-refused"
)

// greeter is a handshake that is ready for use. A nil one answers none.
type greeter struct {
	Handshake
	kind   *handshake.Kind
	own    *verifier // nil: the endpoint's Verify stands for it
	sealed bool      // it came back from the journal, which keeps no secrets
}

// newGreeter checks the settings. verify is what the endpoint goes by otherwise; nil: nothing.
func newGreeter(h *Handshake, verify *Verify) (*greeter, error) {
	if h == nil {
		return nil, nil // to answer none is no failure
	}
	kind, err := h.Check()
	if err != nil {
		return nil, err
	}
	g := &greeter{Handshake: *h, kind: kind}
	g.Secrets = append([]string(nil), h.Secrets...)
	switch {
	case kind.Scheme != "" && len(h.Secrets) > 0:
		if g.own, err = newVerifier(&Verify{Scheme: kind.Scheme, Secrets: h.Secrets}); err != nil {
			return nil, fmt.Errorf("handshake %s: %w", h.Name, err)
		}
	case kind.Proof == handshake.MustSign && verify == nil:
		return nil, fmt.Errorf("handshake %s: its requests are signed: give it a secret, or the endpoint one to verify with", h.Name)
	}
	return g, nil
}

// asks tells whether a request is the handshake.
func (g *greeter) asks(r *handshake.Request) bool { return g != nil && g.kind.Asks(r) }

// byHead tells whether a request is the handshake as far as its head can tell.
func (g *greeter) byHead(head evidence.Head) bool {
	return g != nil && g.kind.ByHead() && g.kind.Asks(&handshake.Request{Method: head.Method, Target: head.Target, Header: head.Get})
}

// greet finds out whether the request is the handshake of its endpoint, which is no attempt of an event, and what it gets.
func (x *exchange) greet(head evidence.Head, payload []byte) bool {
	a := x.arrival
	if x.endpoint == nil || x.picked || a.BodyErr != "" || len(payload) > handshake.MaxBody {
		return false
	}
	g := x.endpoint.greeter
	ask := &handshake.Request{Method: head.Method, Target: head.Target, Header: head.Get, Body: func(pointer string) string {
		text, _ := lookup(payload, pointer)
		return text
	}}
	if !g.asks(ask) {
		return false
	}
	a.Handshake, a.Key, a.KeyFrom = g.Name, "handshake:"+g.Name, "handshake"
	reply, ok := handshake.Unsigned(), false
	if s, proven := g.proven(x.endpoint, head, a); proven {
		reply, ok = g.kind.Answer(&s, ask)
	}
	x.greeting = &reply
	x.greeted = FaultHandshakeRefused
	if ok {
		x.greeted = FaultHandshake
	}
	return true
}

// proven tells whether the signature of a handshake is in order, and returns the settings with the secrets that it goes by.
func (g *greeter) proven(e *endpoint, head evidence.Head, a *evidence.Arrival) (Handshake, bool) {
	s := g.Handshake
	if g.sealed {
		return s, false
	}
	if g.kind.Scheme == "" {
		return s, true
	}
	v := g.own
	if v == nil {
		v = e.verify.Load()
	}
	if v == nil {
		return s, g.kind.Proof == handshake.MaySign
	}
	s.Secrets = v.Secrets
	return s, v.check(e, head, a).State == SignatureVerified
}

// answerHandshake sends what the handshake gets.
func (x *exchange) answerHandshake(r fault.Reply) {
	x.out.Fault = x.greeted
	x.Reply(r)
}

// handshakeJSON is a handshake as the control API takes and shows it.
type handshakeJSON struct {
	Name    string      `json:"name"`
	Secrets secretsJSON `json:"secrets,omitempty"`
	Only    string      `json:"only,omitempty"`
	Rate    int         `json:"rate,omitempty"`
	// Missing tells that the secrets were not kept over a restart. It is only shown.
	Missing bool `json:"secrets_missing,omitempty"`
}

// shown is nil for an endpoint without a handshake.
func (g *greeter) shown() *handshakeJSON {
	if g == nil {
		return nil
	}
	return &handshakeJSON{Name: g.Name, Secrets: g.Secrets, Only: g.Only, Rate: g.Rate, Missing: g.sealed}
}

func (h *handshakeJSON) settings() *Handshake {
	if h == nil {
		return nil
	}
	return &Handshake{Name: h.Name, Secrets: h.Secrets, Only: h.Only, Rate: h.Rate}
}

// kept is what the journal keeps: all but the secrets.
func (h *handshakeJSON) kept() *handshakeJSON {
	if h == nil {
		return nil
	}
	own := *h
	own.Missing, own.Secrets = own.Missing || len(own.Secrets) > 0, nil
	return &own
}

// restored is a handshake that came back from the journal. Without the secrets that it had it refuses everything.
func (h *handshakeJSON) restored() (*greeter, error) {
	if h == nil {
		return nil, nil // there was none
	}
	kind, err := handshake.Lookup(h.Name)
	if err != nil {
		return nil, err
	}
	return &greeter{Handshake: *h.settings(), kind: kind, sealed: h.Missing}, nil
}
