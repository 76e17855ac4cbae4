package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Listener are the settings of a data listener beside the first, whose settings stand in Config.
type Listener struct {
	Name string // unique in the receiver, not empty; FirstListener is taken
	// Addr is the TCP address; empty: a free port on loopback. An IPv6 address stands in brackets: [::1]:0. localhost:0
	// means both families where the machine has both.
	Addr string
	// AdvertisedURL is the base URL told to senders. Empty: made of the address.
	AdvertisedURL string
	// TLS makes it speak TLS; nil: plain HTTP.
	TLS *TLS
	// HTTP2 offers HTTP/2 beside HTTP/1.1. It needs TLS.
	HTTP2 bool
	// Plan says how its connections begin, by their number. The zero value lets all begin as they should.
	Plan fault.ConnPlan
}

// listener is a Listener that listens.
type listener struct {
	Listener
	r    *Receiver
	addr net.Addr
	url  string
	tls  *tlsServer // nil: plain HTTP

	plan atomic.Pointer[connSteps] // nil: all begin as they should
	down downtime
}

// FirstListener is the name of the listener that Config describes, beside the empty one that the evidence has.
const FirstListener = "first"

// listeners holds a receiver's data listeners. The first has no name.
type listeners struct {
	mu   sync.RWMutex
	list []*listener
}

func (s *listeners) named(name string) *listener {
	if name == FirstListener {
		name = ""
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, l := range s.list {
		if l.Name == name {
			return l
		}
	}
	return nil
}

func (s *listeners) all() []*listener {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.list)
}

func (s *listeners) add(l *listener) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.list {
		if other.Name == l.Name {
			return errors.New("the name is taken")
		}
	}
	s.list = append(s.list, l)
	return nil
}

type unknownListenerError string

func (e unknownListenerError) Error() string {
	if e == "" {
		return "there is no data listener yet, call Serve first"
	}
	return fmt.Sprintf("listener %q: there is none of that name", string(e))
}

// ListenerURL is the base URL of a listener; an empty name is the first's.
func (r *Receiver) ListenerURL(name string) (string, error) {
	l := r.listeners.named(name)
	if l == nil {
		return "", unknownListenerError(name)
	}
	return l.url, nil
}

// AddListener makes a further data listener, which listens when it returns, and tells its base URL. Close ends it. Its
// requests are recorded as those of the first are, also where no endpoint lives on it.
func (r *Receiver) AddListener(ctx context.Context, settings Listener) (string, error) {
	switch settings.Name {
	case "":
		return "", errors.New("add listener: give it a name")
	case FirstListener:
		return "", fmt.Errorf("add listener %s: the name is taken", settings.Name)
	}
	if err := checkAdvertised(settings.AdvertisedURL); err != nil {
		return "", fmt.Errorf("add listener %s: %w", settings.Name, err)
	}
	addr := settings.Addr
	if addr == "" && r.cfg.ListenIP != "" {
		addr = net.JoinHostPort(r.cfg.ListenIP, "0")
	}
	list, err := listenOn(ctx, r.cfg.Network, addr)
	if err != nil {
		return "", fmt.Errorf("add listener %s: %w", settings.Name, err)
	}
	if settings.AdvertisedURL == "" {
		settings.AdvertisedURL = byName(settings.Addr, list[0].Addr(), settings.TLS)
	}
	l, err := r.newListener(settings, list[0])
	if err == nil {
		err = r.listeners.add(l)
	}
	for _, nl := range list {
		if err == nil {
			err = r.serveOn(l, nl)
		}
	}
	if err != nil {
		closeAll(list)
		return "", fmt.Errorf("add listener %s: %w", settings.Name, err)
	}
	return l.url, nil
}

// serveOn serves what the listener accepts, once its plan lets it.
func (r *Receiver) serveOn(l *listener, nl net.Listener) error {
	nl = &closedOnce{Listener: nl}
	l.down.add(nl)
	l.refuseNext()
	r.closing.RLock()
	defer r.closing.RUnlock()
	if r.ctx.Err() != nil {
		return errClosed
	}
	r.serve(r.data, wireListener{Listener: patientListener{nl, r}, of: l})
	return nil
}

// closedOnce is a listener that may be closed again: by the fault that takes it down, and by net/http.
type closedOnce struct {
	net.Listener
	once sync.Once
	err  error
}

func (l *closedOnce) Close() error {
	l.once.Do(func() { l.err = l.Listener.Close() })
	return l.err
}

// firstListener is the listener that Config describes, made of the first that Serve is called with.
func (r *Receiver) firstListener(nl net.Listener) (*listener, error) {
	if l := r.listeners.named(""); l != nil {
		return l, nil
	}
	l, err := r.newListener(Listener{AdvertisedURL: r.cfg.AdvertisedURL, TLS: r.cfg.TLS, HTTP2: r.cfg.HTTP2, Plan: r.cfg.ConnPlan}, nl)
	if err != nil {
		return nil, err
	}
	return l, r.listeners.add(l)
}

func (r *Receiver) newListener(settings Listener, nl net.Listener) (*listener, error) {
	l := &listener{Listener: settings, r: r, addr: nl.Addr(), url: settings.AdvertisedURL}
	if settings.HTTP2 && settings.TLS == nil {
		return nil, errors.New("HTTP/2 is agreed on in the TLS handshake: it needs TLS")
	}
	if l.url == "" {
		l.url = scheme(settings.TLS) + r.cfg.reached(l.addr)
	}
	if settings.TLS != nil {
		var err error
		if l.tls, err = r.newTLSServer(l); err != nil {
			return nil, err
		}
	}
	return l, l.setPlan(settings.Plan)
}
