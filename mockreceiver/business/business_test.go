package business_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // registers the driver of that name

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

type rig struct {
	*business.Ledger
	t    *testing.T
	db   *sql.DB
	conn *sql.Conn
}

func open(t *testing.T) rig {
	t.Helper()
	ctx := context.Background()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "b.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l, err := business.Open(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, end := range []func() error{l.Close, conn.Close, db.Close} {
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	})
	return rig{l, t, db, conn}
}

func (r rig) exec(text string) {
	r.t.Helper()
	if _, err := r.conn.ExecContext(context.Background(), text); err != nil {
		r.t.Fatal(err)
	}
}

func (r rig) apply(endpoint, key string, fail bool, want string) {
	r.t.Helper()
	got, err := r.Apply(context.Background(), business.Event{Endpoint: endpoint, Key: key, Seq: 1}, fail)
	if err != nil || got.Result != want {
		r.t.Errorf("write of %s at %s: got %+v %v, want %q", key, endpoint, got, err, want)
	}
}

func (r rig) state(endpoint, key string, dedupe bool, orders int) {
	r.t.Helper()
	got, err := r.State(context.Background(), business.Event{Endpoint: endpoint, Key: key})
	if err != nil || got.Dedupe != dedupe || got.Rows != orders {
		r.t.Errorf("state of %s at %s: got %+v %v, want %v %d", key, endpoint, got, err, dedupe, orders)
	}
}

func TestOneEffectPerEventAndEndpoint(t *testing.T) {
	r := open(t)
	r.exec("BEGIN")
	r.apply("a", "evt", false, evidence.EffectCommitted)
	r.apply("a", "evt", false, evidence.EffectAbsorbed)
	r.apply("b", "evt", false, evidence.EffectCommitted)
	r.exec("COMMIT")
	r.state("a", "evt", true, 1)
	r.state("b", "evt", true, 1)
	r.state("c", "evt", false, 0)
}

func TestPlannedFailureRollsBackAloneAndCanSucceedLater(t *testing.T) {
	r := open(t)
	r.exec("BEGIN")
	r.apply("a", "other", false, evidence.EffectCommitted)
	r.apply("a", "evt", true, evidence.EffectRolledBack)
	r.exec("COMMIT")
	r.state("a", "evt", false, 0)
	r.state("a", "other", true, 1)
	r.exec("BEGIN")
	r.apply("a", "evt", false, evidence.EffectCommitted)
	r.apply("a", "evt", true, evidence.EffectAbsorbed)
	r.exec("COMMIT")
	r.state("a", "evt", true, 1)
}

func TestRollbackOfTheTransactionTakesTheWriteWithIt(t *testing.T) {
	r := open(t)
	r.exec("BEGIN")
	r.apply("a", "evt", false, evidence.EffectCommitted)
	r.exec("ROLLBACK")
	r.state("a", "evt", false, 0)
}

func TestUnplannedFailureIsAnError(t *testing.T) {
	r := open(t)
	r.exec("CREATE TRIGGER full BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'full'); END")
	r.exec("BEGIN")
	if got, err := r.Apply(context.Background(), business.Event{Endpoint: "a", Key: "evt"}, false); err == nil {
		t.Errorf("got %+v, want an error", got)
	}
	r.exec("ROLLBACK")
	r.exec("DROP TABLE orders")
	r.exec("BEGIN")
	if got, err := r.Apply(context.Background(), business.Event{Endpoint: "a", Key: "evt"}, true); err == nil {
		t.Errorf("without a table a planned failure gave %+v, want an error: it was not the planned one", got)
	}
	r.exec("ROLLBACK")
}
