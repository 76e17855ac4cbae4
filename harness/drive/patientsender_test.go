package drive_test

import (
	"context"
	"errors"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// patientSender runs on while nobody drives it: it posts each event once when it is emitted, and once more when it is driven again.
type patientSender struct {
	fakeSender
	keeps error
	owed  [][2]string // URL and body
	left  int
}

func (s *patientSender) Info() evidence.Sender {
	return evidence.Sender{Name: "patient", Driver: "go"}
}
func (s *patientSender) Keeps() error { return s.keeps }
func (s *patientSender) Leave() error { s.left++; s.client.CloseIdleConnections(); return nil }

func (s *patientSender) Launch(_ context.Context, _ string, w sender.Watcher) (sender.Instance, error) {
	s.w, s.urls = w, map[string]string{}
	return s, nil
}

func (s *patientSender) Relaunch(_ context.Context, _ string, w sender.Watcher) (sender.Instance, error) {
	s.w = w
	for _, p := range s.owed {
		s.post(p[0], p[1])
	}
	return s, nil
}

func (s *patientSender) Emit(_ context.Context, e sender.Event) (sender.Emitted, error) {
	s.mu.Lock()
	url, body := s.urls[e.Endpoint], `{"data":`+string(e.Data)+`}`
	s.owed = append(s.owed, [2]string{url, body})
	s.mu.Unlock()
	s.post(url, body)
	return sender.Emitted{ID: "evt_" + evidence.MarkerIn(e.Data)}, nil
}

func (s *patientSender) post(url, body string) {
	res, err := s.client.Post(url, "application/json", strings.NewReader(body))
	if err == nil {
		_ = res.Body.Close()
	}
}

// launchedSenders are patient senders of several names, of which one does not come back.
type launchedSenders struct {
	patientSender
	dead   string
	others chan struct{} // closed when another one is back
	made   map[string]*oneSender
}

type oneSender struct {
	patientSender
	closed int
}

func (s *oneSender) Close() error { s.closed++; return s.patientSender.Close() }

func (s *launchedSenders) Info() evidence.Sender {
	return evidence.Sender{Name: "launched", Driver: "go", Abilities: []string{string(sender.CanLaunch)}}
}

func (s *launchedSenders) Launch(ctx context.Context, name string, w sender.Watcher) (sender.Instance, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := &oneSender{}
	s.made[name] = one
	_, err := one.Launch(ctx, name, w)
	return one, err
}

func (s *launchedSenders) Relaunch(ctx context.Context, name string, w sender.Watcher) (sender.Instance, error) {
	if name == s.dead {
		<-s.others
		return nil, errors.New("its port is taken")
	}
	defer close(s.others)
	one := s.made[name]
	_, err := one.Relaunch(ctx, name, w)
	return one, err
}
