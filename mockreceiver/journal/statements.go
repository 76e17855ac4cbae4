package journal

import (
	"context"
	"database/sql"
	"sync"
)

// statements are prepared once, since a page of requests asks fifty times for the history of an event, and reading such a
// statement costs as much as running it. There are as many as there are forms of Query: a few dozen.
type statements struct {
	mu     sync.Mutex
	byText map[string]*sql.Stmt
}

// query runs a statement that is kept.
func (j *Journal) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	stmt, err := j.statements.prepare(ctx, j.db, text)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (s *statements) prepare(ctx context.Context, db *sql.DB, text string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.byText[text]; stmt != nil {
		return stmt, nil
	}
	stmt, err := db.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if s.byText == nil {
		s.byText = map[string]*sql.Stmt{}
	}
	s.byText[text] = stmt // the end of db ends it
	return stmt, nil
}
