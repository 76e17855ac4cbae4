package business

import (
	"context"
	"database/sql"
	"fmt"
)

// Received is an event that the business tables hold, with the request that brought it.
type Received struct {
	Endpoint, Event string
	Seq             int64 // of the request
	Mode            Mode
	Kept
}

// Newest reads the newest events of each kind, at most limit of each. It is for those that were committed just before a process
// ended.
func Newest(ctx context.Context, conn *sql.Conn, limit int) ([]Received, error) {
	rows, err := conn.QueryContext(ctx, `
		SELECT o.endpoint, o.event, d.seq, ?2, 1, (SELECT count(*) FROM orders WHERE endpoint = o.endpoint AND event = o.event)
			FROM (SELECT endpoint, event FROM orders ORDER BY id DESC LIMIT ?1) o
			JOIN dedupe d ON d.endpoint = o.endpoint AND d.event = o.event
		UNION ALL
		SELECT endpoint, event, seq, ?3, 1, state = ?4 FROM (SELECT * FROM inbox ORDER BY id DESC LIMIT ?1)`,
		limit, string(Transaction), string(Inbox), string(Completed))
	if err != nil {
		return nil, fmt.Errorf("read the newest events: %w", err)
	}
	defer rows.Close()
	var list []Received
	for rows.Next() {
		var r Received
		if err := rows.Scan(&r.Endpoint, &r.Event, &r.Seq, &r.Mode, &r.Dedupe, &r.Rows); err != nil {
			return nil, fmt.Errorf("read the newest events: %w", err)
		}
		list = append(list, r)
	}
	return list, rows.Err()
}
