package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// Setting is what was set for an endpoint, or for one event of it. The journal does not read it.
type Setting struct {
	Endpoint string
	Event    string // empty: it is the endpoint's own
	Record   []byte
}

// Settings returns all that is kept, an endpoint's own before those of its events.
func (j *Journal) Settings(ctx context.Context) ([]Setting, error) {
	rows, err := j.db.QueryContext(ctx, "SELECT endpoint, event, record FROM setting ORDER BY endpoint, event")
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	defer rows.Close()
	var list []Setting
	for rows.Next() {
		var s Setting
		if err := rows.Scan(&s.Endpoint, &s.Event, &s.Record); err != nil {
			return nil, fmt.Errorf("read settings: %w", err)
		}
		list = append(list, s)
	}
	return list, rows.Err()
}

// KeepSetting stores a setting in place of what there is, or removes it where it has no record. Without its own setting nothing
// of an endpoint is kept.
func KeepSetting(ctx context.Context, conn *sql.Conn, s Setting) error {
	text, args := "INSERT OR REPLACE INTO setting (endpoint, event, record) VALUES (?, ?, ?)", []any{s.Endpoint, s.Event, s.Record}
	switch {
	case s.Record == nil && s.Event == "":
		text, args = "DELETE FROM setting WHERE endpoint = ?", args[:1]
	case s.Record == nil:
		text, args = "DELETE FROM setting WHERE endpoint = ? AND event = ?", args[:2]
	}
	if _, err := conn.ExecContext(ctx, text, args...); err != nil {
		return fmt.Errorf("keep the settings of %s: %w", s.Endpoint, err)
	}
	return nil
}

// ForgetEvents removes the settings of an endpoint's events.
func ForgetEvents(ctx context.Context, conn *sql.Conn, endpoint string) error {
	if _, err := conn.ExecContext(ctx, "DELETE FROM setting WHERE endpoint = ? AND event <> ''", endpoint); err != nil {
		return fmt.Errorf("forget the settings of the events of %s: %w", endpoint, err)
	}
	return nil
}
