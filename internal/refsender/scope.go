package refsender

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"slices"
)

// everyType in a filter subscribes to all types, as an empty filter does.
const everyType = "*"

// wants tells whether a type filter lets an event's type through.
func wants(filter []string, kind string) bool {
	return len(filter) == 0 || slices.Contains(filter, everyType) || slices.Contains(filter, kind)
}

// matching returns the endpoints that get an event: the one it names, or all that are enabled in its tenant and environment;
// the type filter holds for both.
func (s *Sender) matching(t *tx, e eventRequest) ([]string, error) {
	var all []string
	var state string // of the last one seen
	scan := func(rows *sql.Rows) error {
		var id, types string
		if err := rows.Scan(&id, &types, &state); err != nil {
			return err
		}
		var filter []string
		if err := json.Unmarshal([]byte(types), &filter); err != nil {
			return err
		}
		if state == endpointEnabled && (wants(filter, e.Type) || s.defect.unfiltered()) {
			all = append(all, id)
		}
		return nil
	}
	if e.Endpoint == "" {
		err := t.each("SELECT id, types, state FROM endpoints WHERE tenant = ? AND environment = ? AND state = 'enabled'",
			[]any{e.Tenant, e.Environment}, scan)
		return all, err
	}
	err := t.each(`SELECT id, types, state FROM endpoints WHERE id = ?1 AND state <> 'deleted'
		AND (tenant = ?2 OR ?2 = '') AND (environment = ?3 OR ?3 = '')`, []any{e.Endpoint, e.Tenant, e.Environment}, scan)
	switch {
	case err != nil:
		return nil, err
	case state == "":
		return nil, errNoEndpoint
	case state != endpointEnabled:
		return nil, refuse(http.StatusConflict, "the endpoint is disabled")
	}
	return all, nil
}
