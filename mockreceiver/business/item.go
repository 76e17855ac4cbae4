package business

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Item is an event in an inbox, for people to look at.
type Item struct {
	ID       int64     `json:"id"`
	Endpoint string    `json:"endpoint"`
	Event    string    `json:"event"` // its id within its endpoint and tenant
	Seq      int64     `json:"seq"`   // of the request that brought it
	Type     string    `json:"type,omitempty"`
	State    State     `json:"state"`
	Tries    int       `json:"tries"`    // that came to an end, since the last retry by hand
	Failures int       `json:"failures"` // failed ones in all
	Retries  int       `json:"retries"`  // by hand
	Due      time.Time `json:"due,omitzero"`
	Received time.Time `json:"received"`
	Changed  time.Time `json:"changed"`
	Failure  string    `json:"failure,omitempty"` // why the last try failed
	Reason   string    `json:"reason,omitempty"`  // of the last retry by hand
}

// Query selects items.
type Query struct {
	Endpoint string // empty: all
	Event    string // empty: all
	State    State  // empty: all
	After    int64  // only IDs beyond this
	Limit    int    // at most so many; must be positive
}

// Items returns events of inboxes by ascending ID.
func Items(ctx context.Context, db *sql.DB, q Query) ([]Item, error) {
	where, args := "id > ?", []any{q.After}
	if q.Endpoint != "" {
		where, args = where+" AND endpoint = ?", append(args, q.Endpoint)
	}
	if q.Event != "" {
		where, args = where+" AND event = ?", append(args, q.Event)
	}
	if q.State != "" {
		where, args = where+" AND state = ?", append(args, string(q.State))
		if q.State != Completed {
			where += " AND state <> 'completed'" // which is what lets the index answer
		}
	}
	rows, err := db.QueryContext(ctx, `SELECT id, endpoint, event, seq, type, state, tries, failures, retries, due, received, changed, failure, reason
		FROM inbox WHERE `+where+" ORDER BY id LIMIT ?", append(args, q.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("read the inbox: %w", err)
	}
	defer rows.Close()
	list := []Item{}
	for rows.Next() {
		var i Item
		var due, received, changed int64
		if err := rows.Scan(&i.ID, &i.Endpoint, &i.Event, &i.Seq, &i.Type, &i.State, &i.Tries, &i.Failures, &i.Retries,
			&due, &received, &changed, &i.Failure, &i.Reason); err != nil {
			return nil, fmt.Errorf("read the inbox: %w", err)
		}
		i.Received, i.Changed = time.Unix(0, received).UTC(), time.Unix(0, changed).UTC()
		if i.State == Pending {
			i.Due = time.Unix(0, due).UTC()
		}
		list = append(list, i)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the inbox: %w", err)
	}
	return list, nil
}
