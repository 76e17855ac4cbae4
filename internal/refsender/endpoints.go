package refsender

import (
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
)

type endpointRequest struct {
	URL         string   `json:"url"`
	Secret      string   `json:"secret"`
	Types       []string `json:"types"`
	Tenant      string   `json:"tenant"`
	Environment string   `json:"environment"`

	Headers headers `json:"headers"`
}

type endpointAnswer struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"` // only if issued, and only in this answer
}

var errNoEndpoint = refuse(http.StatusNotFound, "there is no such endpoint")

func (s *Sender) postEndpoint(q *http.Request) (int, any, error) {
	if err := s.accepting(); err != nil {
		return 0, nil, err
	}
	var in endpointRequest
	if err := decode(q, &in); err != nil {
		return 0, nil, err
	}
	if err := errors.Join(checkURL(in.URL), checkEnvironment(in.Environment), in.Headers.check()); err != nil {
		return 0, nil, err
	}
	secret, issued, err := s.secret(in.Secret)
	if err != nil {
		return 0, nil, err
	}
	out := endpointAnswer{ID: newID(endpointPrefix), Secret: issued}
	var open []*delivery
	err = s.store.write(func(t *tx) error {
		if issued != "" {
			if secret, err = s.defect.issue(t, in, issued); err != nil {
				return err
			}
			out.Secret = secret
		}
		if err = in.insert(t, out.ID, secret); err != nil {
			return err
		}
		open, err = s.variant.greet(t, s, out.ID)
		return err
	})
	for _, d := range open {
		s.enqueue(d)
	}
	return http.StatusCreated, out, err
}

// insert writes down a new endpoint, which asks for all types if it names none.
func (in endpointRequest) insert(t *tx, id, secret string) error {
	if in.Types == nil {
		in.Types = []string{}
	}
	types, err := json.Marshal(in.Types)
	if err != nil {
		return err
	}
	custom, err := in.Headers.text()
	if err != nil {
		return err
	}
	keys, err := keyring{{Secret: secret}}.text()
	if err != nil {
		return err
	}
	return t.exec("INSERT INTO endpoints (id, url, keys, types, headers, tenant, environment) VALUES (?, ?, ?, ?, ?, ?, ?)",
		id, in.URL, keys, string(types), custom, in.Tenant, in.Environment)
}

// checkURL refuses what no request can be sent to, and credentials: they would be secrets that nothing keeps.
func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return refuse(http.StatusBadRequest, "url must be an absolute http or https URL")
	case u.User != nil:
		return refuse(http.StatusBadRequest, "url must not hold a user or password")
	}
	return nil
}

// checkEnvironment takes an environment, or none where it does not matter.
func checkEnvironment(name string) error {
	switch name {
	case "", "test", "live":
		return nil
	}
	return refuse(http.StatusBadRequest, "environment must be test or live")
}

// shownEndpoint is an endpoint as it can be read back. A secret is never among it.
type shownEndpoint struct {
	ID             string   `json:"id"`
	URL            string   `json:"url"`
	Types          []string `json:"types"` // empty: all
	Tenant         string   `json:"tenant"`
	Environment    string   `json:"environment"`
	State          string   `json:"state"`           // enabled or disabled
	DisabledReason string   `json:"disabled_reason"` // empty while enabled
	Secret         string   `json:"secret,omitempty"`
	Headers        headers  `json:"headers"`
}

func (s *Sender) getEndpoint(q *http.Request) (int, any, error) {
	id, err := variable(q, "endpoint")
	if err != nil {
		return 0, nil, err
	}
	out := shownEndpoint{ID: id}
	var types, keys, custom string
	err = s.store.reader.QueryRowContext(q.Context(), `SELECT url, types, keys, headers, tenant, environment,
		CASE state WHEN 'gone' THEN 'disabled' ELSE state END, reason FROM endpoints WHERE id = ? AND state <> 'deleted'`, id).
		Scan(&out.URL, &types, &keys, &custom, &out.Tenant, &out.Environment, &out.State, &out.DisabledReason)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, errNoEndpoint
	}
	if err == nil {
		err = json.Unmarshal([]byte(types), &out.Types)
	}
	if err == nil {
		out.Headers, err = parseHeaders(custom)
	}
	if err == nil {
		out.Secret, err = s.defect.shownSecret(keys)
	}
	return http.StatusOK, out, err
}
