package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
)

// lockSuffix names the empty file beside a journal on which its writer holds a lock.
const lockSuffix = "-lock"

// writerLock is the right to write to a journal. Two writers would number their requests alike, and each would answer the
// other's sender with errors that nobody planned.
type writerLock struct {
	db   *sql.DB
	conn *sql.Conn
}

// ErrInUse is wrapped by the error of Open for a file that another Journal has open.
var ErrInUse = errors.New("another receiver writes to it")

// Free tells whether no Journal has the file at path open; if one has, the error wraps ErrInUse.
func Free(ctx context.Context, path string) error {
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file
	}
	l, err := takeLock(ctx, path)
	if err != nil {
		return fmt.Errorf("journal %s: %w", path, err)
	}
	return l.release()
}

// takeLock takes the lock at once or refuses. It is SQLite's lock of a second file: every system has it, and the system
// releases it when the process ends, however it ends. The journal's own file cannot be locked, since readers would wait.
func takeLock(ctx context.Context, path string) (*writerLock, error) {
	db, err := sql.Open("sqlite", address(path+lockSuffix, "busy_timeout(0)"))
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	l := &writerLock{db, conn}
	const busy = 5 // SQLITE_BUSY
	if _, err := conn.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		if c, ok := errors.AsType[coded](err); ok && c.Code()&0xff == busy {
			err = fmt.Errorf("%w: give each receiver a file of its own, and read one when its receiver has ended", ErrInUse)
		}
		return nil, errors.Join(err, l.release())
	}
	return l, nil
}

func (l *writerLock) release() error { return errors.Join(l.conn.Close(), l.db.Close()) }

// address is the driver's name for the file at path.
func address(path string, pragmas ...string) string {
	dsn := url.URL{
		Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: url.Values{"_pragma": pragmas}.Encode(),
	}
	return dsn.String()
}
