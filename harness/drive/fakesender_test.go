package drive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// fakeSender is a sender within the test: it posts each event until it gets a 2xx, five times at most, without any waits.
type fakeSender struct {
	abilities []sender.Ability
	refuse    error  // what Emit answers
	issues    string // the secret that it issues
	greets    func(url, secret string) error
	w         sender.Watcher
	client    http.Client

	mu     sync.Mutex
	events int
	urls   map[string]string
	work   sync.WaitGroup
}

// launcher launches fake senders, or fails.
type launcher struct {
	make func() *fakeSender
	err  error

	mu       sync.Mutex
	launched []string
	last     *fakeSender
}

func (l *launcher) Info() evidence.Sender {
	as := []string{}
	for _, a := range l.make().abilities {
		as = append(as, string(a))
	}
	return evidence.Sender{Name: "fake", Driver: "go", Abilities: as}
}

func (l *launcher) Launch(_ context.Context, name string, w sender.Watcher) (sender.Instance, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.launched = append(l.launched, name)
	if l.err != nil {
		return nil, l.err
	}
	s := l.make()
	s.w, s.urls = w, map[string]string{}
	l.last = s
	return s, nil
}

func (s *fakeSender) Has(a sender.Ability) bool   { return slices.Contains(s.abilities, a) }
func (s *fakeSender) Stop(context.Context) error  { return nil }
func (s *fakeSender) Kill(context.Context) error  { return nil }
func (s *fakeSender) Start(context.Context) error { return nil }
func (s *fakeSender) Close() error                { s.work.Wait(); s.client.CloseIdleConnections(); return nil }

func (s *fakeSender) RegisterEndpoint(_ context.Context, e sender.Endpoint) (sender.Registered, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.urls[e.Name] = e.URL
	if s.greets != nil {
		if err := s.greets(e.URL, e.Secret); err != nil {
			return sender.Registered{}, err
		}
	}
	if e.Secret == "" {
		return sender.Registered{ID: e.Name, Secret: s.issues}, nil
	}
	return sender.Registered{ID: e.Name}, nil
}

func (s *fakeSender) Emit(_ context.Context, e sender.Event) (sender.Emitted, error) {
	if s.refuse != nil {
		return sender.Emitted{}, s.refuse
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	id, url := fmt.Sprintf("evt_%d", s.events), s.urls[e.Endpoint]
	body := fmt.Appendf(nil, `{"id":%q,"type":%q,"data":%s}`, id, e.Type, e.Data)
	s.work.Go(func() { s.deliver(url, body) })
	return sender.Emitted{ID: id}, nil
}

func (s *fakeSender) deliver(url string, body []byte) {
	for range 5 {
		res, err := s.client.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			continue
		}
		_ = res.Body.Close()
		if res.StatusCode/100 == 2 {
			return
		}
	}
}

func (s *fakeSender) DeliveryLog(context.Context, sender.Delivery) (evidence.LogEntry, error) {
	return evidence.LogEntry{State: evidence.StateDelivered}, nil
}

func (s *fakeSender) DeadLetters(context.Context, string) ([]evidence.DeadLetter, error) {
	return nil, nil
}

var errRefused = errors.New("queue full")
