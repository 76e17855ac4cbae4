// Package journal keeps everything that a receiver received and did, on disk, in an SQLite file.
//
// One Writer writes; it works inside transactions that its caller opens and ends, so that business writes can share them.
// Readers have connections of their own and see what was committed.
package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite" // registers the driver of that name, too
)

// version is the schema's number in the file. It changes when an old reader would misread a new file.
const version = 2

const schema = `
CREATE TABLE arrival (
	seq      INTEGER PRIMARY KEY,
	endpoint TEXT NOT NULL,
	key      TEXT NOT NULL,
	attempt  INTEGER NOT NULL,
	head     BLOB NOT NULL,
	body     BLOB NOT NULL,
	record   BLOB NOT NULL -- the evidence record without head and body, JSON
);
CREATE INDEX arrival_endpoint ON arrival (endpoint, seq);
CREATE TABLE outcome (seq INTEGER PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE effect (seq INTEGER PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE trouble (id INTEGER PRIMARY KEY, record BLOB NOT NULL);
`

// connections is made in any file that has not got it: a reader that does not know it misses nothing else.
const connections = "CREATE TABLE IF NOT EXISTS connection (id INTEGER PRIMARY KEY, record BLOB NOT NULL)"

// settings is made likewise.
const settings = `CREATE TABLE IF NOT EXISTS setting (
	endpoint TEXT NOT NULL,
	event    TEXT NOT NULL, -- '': what is set for the endpoint itself
	record   BLOB NOT NULL, -- JSON
	PRIMARY KEY (endpoint, event)
) WITHOUT ROWID`

// indexes are made in any file that has not got them: they change nothing that a reader could misread. The second one finds
// the earlier requests of an event, without which its attempts could not be told apart when they are read; the third one the
// few requests that took no step of a plan, which counts leave out.
const indexes = "CREATE INDEX IF NOT EXISTS arrival_event ON arrival (endpoint, key, seq);" +
	"CREATE INDEX IF NOT EXISTS arrival_stepless ON arrival (endpoint, key, seq) WHERE attempt = 0"

// Journal is an open file. Its methods are safe for concurrent use.
type Journal struct {
	path    string
	db      *sql.DB
	lock    *writerLock
	carrier *checkpointer

	statements statements
}

// Sync says what a commit survives. The values are those of SQLite.
type Sync string

// What a commit survives.
const (
	Full   Sync = "FULL"   // the end of the machine: a commit waits for the disk
	Normal Sync = "NORMAL" // the end of the process: nobody waits for the disk
)

// Open opens the file at path and makes it if it is not there. The caller closes the journal. A file that another Journal has
// open, of this process or another, is refused. It has the SQLite driver sync with fdatasync, in all of the process.
func Open(ctx context.Context, path string, sync Sync) (*Journal, error) {
	// A commit is as safe as with fsync, which also writes the file's times and for that waits for the file system's journal:
	// 0.9 ms became 0.15, and one in ten 4 ms became 0.8. SQLite's own builds do so where there is fdatasync; where there is
	// none nothing changes.
	_, _ = sqlite.Fdatasync(true)
	// SQLite follows a link too: without that the lock beside it would be another one than beside the file.
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file
	}
	if err := oneName(path); err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	// WAL lets readers go on while the writer commits. FULL makes a commit reach the disk; grouped, it costs nothing over
	// NORMAL. 5 s of waiting for a lock covers a reader of another process that checkpoints.
	// Checkpoints are made by a goroutine of our own. 2 MB of pages are enough for a reader; the writer takes more.
	db, err := sql.Open("sqlite", address(path,
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous("+string(sync)+")", "wal_autocheckpoint(0)", "cache_size(-2000)"))
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	// One connection is the writer's and one carries over the log; three serve readers, more than that a person and a script
	// never need at once.
	db.SetMaxOpenConns(5)
	j := &Journal{path: path, db: db}
	if err := j.prepare(ctx); err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, errors.Join(Advised(path, "a journal", err), db.Close()))
	}
	if j.lock, err = takeLock(ctx, path); err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, errors.Join(err, db.Close()))
	}
	if j.carrier, err = startCheckpointer(ctx, db); err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, errors.Join(err, db.Close(), j.lock.release()))
	}
	return j, nil
}

// prepare makes the schema in a new file and refuses a file that is not ours.
func (j *Journal) prepare(ctx context.Context) error {
	var have, tables int
	if err := j.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if err := j.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	switch {
	case have == version:
		_, err := j.db.ExecContext(ctx, connections+"; "+settings+"; "+indexes)
		return err
	case have != 0 && j.holdsArrivals(ctx):
		return fmt.Errorf("is a journal of version %d, and this hookassay reads version %d: read it with the hookassay that wrote it, or give another file", have, version)
	case have != 0 || tables != 0:
		return fmt.Errorf("holds something else than a journal of version %d: give another file", version)
	}
	_, err := j.db.ExecContext(ctx, fmt.Sprintf("BEGIN; %s %s; %s; %s; PRAGMA user_version = %d; COMMIT", schema, connections, settings, indexes, version))
	return err
}

// holdsArrivals tells a journal of another version from a file that is none of ours.
func (j *Journal) holdsArrivals(ctx context.Context) bool {
	var n int
	err := j.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('arrival', 'outcome', 'effect')").Scan(&n)
	return err == nil && n == 3
}

// Trouble puts into words why an open journal cannot be read or written; other errors stay as they are. Whoever writes goes on once
// there is room again.
func (j *Journal) Trouble(err error) error {
	switch {
	case err == nil:
		return nil
	case isFull(err):
		return fmt.Errorf("no space left on the disk of %s: free space, and it goes on", j.path)
	case isDamaged(err):
		return fmt.Errorf("journal %s: %w", j.path, errDamaged)
	}
	return err
}

// errDamaged is what SQLite finds by a look at a page and may find late: a file can be opened, and be damaged further on.
var errDamaged = errors.New("is damaged or was cut short: give a copy of it that is whole, or another file")

// coded is an error of SQLite's.
type coded interface {
	error
	Code() int
}

func isFull(err error) bool {
	// SQLITE_FULL, SQLITE_IOERR_SHMSIZE (no room for the index of the log, which is what a start meets first).
	const full, noIndex = 13, 4874
	c, ok := errors.AsType[coded](err)
	return errors.Is(err, syscall.ENOSPC) || ok && (c.Code()&0xff == full || c.Code() == noIndex)
}

func isDamaged(err error) bool {
	const corrupt = 11 // SQLITE_CORRUPT, with all its kinds
	c, ok := errors.AsType[coded](err)
	return ok && c.Code()&0xff == corrupt
}

// Advised puts into words what SQLite says by a number of the file at path, which was to be kind, a journal say; other errors stay as they are.
func Advised(path, kind string, err error) error {
	const notADatabase = 26 // SQLITE_NOTADB
	if at, missing := os.Stat(filepath.Dir(path)); missing != nil || !at.IsDir() {
		return fmt.Errorf("there is no folder %s: make it first", filepath.Dir(path))
	}
	c, ok := errors.AsType[coded](err)
	switch {
	case isFull(err):
		return fmt.Errorf("no space left on the disk of %s: free space and start again", path)
	case isDamaged(err):
		return errDamaged
	case ok && c.Code() == notADatabase:
		return fmt.Errorf("holds something else than %s: give another file, or a new one", kind)
	}
	return err
}

// Conn returns a connection for the one writer, which releases it.
func (j *Journal) Conn(ctx context.Context) (*sql.Conn, error) { return j.db.Conn(ctx) }

// Writer returns the one writer, which works on conn. The caller closes it before it releases conn.
func (j *Journal) Writer(ctx context.Context, conn *sql.Conn) (*Writer, error) {
	return newWriter(ctx, conn, j.carrier)
}

// Reader lends the connections of readers, for tables that are not the journal's.
func (j *Journal) Reader() *sql.DB { return j.db }

// Close closes the file. The writer must have ended.
func (j *Journal) Close() error {
	return errors.Join(j.carrier.stop(), j.db.Close(), j.lock.release())
}
