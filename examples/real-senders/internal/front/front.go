// Package front gives a sender that is only a library the API that a harness needs: endpoints and events over HTTP.
package front

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
)

// Event is what is to be sent.
type Event struct {
	ID       string          `json:"-"`
	Type     string          `json:"type"`
	Endpoint string          `json:"endpoint"`
	Data     json.RawMessage `json:"data"`
}

// Sender sends one event to a URL and returns when it is delivered or given up. Each call has a goroutine of its own.
type Sender func(e Event, url string) error

// server keeps the endpoints, in memory: what these libraries send is lost with the process as well.
type server struct {
	send Sender
	mu   sync.Mutex
	urls map[string]string
}

// Serve listens on loopback, says where, and serves until it fails.
func Serve(send Sender) error {
	s := &server{send: send, urls: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /endpoints", s.register)
	mux.HandleFunc("POST /events", s.emit)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("ready http://%s\n", l.Addr())
	return http.Serve(l, mux)
}

func (s *server) register(w http.ResponseWriter, r *http.Request) {
	var in struct {
		URL string `json:"url"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.URL == "" {
		http.Error(w, "want {url}", http.StatusBadRequest)
		return
	}
	id := rand.Text()
	s.mu.Lock()
	s.urls[id] = in.URL
	s.mu.Unlock()
	answer(w, http.StatusCreated, id)
}

func (s *server) emit(w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	url, ok := s.urls[e.Endpoint]
	s.mu.Unlock()
	if !ok {
		http.Error(w, "no such endpoint", http.StatusNotFound)
		return
	}
	e.ID = rand.Text()
	go func() {
		if err := s.send(e, url); err != nil {
			log.Printf("event %s: %v", e.ID, err)
		}
	}()
	answer(w, http.StatusAccepted, e.ID)
}

func answer(w http.ResponseWriter, status int, id string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"id": id})
}
