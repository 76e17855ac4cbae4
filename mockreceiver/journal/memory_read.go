package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Attempts returns requests as Journal.Attempts does.
func (m *Memory) Attempts(ctx context.Context, q Query) ([]Attempt, error) {
	list := []Attempt{}
	m.mu.Lock()
	defer m.mu.Unlock()
	err := m.each(ctx, q, func(seq int64, e *entry) error {
		a, err := m.attempt(seq, e, q.MaxBody)
		list = append(list, a)
		return err
	})
	return list, err
}

// Count tells how many requests q selects, at most q.Limit.
func (m *Memory) Count(ctx context.Context, q Query) (n int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	err = m.each(ctx, q, func(int64, *entry) error {
		n++
		return nil
	})
	return n, err
}

// each calls do for the requests that q selects.
func (m *Memory) each(ctx context.Context, q Query, do func(int64, *entry) error) error {
	from, to := max(q.After+1, m.first), m.first+int64(m.count)
	if q.Before > 0 {
		to = min(to, q.Before)
	}
	number, hash := m.names[q.Endpoint], maphash.String(m.seed, q.Key)
	for i, found := int64(0), 0; from+i < to && found < q.Limit; i++ {
		seq := from + i
		if q.Newest {
			seq = to - 1 - i
		}
		e := m.at(seq)
		switch {
		case e == nil:
		case (q.Endpoint != "" || q.ByKey) && e.endpoint != number:
		case q.ByKey && (e.key != hash || !bytes.Equal(m.text(e.arrival)[:e.keyLen], []byte(q.Key))):
		case q.First && e.attempt != 1, q.Stepless && e.attempt != 0, q.NoEffect && e.effect != (span{}):
		default:
			found++
			if err := do(seq, e); err != nil {
				return fmt.Errorf("read attempt %d: %w", seq, err)
			}
		}
		if i%1024 == 0 && ctx.Err() != nil { // a look at each would cost more than the entry
			return ctx.Err()
		}
	}
	return nil
}

// attempt makes copies: what is held may be dropped and overwritten.
func (m *Memory) attempt(seq int64, e *entry, maxBody int64) (Attempt, error) {
	b := m.text(e.arrival)[e.keyLen:]
	var outcome, effect []byte
	if e.outcome.length > 0 {
		outcome = m.text(e.outcome)
	}
	if e.effect.length > 0 {
		effect = m.text(e.effect)
	}
	var a Attempt
	if err := a.fill(b[:e.recordLen], outcome, effect); err != nil {
		return a, err
	}
	b = b[e.recordLen:]
	a.Head = bytes.Clone(b[:e.headLen])
	if maxBody == 0 || int64(e.bodyLen) <= maxBody {
		a.Body = bytes.Clone(b[e.headLen:])
	}
	a.number(seq)
	return a, nil
}

// Reached returns the highest attempt number of an event that is still there, as Journal.Reached does.
func (m *Memory) Reached(ctx context.Context, endpoint, key string) (n int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	err = m.each(ctx, Query{Endpoint: endpoint, Key: key, ByKey: true, Limit: m.count}, func(_ int64, e *entry) error {
		n = max(n, int(e.attempt))
		return nil
	})
	return n, err
}

// Keys returns nothing: there is no earlier run.
func (m *Memory) Keys(context.Context, string, string, int) ([]string, error) { return nil, nil }

// Troubles returns what went wrong as Journal.Troubles does.
func (m *Memory) Troubles(_ context.Context, after int64, limit int) (list []evidence.Trouble, next int64, err error) {
	if limit <= 0 {
		return nil, 0, errors.New("read troubles: want a positive limit")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	list, next = m.troubles.page(after, limit)
	for i := range list {
		list[i].Kind = evidence.KindTrouble
	}
	return list, next, nil
}

// Connections returns the connections on which no request became readable, as Journal.Connections does.
func (m *Memory) Connections(_ context.Context, after int64, limit int) (list []evidence.Connection, next int64, err error) {
	if limit <= 0 {
		return nil, 0, errors.New("read connections: want a positive limit")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	list, next = m.connections.page(after, limit)
	for i := range list {
		list[i].Kind = evidence.KindConnection
	}
	return list, next, nil
}
