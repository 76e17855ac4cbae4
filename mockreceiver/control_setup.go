package mockreceiver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/business"
)

// setupJSON is how an endpoint verifies and handles events, as the API takes and shows it.
type setupJSON struct {
	Verify   *verifyJSON   `json:"verify,omitempty"`
	Business business.Mode `json:"business,omitempty"`
	Types    []string      `json:"types,omitempty"`
	Fields   *Fields       `json:"fields,omitempty"`
}

type verifyJSON struct {
	Scheme    string      `json:"scheme"`
	Secrets   secretsJSON `json:"secrets"`
	Tolerance string      `json:"tolerance,omitempty"`
	Reject    bool        `json:"reject"`
}

// secretsJSON goes in as a list of texts and comes out as their number.
type secretsJSON []string

// MarshalJSON implements json.Marshaler.
func (s secretsJSON) MarshalJSON() ([]byte, error) { return json.Marshal(len(s)) }

func (e *endpoint) setupJSON() setupJSON {
	s := setupJSON{Business: e.Business, Types: e.Types, Fields: e.Fields}
	if v := e.verify.Load(); v != nil {
		s.Verify = &verifyJSON{Scheme: v.Scheme, Secrets: v.Secrets, Tolerance: v.Tolerance.String(), Reject: v.Reject}
	}
	return s
}

// setup fills in an endpoint.
func (s setupJSON) setup(e *Endpoint) (err error) {
	e.Business, e.Types, e.Fields = s.Business, s.Types, s.Fields
	if s.Verify != nil {
		e.Verify, err = s.Verify.settings()
	}
	return err
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
	name, err := pathVar(req, "name")
	if err != nil {
		return 0, nil, err
	}
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
	name, err := pathVar(req, "name")
	if err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, c.r.SetVerify(name, nil)
}
