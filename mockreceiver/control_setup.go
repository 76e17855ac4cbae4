package mockreceiver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/mockreceiver/business"
)

// setupJSON is how an endpoint verifies and handles events, as the API takes and shows it.
type setupJSON struct {
	Verify   *verifyJSON   `json:"verify,omitempty"`
	Business business.Mode `json:"business,omitempty"`
	Types    []string      `json:"types,omitempty"`
	Fields   *Fields       `json:"fields,omitempty"`
	Worker   *workerJSON   `json:"worker,omitempty"` // of an inbox
	// Handshake is what the provider asks before it delivers.
	Handshake *handshakeJSON `json:"handshake,omitempty"`
}

type workerJSON struct {
	Tries      int    `json:"tries,omitempty"`
	Backoff    string `json:"backoff,omitempty"`
	MaxBackoff string `json:"max_backoff,omitempty"`
	Timeout    string `json:"timeout,omitempty"`
	FailFirst  int    `json:"fail_first,omitempty"`
}

type verifyJSON struct {
	Scheme    string      `json:"scheme"`
	Secrets   secretsJSON `json:"secrets"`
	Tolerance string      `json:"tolerance,omitempty"`
	Reject    bool        `json:"reject"`
	// Missing tells that the secrets were not kept over a restart and are to be given again. It is only shown.
	Missing bool `json:"secrets_missing,omitempty"`
}

// secretsJSON goes in as a list of texts and comes out as their number.
type secretsJSON []string

// MarshalJSON implements json.Marshaler.
func (s secretsJSON) MarshalJSON() ([]byte, error) { return json.Marshal(len(s)) }

func (e *endpoint) setupJSON() setupJSON {
	s := setupJSON{Business: e.Business, Types: e.Types, Fields: e.Fields, Handshake: e.greeter.shown()}
	if w := e.Worker; e.Business == business.Inbox {
		s.Worker = &workerJSON{w.Tries, w.Backoff.String(), w.MaxBackoff.String(), w.Timeout.String(), w.FailFirst}
	}
	if v := e.verify.Load(); v != nil {
		s.Verify = &verifyJSON{Scheme: v.Scheme, Secrets: v.Secrets, Tolerance: v.Tolerance.String(), Reject: v.Reject, Missing: v.sealed}
	}
	return s
}

// setup fills in an endpoint.
func (s setupJSON) setup(e *Endpoint) (err error) {
	e.Business, e.Types, e.Fields, e.Handshake = s.Business, s.Types, s.Fields, s.Handshake.settings()
	if s.Verify != nil {
		if e.Verify, err = s.Verify.settings(); err != nil {
			return err
		}
	}
	if s.Worker != nil {
		e.Worker, err = s.Worker.settings()
	}
	return err
}

func (w workerJSON) settings() (business.Worker, error) {
	out := business.Worker{Tries: w.Tries, FailFirst: w.FailFirst}
	for _, d := range []struct {
		text string
		to   *time.Duration
	}{{w.Backoff, &out.Backoff}, {w.MaxBackoff, &out.MaxBackoff}, {w.Timeout, &out.Timeout}} {
		var err error
		if *d.to, err = time.ParseDuration(d.text); err != nil && d.text != "" {
			return out, fmt.Errorf("worker: %q: want a duration such as 1s", d.text)
		}
	}
	return out, nil
}

func (v verifyJSON) settings() (*Verify, error) {
	out := &Verify{Scheme: v.Scheme, Secrets: v.Secrets, Reject: v.Reject}
	if v.Tolerance == "" {
		return out, nil
	}
	var err error
	if out.Tolerance, err = time.ParseDuration(v.Tolerance); err != nil {
		return nil, fmt.Errorf("verify: tolerance %q: want a duration such as 5m", v.Tolerance)
	}
	return out, nil
}

// setVerify takes all that is to hold from now on, and answers with the endpoint. A rotation gives both secrets, and later
// the new one alone.
func (c control) setVerify(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	var in verifyJSON
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	v, err := in.settings()
	if err != nil {
		return 0, nil, fmt.Errorf("set verify at %s: %w", name, err)
	}
	if err := c.r.SetVerify(name, v); err != nil {
		return 0, nil, err
	}
	return c.showEndpoint(req)
}

func (c control) endVerify(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	return http.StatusNoContent, nil, c.r.SetVerify(name, nil)
}
