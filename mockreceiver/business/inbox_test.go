package business_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

func queued(endpoint, key string, seq int64, now time.Time) business.Event {
	return business.Event{Endpoint: endpoint, Key: key, Seq: seq, Mode: business.Inbox, Type: "a.b", At: now}
}

// TestInboxInAnyOrder plays deliveries, copies, planned failures, tries that succeed, fail and are cut short by a kill, and retries by hand,
// in any order. At any moment each event is where the model has it, and in the end each event has been completed once, after
// a call with its own key.
func TestInboxInAnyOrder(t *testing.T) {
	r := open(t)
	rules, err := business.Worker{Tries: 2, Backoff: time.Second}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		m := &inboxModel{rig: r, rules: rules, endpoint: fmt.Sprint("e", run), now: at(1_700_000_000), state: map[string]business.State{}, due: map[string]time.Time{}, calls: map[string]int{}, completed: map[string]int{}}
		rt.Repeat(map[string]func(*rapid.T){
			"deliver": m.deliver, "claim": m.claim, "call": m.call, "complete": m.complete, "fail": m.fail, "kill": m.kill, "retry": m.retry, "": m.check,
		})
		m.finish(rt)
	})
}

type inboxModel struct {
	rig
	rules     business.Worker
	endpoint  string
	now       time.Time
	seq       int64
	open      []business.Task // under way
	called    []business.Task // under way, and the effect's call has succeeded
	state     map[string]business.State
	due       map[string]time.Time
	calls     map[string]int // of the effect, by idempotency key
	completed map[string]int
}

// do runs something in a transaction of its own.
func (m *inboxModel) do(rt *rapid.T, f func(context.Context) error) {
	m.exec("BEGIN")
	if err := f(context.Background()); err != nil {
		rt.Fatal(err)
	}
	m.exec("COMMIT")
}

func (m *inboxModel) deliver(rt *rapid.T) {
	key, fail := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "event"), rapid.Bool().Draw(rt, "fails")
	want := evidence.EffectQueued
	switch {
	case m.state[key] != "":
		want = evidence.EffectAbsorbed
	case fail:
		want = evidence.EffectRolledBack
	}
	m.seq++
	m.do(rt, func(ctx context.Context) error {
		got, err := m.Apply(ctx, queued(m.endpoint, key, m.seq, m.now), fail)
		if got.Result != want {
			rt.Fatalf("delivery of %s: got %+v, want %s", key, got, want)
		}
		return err
	})
	if want == evidence.EffectQueued {
		m.state[key] = business.Pending
	}
}

func (m *inboxModel) claim(rt *rapid.T) {
	m.now = m.now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute}).Draw(rt, "later"))
	m.do(rt, func(ctx context.Context) error {
		tasks, _, err := m.Claim(ctx, m.endpoint, m.now, rapid.IntRange(1, 3).Draw(rt, "hands"))
		for _, t := range tasks {
			if m.state[t.Event] != business.Pending || m.due[t.Event].After(m.now) {
				rt.Fatalf("claimed %s, which is %s and due at %s", t.Event, m.state[t.Event], m.due[t.Event])
			}
			m.state[t.Event] = business.Processing
			m.open = append(m.open, t)
		}
		return err
	})
}

// pick takes one out of a list, and skips the action if there is none.
func pick(rt *rapid.T, list *[]business.Task) business.Task {
	if len(*list) == 0 {
		rt.Skip("nothing is under way")
	}
	i := rapid.IntRange(0, len(*list)-1).Draw(rt, "which")
	t := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return t
}

func (m *inboxModel) call(rt *rapid.T) {
	t := pick(rt, &m.open)
	m.do(rt, func(ctx context.Context) error { return m.Call(ctx, t) })
	m.calls[t.IdempotencyKey]++
	m.called = append(m.called, t)
}

func (m *inboxModel) complete(rt *rapid.T) {
	t := pick(rt, &m.called)
	m.do(rt, func(ctx context.Context) error { return m.Complete(ctx, t, m.now) })
	m.state[t.Event] = business.Completed
	m.completed[t.Event]++
}

func (m *inboxModel) fail(rt *rapid.T) {
	t := pick(rt, &m.open)
	var due time.Time
	m.state[t.Event] = business.Dead
	if t.Try < m.rules.Tries {
		due = m.now.Add(m.rules.After(t.Try))
		m.state[t.Event], m.due[t.Event] = business.Pending, due
	}
	m.do(rt, func(ctx context.Context) error { return m.Fail(ctx, t, "no", m.now, due) })
}

// kill ends the worker's process wherever it is, and starts it again.
func (m *inboxModel) kill(rt *rapid.T) {
	if rapid.Bool().Draw(rt, "in a transaction") {
		m.exec("BEGIN")
		if _, _, err := m.Claim(context.Background(), m.endpoint, m.now, 9); err != nil {
			rt.Fatal(err)
		}
		m.exec("ROLLBACK")
	}
	for _, t := range append(m.open, m.called...) {
		m.state[t.Event] = business.Pending
	}
	m.open, m.called = nil, nil
	m.do(rt, func(ctx context.Context) error { return m.Recover(ctx, m.conn) })
}

func (m *inboxModel) items(rt *rapid.T) []business.Item {
	list, err := business.Items(context.Background(), m.db, business.Query{Endpoint: m.endpoint, Limit: 10})
	if err != nil {
		rt.Fatal(err)
	}
	return list
}

func (m *inboxModel) retry(rt *rapid.T) {
	for _, i := range m.items(rt) {
		m.do(rt, func(ctx context.Context) error {
			endpoint, err := m.Retry(ctx, i.ID, "by hand", m.now)
			if (endpoint == m.endpoint) != (i.State == business.Dead) {
				rt.Fatalf("retry of %s, which is %s: got %q", i.Event, i.State, endpoint)
			}
			return err
		})
		if i.State == business.Dead {
			m.state[i.Event], m.due[i.Event] = business.Pending, m.now
		}
	}
}

func (m *inboxModel) check(rt *rapid.T) {
	items := m.items(rt)
	if len(items) != len(m.state) {
		rt.Fatalf("%d events in the inbox, want %d", len(items), len(m.state))
	}
	for _, i := range items {
		if i.State != m.state[i.Event] {
			rt.Fatalf("%s is %s, want %s", i.Event, i.State, m.state[i.Event])
		}
		got, err := m.State(context.Background(), queued(m.endpoint, i.Event, 0, m.now))
		if err != nil || !got.Dedupe || got.Rows != m.completed[i.Event] {
			rt.Fatalf("%s: row %t, handled %d times %v, want %d", i.Event, got.Dedupe, got.Rows, err, m.completed[i.Event])
		}
	}
}

// finish lets the worker go on until all is done, and looks at what came of it.
func (m *inboxModel) finish(rt *rapid.T) {
	m.kill(rt)
	m.retry(rt)
	m.now = m.now.Add(time.Hour)
	m.do(rt, func(ctx context.Context) error {
		tasks, next, err := m.Claim(ctx, m.endpoint, m.now, 9)
		if !next.IsZero() {
			rt.Fatalf("something is left, due at %s", next)
		}
		m.open = tasks
		return err
	})
	for len(m.open) > 0 {
		m.call(rt)
		m.complete(rt)
	}
	m.check(rt)
	for event := range m.state {
		key := m.endpoint + "/" + event
		var calls int
		row := m.conn.QueryRowContext(context.Background(), "SELECT calls FROM external WHERE key = ?", key)
		if err := row.Scan(&calls); err != nil || calls != m.calls[key] || calls < 1 || m.completed[event] != 1 {
			rt.Fatalf("%s: %d calls %v, want %d; completed %d times, want once", event, calls, err, m.calls[key], m.completed[event])
		}
	}
}

func TestWorkerSettings(t *testing.T) {
	for name, w := range map[string]business.Worker{
		"tries":   {Tries: -1},
		"backoff": {Backoff: -1},
		"largest": {Backoff: time.Minute, MaxBackoff: time.Second},
	} {
		if _, err := w.WithDefaults(); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	w, err := business.Worker{Backoff: time.Second, MaxBackoff: 5 * time.Second}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	for tries, want := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 4: 5 * time.Second, 1000: 5 * time.Second} {
		if got := w.After(tries); got != want {
			t.Errorf("after %d tries: got %s, want %s", tries, got, want)
		}
	}
}

// TestInboxFailureThatNobodyPlanned is an error, so that no answer is built upon it.
func TestInboxFailureThatNobodyPlanned(t *testing.T) {
	r := open(t)
	r.exec("CREATE TRIGGER full BEFORE INSERT ON inbox BEGIN SELECT RAISE(ABORT, 'full'); END")
	r.exec("BEGIN")
	if got, err := r.Apply(context.Background(), queued("a", "evt", 1, at(1)), false); err == nil {
		t.Errorf("got %+v, want an error", got)
	}
	r.exec("ROLLBACK")
}

func TestForgottenEventsAreLetGo(t *testing.T) {
	r := open(t)
	ctx := context.Background()
	r.exec("BEGIN")
	if _, err := r.Apply(ctx, queued("a", "evt", 1, at(1)), false); err != nil {
		t.Fatal(err)
	}
	tasks, _, err := r.Claim(ctx, "a", at(1), 9)
	if err != nil || len(tasks) != 1 {
		t.Fatalf("claimed %v %v", tasks, err)
	}
	err = errors.Join(business.Forget(ctx, r.conn, "a"), r.Complete(ctx, tasks[0], at(2)))
	// A new event takes the row's number, and the old task must not touch it.
	_, again := r.Apply(ctx, queued("a", "evt", 2, at(3)), false)
	if fresh, _, err := r.Claim(ctx, "a", at(3), 9); err != nil || len(fresh) != 1 {
		t.Fatalf("claimed %v %v", fresh, err)
	}
	if err := errors.Join(err, again, r.Complete(ctx, tasks[0], at(4))); err != nil {
		t.Fatal(err)
	}
	r.exec("COMMIT")
	items, err := business.Items(ctx, r.db, business.Query{Limit: 10, State: business.Processing})
	if err != nil || len(items) != 1 || items[0].Seq != 2 {
		t.Errorf("got %+v %v, want the new event, processing", items, err)
	}
}
