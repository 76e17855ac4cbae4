package business

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

func claimText(n int) string {
	return "INSERT INTO dedupe (endpoint, event, seq) VALUES " + rowsOf("(?, ?, ?)", n) + " ON CONFLICT DO NOTHING"
}

func orderText(n int) string {
	return "INSERT INTO orders (endpoint, event, seq, quantity, object, created, version) VALUES " + rowsOf("(?, ?, ?, ?, ?, ?, ?)", n)
}

func rowsOf(row string, n int) string { return row + strings.Repeat(", "+row, n-1) }

// Write is a business write. Done is filled in when it is applied.
type Write struct {
	Event Event
	Fail  bool // a statement of it fails
	Done  Done
}

// ApplyAll does what Apply does for each write, in their order. Where nothing fails on purpose and all events are new, as it is
// nearly always, they share one savepoint and few statements, at a third of the cost.
func (l *Ledger) ApplyAll(ctx context.Context, writes []*Write) error {
	for len(writes) > 0 {
		n := 0
		for n < len(writes) && n < most && l.defect == NoDefect && writes[n].plain() {
			n++
		}
		if n > 1 {
			n = size(n)
			done, err := l.together(ctx, writes[:n])
			if err != nil {
				return fmt.Errorf("business write of %d events: %w", n, err)
			}
			if done {
				writes = writes[n:]
				continue
			}
		}
		for _, w := range writes[:max(n, 1)] {
			var err error
			if w.Done, err = l.Apply(ctx, w.Event, w.Fail); err != nil {
				return err
			}
		}
		writes = writes[max(n, 1):]
	}
	return nil
}

// plain tells whether a write is an order that nobody wants to fail.
func (w *Write) plain() bool { return !w.Fail && !w.Event.Ignored && w.Event.Mode != Inbox }

// together writes the orders of new events. It undoes all and returns false if some of them are not new, or if it fails: one by
// one it shows whose fault that is.
func (l *Ledger) together(ctx context.Context, writes []*Write) (done bool, err error) {
	if _, err := l.savepoint.exec(ctx); err != nil {
		return false, err
	}
	if done = l.claimAll(ctx, writes) && l.orderAll(ctx, writes); !done {
		if _, err := l.rollback.exec(ctx); err != nil {
			return false, err
		}
	}
	if _, err := l.release.exec(ctx); err != nil || !done {
		return false, err
	}
	for _, w := range writes {
		if w.Done, err = l.objects.apply(ctx, w.Event); err != nil {
			return false, err
		}
	}
	return true, nil
}

// claimAll tells whether all events are new, and claims them.
func (l *Ledger) claimAll(ctx context.Context, writes []*Write) bool {
	l.args = l.args[:0]
	for _, w := range writes {
		l.args = append(l.args, w.Event.Endpoint, w.Event.Key, w.Event.Seq)
	}
	n, err := l.run(ctx, &l.claim, len(writes))
	return err == nil && n == int64(len(writes))
}

func (l *Ledger) orderAll(ctx context.Context, writes []*Write) bool {
	l.args = l.args[:0]
	for _, w := range writes {
		l.addOrder(w.Event, 1)
	}
	_, err := l.run(ctx, &l.order, len(writes))
	return err == nil
}

func (l *Ledger) addOrder(e Event, quantity int64) {
	o := e.Object
	l.args = append(l.args, e.Endpoint, e.Key, e.Seq, quantity, orNull(o.name()), o.created(), orNull(o.Version))
}

// run runs the statement for n events with the arguments made ready, and tells how many rows it changed.
func (l *Ledger) run(ctx context.Context, s *sized, n int) (int64, error) {
	defer clear(l.args)
	q, err := s.of(ctx, n)
	if err != nil {
		return 0, err
	}
	return q.count(ctx, l.args...)
}

// Apply runs the business write of e in a savepoint of its own, or lets e into the inbox. fail makes a statement of it fail. An error means that the surrounding
// transaction cannot be trusted and must be rolled back.
func (l *Ledger) Apply(ctx context.Context, e Event, fail bool) (Done, error) {
	if e.Ignored {
		return Done{Result: evidence.EffectIgnored}, nil
	}
	if e.Mode == Inbox {
		done, err := l.inbox.take(ctx, e, fail)
		if err != nil {
			return Done{}, fmt.Errorf("let %s into the inbox: %w", e.Key, err)
		}
		return done, nil
	}
	if _, err := l.savepoint.exec(ctx); err != nil {
		return Done{}, fmt.Errorf("business write of %s: %w", e.Key, err)
	}
	done, err := l.write(ctx, e, fail)
	if err != nil {
		return Done{}, fmt.Errorf("business write of %s: %w", e.Key, err)
	}
	if _, err := l.release.exec(ctx); err != nil {
		return Done{}, fmt.Errorf("business write of %s: %w", e.Key, err)
	}
	return done, nil
}

func (l *Ledger) write(ctx context.Context, e Event, fail bool) (Done, error) {
	claimed, err := l.claimOne(ctx, e)
	if err != nil {
		return Done{}, err
	}
	if l.absorbs(claimed) {
		return Done{Result: evidence.EffectAbsorbed}, nil
	}
	quantity := int64(1)
	if fail {
		quantity = 0
	}
	l.args = l.args[:0]
	for range l.orders() {
		l.addOrder(e, quantity)
	}
	_, err = l.run(ctx, &l.order, l.orders())
	if err == nil && fail {
		return Done{}, errors.New("the planned failure did not fail")
	}
	if err == nil {
		return l.objects.apply(ctx, e)
	}
	if !fail || !refused(err) {
		return Done{}, err
	}
	if _, back := l.rollback.exec(ctx); back != nil {
		return Done{}, errors.Join(err, back)
	}
	return Done{Result: evidence.EffectRolledBack}, l.afterRollback(ctx, e)
}

// claimOne claims an event, and tells by 0 that it was claimed before.
func (l *Ledger) claimOne(ctx context.Context, e Event) (int64, error) {
	l.args = append(l.args[:0], e.Endpoint, e.Key, e.Seq)
	return l.run(ctx, &l.claim, 1)
}
