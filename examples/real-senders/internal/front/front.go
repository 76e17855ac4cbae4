// Package front gives a sender that has no API of this kind the one that a harness needs: endpoints and events over HTTP.
package front

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
)

// Event is what is to be sent.
type Event struct {
	ID       string          `json:"-"` // made here
	Type     string          `json:"type"`
	Endpoint string          `json:"endpoint"` // the id of one
	Marker   string          `json:"marker"`   // for a sender that takes no data of others
	Data     json.RawMessage `json:"data"`
}

// Sender is what stands behind the API. It is safe for concurrent use.
type Sender interface {
	// Register takes an endpoint by an id that is unique.
	Register(id, url string) error
	// Emit returns when the sender has accepted the event.
	Emit(ctx context.Context, e Event) error
}

// Serve listens on loopback, says where, and serves until it fails.
func Serve(s Sender) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /endpoints", func(w http.ResponseWriter, r *http.Request) { register(s, w, r) })
	mux.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) { emit(s, w, r) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("ready http://%s\n", l.Addr())
	return http.Serve(l, mux)
}

func register(s Sender, w http.ResponseWriter, r *http.Request) {
	var in struct {
		URL string `json:"url"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.URL == "" {
		http.Error(w, "want {url}", http.StatusBadRequest)
		return
	}
	id := rand.Text()
	if err := s.Register(id, in.URL); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusCreated, id)
}

func emit(s Sender, w http.ResponseWriter, r *http.Request) {
	var e Event
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	e.ID = rand.Text()
	if err := s.Emit(r.Context(), e); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	answer(w, http.StatusAccepted, e.ID)
}

func answer(w http.ResponseWriter, status int, id string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"id": id})
}
