package httpapi_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The tests' own sender: the test binary, started again with fake as its first argument. It has the reference sender's API
// and keeps its state in a file, but promises nothing beyond what driver tests need: it signs nothing, and what it retries is
// gone with the process.

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "fake" {
		if err := fakeMain(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// Defects of the fake sender, one for each thing that sendertest.Exercise must notice.
const (
	defectDeaf    = "deaf"           // accepts events and delivers none
	defectReplay  = "replay-nothing" // accepts replays and delivers none
	defectForgets = "forgets"        // starts with an empty state
	defectSameID  = "same-id"        // gives every event the same id
	defectLenient = "lenient"        // answers for events that never were
	defectNoDead  = "no-dead"        // writes no dead letters

	defectRotateDead  = "rotate-dead"   // delivers nothing any more after a rotation
	defectRevokeDead  = "revoke-dead"   // nor after a revocation
	defectNoSecret    = "no-secret"     // issues no secret
	defectOneSecret   = "one-secret"    // issues the same secret to everybody
	defectKeepsOld    = "keeps-old"     // issues a secret at a registration only
	defectPending     = "pending"       // goes on with pending events of a disabled or deleted endpoint
	defectDisable     = "disable"       // does not disable
	defectEnable      = "enable"        // does not enable
	defectDelete      = "delete"        // does not delete
	defectUnreadable  = "unreadable"    // lets nobody read an endpoint
	defectRange       = "range-nothing" // accepts the replay of a range and replays nothing
	defectAllRanges   = "all-ranges"    // replays all, whatever the range
	defectPhantom     = "phantom"       // delivers what was rolled back
	defectOneEndpoint = "one-endpoint"  // delivers an event to the first endpoint that matches
	defectNoFilter    = "no-filter"     // does not look at types
	defectNoTenant    = "no-tenant"     // does not look at tenants
	defectMixes       = "mixes"         // does not look at environments
	defectNoHeaders   = "no-headers"    // sends no headers of endpoints
)

// stalls is no defect but a busy machine: the third probe is answered 500 ms late.
const stalls = "stalls"

type fakeSender struct {
	file   string
	defect string
	mu     sync.Mutex
	state  fakeState
	work   sync.WaitGroup
	ending chan struct{} // closed when retries are to end
}

type fakeState struct {
	Endpoints  map[string]*fakeEndpoint
	Deliveries map[string]*fakeDelivery
	Objects    map[string]json.RawMessage
}

type fakeEndpoint struct {
	URL, Secret, Tenant, Environment string
	Types                            []string
	Headers                          map[string]string
	Disabled, Dead                   bool
}

type fakeDelivery struct {
	Event    string           `json:"event"`
	Endpoint string           `json:"endpoint"`
	State    string           `json:"state"`
	Failure  string           `json:"last_failure"`
	Next     *time.Time       `json:"next_attempt"`
	Attempts []map[string]any `json:"attempts"`
	Payload  string           `json:"payload"`
	Accepted time.Time        `json:"accepted"`
}

func fakeMain(file, defect string) error {
	s := &fakeSender{file: file, defect: defect, ending: make(chan struct{}), state: fakeState{
		Endpoints: map[string]*fakeEndpoint{}, Deliveries: map[string]*fakeDelivery{}, Objects: map[string]json.RawMessage{},
	}}
	text, err := os.ReadFile(file)
	if err == nil && defect != defectForgets {
		err = json.Unmarshal(text, &s.state)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: s.routes()}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		close(s.ending)
		_ = server.Close()
	}()
	fmt.Printf("ready http://%s\n", l.Addr())
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	s.work.Wait()
	return nil
}

func (s *fakeSender) routes() http.Handler {
	mux := http.NewServeMux()
	var probes atomic.Int64
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {
		if probes.Add(1) == 3 && s.defect == stalls {
			<-time.After(500 * time.Millisecond)
		}
	})
	mux.HandleFunc("POST /crash", func(http.ResponseWriter, *http.Request) {
		fmt.Fprint(os.Stderr, "crashing as asked")
		os.Exit(5)
	})
	mux.HandleFunc("POST /v1/endpoints", s.register)
	mux.HandleFunc("POST /v1/events", s.emit)
	mux.HandleFunc("GET /v1/events/{event}/deliveries/{endpoint}", s.log)
	mux.HandleFunc("POST /v1/events/{event}/deliveries/{endpoint}/replay", s.replay)
	mux.HandleFunc("GET /v1/endpoints/{endpoint}/dead-letters", s.dead)
	mux.HandleFunc("PUT /v1/objects/{object}", s.object)
	s.endpointRoutes(mux)
	return mux
}

func say(w http.ResponseWriter, status int, value any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func refuse(w http.ResponseWriter, status int, why string) {
	say(w, status, map[string]string{"error": why})
}

// save makes the state outlive a kill. The caller holds the lock.
func (s *fakeSender) save() {
	text, err := json.Marshal(s.state)
	if err == nil {
		err = os.WriteFile(s.file+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(s.file+".new", filepath.Clean(s.file))
	}
	if err != nil {
		panic(err)
	}
}

func (s *fakeSender) register(w http.ResponseWriter, q *http.Request) {
	var in struct {
		URL, Secret, Tenant, Environment string
		Types                            []string
		Headers                          map[string]string
	}
	if json.NewDecoder(q.Body).Decode(&in) != nil || in.URL == "" {
		refuse(w, http.StatusBadRequest, "url is missing; the secret was "+in.Secret)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := "ep_" + rand.Text()
	e := &fakeEndpoint{URL: in.URL, Tenant: in.Tenant, Environment: in.Environment, Types: in.Types, Headers: in.Headers}
	s.state.Endpoints[id] = e
	out := map[string]string{"id": id}
	if issued := s.key(e, in.Secret); issued != "" {
		out["secret"] = issued
	}
	s.save()
	say(w, http.StatusCreated, out)
}

// key gives e a secret and returns it if it was issued. The caller holds the lock.
func (s *fakeSender) key(e *fakeEndpoint, given string) (issued string) {
	again := e.Secret != ""
	e.Secret = given
	if given != "" || s.defect == defectNoSecret || again && s.defect == defectKeepsOld {
		return ""
	}
	e.Secret = "issued-" + rand.Text()
	if s.defect == defectOneSecret {
		e.Secret = "issued-to-everybody"
	}
	return e.Secret
}

// find returns the delivery that the path names, or answers that there is none.
func (s *fakeSender) find(w http.ResponseWriter, q *http.Request) *fakeDelivery {
	d := s.state.Deliveries[q.PathValue("event")+"/"+q.PathValue("endpoint")]
	if d == nil && s.defect == defectLenient {
		return &fakeDelivery{State: "pending", Attempts: []map[string]any{}}
	}
	if d == nil {
		refuse(w, http.StatusNotFound, "there is no such delivery")
	}
	return d
}

func (s *fakeSender) log(w http.ResponseWriter, q *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.find(w, q); d != nil {
		say(w, http.StatusOK, d)
	}
}

func (s *fakeSender) replay(w http.ResponseWriter, q *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.find(w, q)
	if d == nil {
		return
	}
	if e := s.state.Endpoints[d.Endpoint]; s.defect != defectReplay && e != nil {
		s.work.Go(func() { s.deliver(d, e, "replay") })
	}
	w.WriteHeader(http.StatusAccepted)
}

func (s *fakeSender) dead(w http.ResponseWriter, q *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	endpoint := q.PathValue("endpoint")
	if s.state.Endpoints[endpoint] == nil {
		refuse(w, http.StatusNotFound, "there is no such endpoint")
		return
	}
	letters := []map[string]any{}
	for _, d := range s.state.Deliveries {
		if d.Endpoint != endpoint || d.State != "dead-lettered" || s.defect == defectNoDead {
			continue
		}
		letters = append(letters, map[string]any{
			"event": d.Event, "endpoint": endpoint, "reason": "permanent", "hint": "check the URL", "attempts": len(d.Attempts),
			"last_status": 400, "last_error": "", "payload": d.Payload, "dead_at": time.Now(), "replays": []any{},
		})
	}
	say(w, http.StatusOK, map[string]any{"dead_letters": letters})
}

func (s *fakeSender) object(w http.ResponseWriter, q *http.Request) {
	var in struct{ Data json.RawMessage }
	if json.NewDecoder(q.Body).Decode(&in) != nil || in.Data == nil {
		refuse(w, http.StatusBadRequest, "data is missing")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Objects[q.PathValue("object")] = in.Data
	s.save()
	w.WriteHeader(http.StatusNoContent)
}
