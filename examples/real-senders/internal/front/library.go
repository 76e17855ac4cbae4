package front

import (
	"context"
	"fmt"
	"log"
	"sync"
)

// Library makes a Sender of what sends one event to a URL and returns when it is delivered or given up. Each event has a goroutine of
// its own. Nothing is kept: what such libraries send is lost with the process as well.
func Library(send func(e Event, url string) error) Sender {
	return &library{send: send, urls: map[string]string{}}
}

type library struct {
	send func(e Event, url string) error
	mu   sync.Mutex
	urls map[string]string
}

func (l *library) Register(id, url string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.urls[id] = url
	return nil
}

func (l *library) Emit(_ context.Context, e Event) error {
	l.mu.Lock()
	url, ok := l.urls[e.Endpoint]
	l.mu.Unlock()
	if !ok {
		return fmt.Errorf("no endpoint %q", e.Endpoint)
	}
	go func() {
		if err := l.send(e, url); err != nil {
			log.Printf("event %s: %v", e.ID, err)
		}
	}()
	return nil
}
