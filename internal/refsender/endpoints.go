package refsender

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
)

type endpointRequest struct {
	URL         string   `json:"url"`
	Secret      string   `json:"secret"`
	Types       []string `json:"types"`
	Tenant      string   `json:"tenant"`
	Environment string   `json:"environment"`
}

type endpointAnswer struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"` // only if issued, and only in this answer
}

func (s *Sender) postEndpoint(q *http.Request) (int, any, error) {
	if err := s.accepting(); err != nil {
		return 0, nil, err
	}
	var in endpointRequest
	if err := decode(q, &in); err != nil {
		return 0, nil, err
	}
	if err := checkURL(in.URL); err != nil {
		return 0, nil, err
	}
	out := endpointAnswer{ID: newID(endpointPrefix)}
	if in.Secret == "" && s.scheme != nil {
		var err error
		if out.Secret, err = s.newSecret(); err != nil {
			return 0, nil, err
		}
		in.Secret = out.Secret
	}
	if err := s.usable(in.Secret); err != nil {
		return 0, nil, refuse(http.StatusBadRequest, "secret cannot sign by scheme %s: %v", s.scheme.ID(), err)
	}
	types, err := json.Marshal(in.Types)
	if err != nil {
		return 0, nil, err
	}
	err = s.store.write(func(t *tx) error {
		return t.exec("INSERT INTO endpoints (id, url, secret, types, tenant, environment) VALUES (?, ?, ?, ?, ?, ?)",
			out.ID, in.URL, in.Secret, string(types), in.Tenant, in.Environment)
	})
	return http.StatusCreated, out, err
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

// matching returns the endpoints that get an event: the one it names, or all of its tenant; the type filter holds for both.
func matching(t *tx, e eventRequest) ([]string, error) {
	var all []string
	var named, disabled bool
	scan := func(rows *sql.Rows) error {
		var id, types string
		if err := rows.Scan(&id, &types, &disabled); err != nil {
			return err
		}
		named = true
		var filter []string
		if err := json.Unmarshal([]byte(types), &filter); err != nil {
			return err
		}
		if !disabled && (len(filter) == 0 || slices.Contains(filter, e.Type)) {
			all = append(all, id)
		}
		return nil
	}
	if e.Endpoint == "" {
		return all, t.each("SELECT id, types, disabled FROM endpoints WHERE tenant = ?", []any{e.Tenant}, scan)
	}
	err := t.each("SELECT id, types, disabled FROM endpoints WHERE id = ? AND (tenant = ? OR ? = '')",
		[]any{e.Endpoint, e.Tenant, e.Tenant}, scan)
	switch {
	case err == nil && !named:
		err = refuse(http.StatusNotFound, "there is no such endpoint")
	case err == nil && disabled:
		err = refuse(http.StatusConflict, "the endpoint is disabled")
	}
	return all, err
}
