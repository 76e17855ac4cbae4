package refsender

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // the driver named in open
)

// store is the database: one connection that writes, several that read.
//
// Writers that come at the same time share a transaction (group commit); each waits until it is committed. synchronous is
// NORMAL: in WAL mode a committed transaction then survives the death of the process, since its pages are with the operating
// system. Only a loss of power could take the latest commits away, and no test of ours takes the power away.
type store struct {
	writer *sql.DB
	reader *sql.DB
	tx     *tx
	jobs   chan job
	quit   chan struct{}
	done   chan struct{}
}

type job struct {
	do   func(*tx) error
	done chan error
}

var errClosed = errors.New("the sender has stopped")

const (
	// A batch is cut here so that its first writer does not wait for ever: 64 small writes take about 10 ms.
	batchMax = 64
	// Log and dead letters are read now and then; four readers never keep one another waiting for long.
	readers = 4
)

func open(path string) (*store, error) {
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)&_pragma=synchronous(normal)"
	s := &store{jobs: make(chan job), quit: make(chan struct{}), done: make(chan struct{})}
	var err error
	if s.writer, err = sql.Open("sqlite", dsn); err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	conn, err := s.writer.Conn(context.Background())
	if err == nil {
		_, err = conn.ExecContext(context.Background(), schema)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.writer.Close())
	}
	if s.reader, err = sql.Open("sqlite", dsn); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), s.writer.Close())
	}
	s.reader.SetMaxOpenConns(readers)
	s.reader.SetMaxIdleConns(readers)
	s.tx = &tx{conn: conn, stmts: map[string]*sql.Stmt{}}
	go s.commitLoop()
	return s, nil
}

// close waits for the writes that have begun, refuses all others and closes the database.
func (s *store) close() error {
	close(s.quit)
	<-s.done
	return errors.Join(s.tx.close(), s.reader.Close(), s.writer.Close())
}

// write runs do in a transaction and returns when it is committed, or when do has returned an error and left no trace. do
// runs on the writer's goroutine, one at a time.
func (s *store) write(do func(*tx) error) error {
	j := job{do: do, done: make(chan error, 1)}
	select {
	case s.jobs <- j:
		return <-j.done
	case <-s.quit:
		return errClosed
	}
}

func (s *store) commitLoop() {
	defer close(s.done)
	for {
		select {
		case j := <-s.jobs:
			s.commit(s.gather(j))
		case <-s.quit:
			return
		}
	}
}

// gather takes the writers that are waiting already, without waiting for more.
func (s *store) gather(first job) []job {
	batch := []job{first}
	for len(batch) < batchMax {
		select {
		case j := <-s.jobs:
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

func (s *store) commit(batch []job) {
	errs := make([]error, len(batch))
	err := s.tx.exec("BEGIN IMMEDIATE")
	if err == nil {
		for i, j := range batch {
			errs[i] = s.tx.savepoint(j.do)
		}
		if err = s.tx.exec("COMMIT"); err != nil {
			err = errors.Join(err, s.tx.exec("ROLLBACK"))
		}
	}
	for i, j := range batch {
		if errs[i] == nil {
			errs[i] = err
		}
		j.done <- errs[i]
	}
}
