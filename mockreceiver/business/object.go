package business

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// The state of an object is what the newest event said of it. Which event is newer is told by the object's version, if both
// have one that is a whole number, else by when they were created.
const objectSchema = `
CREATE TABLE IF NOT EXISTS object (
	endpoint  TEXT NOT NULL,
	name      TEXT NOT NULL, -- tenant, resource and id
	event     TEXT NOT NULL, -- that the state is of
	seq       INTEGER NOT NULL,
	created   INTEGER,       -- unix ns
	version   INTEGER,
	PRIMARY KEY (endpoint, name)
) WITHOUT ROWID;
`

// Object says which object an event is about, and since when it is so. The zero value: the event does not tell.
type Object struct {
	Tenant string
	// Resource is the part of the type before its last dot: the payment and the invoice of one order are two objects.
	Resource string
	ID       string
	// Version is the object's, as the event has it. Only whole numbers have an order.
	Version string
	// Created is when the event says it happened; zero: it does not.
	Created time.Time
}

// name is unique in an endpoint; empty: there is no object.
func (o Object) name() string {
	if o.ID == "" {
		return ""
	}
	return fmt.Sprintf("%q %q %q", o.Tenant, o.Resource, o.ID)
}

// created is nil where the time is not told, or lies outside of what 64 bits of ns since 1970 can say.
func (o Object) created() any {
	ns := o.Created.UnixNano()
	if o.Created.IsZero() || !time.Unix(0, ns).Equal(o.Created) {
		return nil
	}
	return ns
}

func (o Object) version() any {
	n, err := strconv.ParseInt(o.Version, 10, 64)
	if err != nil {
		return nil
	}
	return n
}

// objects keeps the newest state of each object.
type objects struct {
	put quick
	get *sql.Stmt
}

func (s *objects) open(ctx context.Context, conn *sql.Conn) error {
	err := s.put.prepare(ctx, conn, `INSERT INTO object (endpoint, name, event, seq, created, version) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET event = excluded.event, seq = excluded.seq, created = excluded.created, version = excluded.version
		WHERE iif(excluded.version <> version, excluded.version > version, excluded.created > created)`)
	if err != nil {
		return err
	}
	return prepare(ctx, conn, map[**sql.Stmt]string{
		&s.get: `SELECT event, coalesce(iif(?3 <> version, ?3 < version, ?4 < created), 0)
			FROM object WHERE endpoint = ?1 AND name = ?2`,
	})
}

// apply lets the event set the state of its object, unless the state is newer, or nothing tells.
func (s *objects) apply(ctx context.Context, e Event) (Done, error) {
	name := e.Object.name()
	if name == "" {
		return Done{Result: evidence.EffectCommitted}, nil
	}
	set, err := s.put.exec(ctx, e.Endpoint, name, e.Key, e.Seq, e.Object.created(), e.Object.version())
	if err != nil || set {
		return Done{Result: evidence.EffectCommitted}, err
	}
	var event string
	var older bool
	if err := s.get.QueryRowContext(ctx, e.Endpoint, name, e.Object.version(), e.Object.created()).Scan(&event, &older); err != nil {
		return Done{}, fmt.Errorf("read object %s: %w", name, err)
	}
	if older {
		return Done{evidence.EffectSuperseded, fmt.Sprintf("the state by event %s is newer and was kept", event)}, nil
	}
	return Done{evidence.EffectConflict, fmt.Sprintf("nothing tells which is newer, and the state by event %s was kept", event)}, nil
}
