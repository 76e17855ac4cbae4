package business

import (
	"context"
	"database/sql"
	"fmt"
)

// Counts tells how many events are in each state, of an endpoint or, without one, over all inboxes; a state without one is there
// with 0. Over all, what is open is counted on its own small index, and the rest is the difference, so that a full inbox answers
// in milliseconds.
func Counts(ctx context.Context, db *sql.DB, endpoint string) (map[State]int, error) {
	counts := map[State]int{}
	for _, s := range States() {
		counts[s] = 0
	}
	text, args := `SELECT state, count(*) FROM inbox WHERE state <> 'completed' GROUP BY state
		UNION ALL SELECT 'completed', (SELECT count(*) FROM inbox) - (SELECT count(*) FROM inbox WHERE state <> 'completed')`, []any(nil)
	if endpoint != "" {
		text, args = "SELECT state, count(*) FROM inbox WHERE endpoint = ? GROUP BY state", []any{endpoint}
	}
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("count the inbox: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s State
		var n int
		if err := rows.Scan(&s, &n); err != nil {
			return nil, fmt.Errorf("count the inbox: %w", err)
		}
		counts[s] = n
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("count the inbox: %w", err)
	}
	return counts, nil
}
