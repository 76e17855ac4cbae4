package business

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Kept is what is there for an event.
type Kept struct {
	Dedupe bool // a row says that it was received
	Rows   int  // so many say that it was handled
}

// stateText numbers what is asked, since no database promises an order.
func stateText(n int) string {
	var asked strings.Builder
	for i := range n {
		if i > 0 {
			asked.WriteString(", ")
		}
		asked.WriteString("(" + strconv.Itoa(i) + ", ?, ?)")
	}
	return "WITH asked (i, endpoint, event) AS (VALUES " + asked.String() + `)
		SELECT i, (SELECT count(*) FROM dedupe WHERE endpoint = asked.endpoint AND event = asked.event),
			(SELECT count(*) FROM orders WHERE endpoint = asked.endpoint AND event = asked.event) FROM asked`
}

// State reads what is there for an event.
func (l *Ledger) State(ctx context.Context, e Event) (Kept, error) {
	list, err := l.States(ctx, []*Event{&e})
	if err != nil {
		return Kept{}, err
	}
	return list[0], nil
}

// States reads what is there for each event. Those of a transaction share a statement: each by itself costs four times as much.
func (l *Ledger) States(ctx context.Context, events []*Event) ([]Kept, error) {
	list := make([]Kept, len(events))
	var asked []int // their places, up to most of them
	for i, e := range events {
		if e.Mode == Inbox {
			_, state, err := l.inbox.stateOf(ctx, e.Endpoint, e.Key)
			if err != nil {
				return nil, err
			}
			list[i].Dedupe = state != ""
			if state == Completed {
				list[i].Rows = 1
			}
			continue
		}
		if asked = append(asked, i); len(asked) == most {
			if err := l.ask(ctx, events, list, asked); err != nil {
				return nil, err
			}
			asked = asked[:0]
		}
	}
	return list, l.ask(ctx, events, list, asked)
}

// ask reads the orders of those events whose places are given.
func (l *Ledger) ask(ctx context.Context, events []*Event, list []Kept, asked []int) error {
	if len(asked) == 0 {
		return nil
	}
	n := size(len(asked))
	if n < len(asked) {
		n *= 2 // what is too many asks for NULL, which costs next to nothing
	}
	q, err := l.state.of(ctx, n)
	if err != nil {
		return err
	}
	l.args = l.args[:0]
	for _, i := range asked {
		l.args = append(l.args, events[i].Endpoint, events[i].Key)
	}
	for len(l.args) < 2*n {
		l.args = append(l.args, nil)
	}
	defer clear(l.args)
	err = q.rows(ctx, n, l.columns[:], func() {
		i, _ := l.columns[0].(int64) // three numbers, by the statement
		claims, _ := l.columns[1].(int64)
		orders, _ := l.columns[2].(int64)
		if int(i) < len(asked) {
			list[asked[i]] = Kept{Dedupe: claims > 0, Rows: int(orders)}
		}
	}, l.args...)
	if err != nil {
		return fmt.Errorf("read business rows of %s: %w", events[asked[0]].Key, err)
	}
	return nil
}
