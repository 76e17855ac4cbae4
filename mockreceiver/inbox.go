package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// inboxHands is how many events of one endpoint are tried at once: a slow effect keeps its own endpoint waiting, and no
	// other, and an effect that is fast is called faster than events arrive.
	inboxHands = 8
	// inboxPause is the wait after the journal could not be written: it may be a full disk, which lasts.
	inboxPause = time.Second
	// maxFailure is how much of an effect's error is kept.
	maxFailure = 500
)

// errOnPurpose is the failure that Worker.FailFirst asks for.
var errOnPurpose = errors.New("failed on purpose")

// inboxWorker handles the events of one endpoint's inbox. Each state is on disk before the next step, and the effect is called
// outside of any transaction: a slow one delays no answer.
type inboxWorker struct {
	r        *Receiver
	endpoint string
	rules    business.Worker
	wakes    chan struct{} // something may be due; of capacity 1
	stop     context.CancelFunc
	ended    chan struct{}
}

// startInbox starts to handle what is in an endpoint's inbox. It returns nil if the receiver is closing.
func (r *Receiver) startInbox(endpoint string, rules business.Worker) *inboxWorker {
	if !r.begin(&r.workers) {
		return nil
	}
	w := &inboxWorker{r: r, endpoint: endpoint, rules: rules, wakes: make(chan struct{}, 1), ended: make(chan struct{})}
	ctx, cancel := context.WithCancel(r.ctx)
	w.stop = cancel
	go func() {
		defer r.workers.Done()
		defer close(w.ended)
		defer cancel()
		w.run(ctx)
	}()
	return w
}

// wake tells that something may be due.
func (w *inboxWorker) wake() {
	if w == nil {
		return
	}
	select {
	case w.wakes <- struct{}{}:
	default: // it is told already
	}
}

// end stops the worker and waits until the tries under way have ended, which get their context cancelled.
func (w *inboxWorker) end() {
	if w != nil {
		w.stop()
		<-w.ended
	}
}

func (w *inboxWorker) run(ctx context.Context) {
	var hands sync.WaitGroup
	defer hands.Wait()
	free := make(chan struct{}, inboxHands) // a hand that has become free
	busy, said := 0, false
	for ctx.Err() == nil {
		tasks, next, err := w.claim(inboxHands - busy)
		if err != nil && !said {
			w.r.trouble("", err.Error())
		}
		said = err != nil
		for _, t := range tasks {
			busy++
			hands.Go(func() {
				defer func() { free <- struct{}{} }()
				w.handle(ctx, t)
			})
		}
		if busy == inboxHands {
			next = time.Time{} // there is nobody to do it
		}
		busy -= w.await(ctx, next, free)
	}
}

// await waits until there may be something to do, and returns how many hands have become free.
func (w *inboxWorker) await(ctx context.Context, next time.Time, free <-chan struct{}) (freed int) {
	var due <-chan time.Time
	if !next.IsZero() {
		t := time.NewTimer(time.Until(next))
		defer t.Stop()
		due = t.C
	}
	select {
	case <-w.wakes:
	case <-due:
	case <-ctx.Done():
	case <-free:
		freed++
	}
	for {
		select {
		case <-free:
			freed++
		default:
			return freed
		}
	}
}

func (w *inboxWorker) claim(limit int) (tasks []business.Task, next time.Time, err error) {
	if limit == 0 {
		return nil, time.Time{}, nil
	}
	err = w.r.commits.step(func(ctx context.Context, l *business.Ledger) (err error) {
		tasks, next, err = l.Claim(ctx, w.endpoint, time.Now(), limit)
		return err
	})
	if err != nil {
		return nil, time.Now().Add(inboxPause), err
	}
	return tasks, next, nil
}

// handle tries one event and writes down how that ended.
func (w *inboxWorker) handle(ctx context.Context, t business.Task) {
	err := w.try(ctx, t)
	move := func(ctx context.Context, l *business.Ledger) error { return l.Complete(ctx, t, time.Now()) }
	switch {
	case err != nil && ctx.Err() != nil:
		move = func(ctx context.Context, l *business.Ledger) error { return l.Release(ctx, t, time.Now()) }
	case err != nil:
		move = func(ctx context.Context, l *business.Ledger) error {
			now := time.Now()
			var due time.Time
			if t.Try < w.rules.Tries {
				due = now.Add(w.rules.After(t.Try))
			}
			return l.Fail(ctx, t, cut(err.Error(), maxFailure), now, due)
		}
	}
	// What cannot be written stays in processing, and is tried again after a restart at the latest.
	for said := false; w.r.commits.step(move) != nil; said = true {
		if !said {
			w.r.trouble("", fmt.Sprintf("the state of event %s of %s cannot be written", t.Event, t.Endpoint))
		}
		select {
		case <-time.After(inboxPause):
		case <-ctx.Done():
			return
		}
	}
}

// try calls the effect once. A panic of it is a failure like any other.
func (w *inboxWorker) try(ctx context.Context, t business.Task) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the effect panicked: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, w.rules.Timeout)
	defer cancel()
	if work := t.Work(); work > 0 {
		select {
		case <-time.After(work):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if w.rules.Fails(t.Failures()) {
		return errOnPurpose
	}
	list, err := w.r.journal.Attempts(ctx, journal.Query{After: t.Seq - 1, Limit: 1})
	if err != nil {
		return err
	}
	if len(list) == 0 || list[0].Seq != t.Seq {
		return fmt.Errorf("request %d, which brought the event, is not in the journal any more", t.Seq)
	}
	t.Body = list[0].Body
	return w.r.effect(ctx, t)
}

// effect is what an event is for, outside of the receiver.
func (r *Receiver) effect(ctx context.Context, t business.Task) error {
	if r.cfg.Effect != nil {
		return r.cfg.Effect(ctx, t)
	}
	return r.commits.step(func(ctx context.Context, l *business.Ledger) error { return l.Call(ctx, t) })
}

// cut shortens a text to at most n bytes, and leaves no half character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// Inbox returns events of the endpoints' inboxes. q.Limit must be positive.
func (r *Receiver) Inbox(ctx context.Context, q business.Query) ([]business.Item, error) {
	if q.Limit <= 0 {
		return nil, fmt.Errorf("read the inbox: limit %d: want a positive one", q.Limit)
	}
	file, ok := r.journal.(*journal.Journal)
	if !ok {
		return []business.Item{}, nil // in memory no endpoint has an inbox
	}
	return business.Items(ctx, file.Reader(), q)
}

// queued is where an event stands that a request brought into an inbox; nil if it brought none, or if that was forgotten.
func (r *Receiver) queued(ctx context.Context, e *evidence.Effect) (*business.Item, error) {
	if e == nil || e.Result != evidence.EffectQueued {
		return nil, nil //nolint:nilnil // no item is no error
	}
	list, err := r.Inbox(ctx, business.Query{Endpoint: e.Endpoint, Event: e.Key, Limit: 1})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// inboxCounts is how many events are in each state, of an endpoint or over all inboxes.
func (r *Receiver) inboxCounts(ctx context.Context, endpoint string) (map[business.State]int, error) {
	file, ok := r.journal.(*journal.Journal)
	if !ok {
		return map[business.State]int{}, nil // in memory no endpoint has an inbox
	}
	return business.Counts(ctx, file.Reader(), endpoint)
}

// RetryDead lets a dead letter of an inbox be tried again, as often as a new event. The reason is kept with it.
func (r *Receiver) RetryDead(id int64, reason string) error {
	if strings.TrimSpace(reason) == "" {
		return fmt.Errorf("retry dead letter %d: give a reason", id)
	}
	var endpoint string
	err := r.commits.step(func(ctx context.Context, l *business.Ledger) (err error) {
		endpoint, err = l.Retry(ctx, id, cut(reason, maxFailure), time.Now())
		return err
	})
	if err != nil {
		return err
	}
	if endpoint == "" {
		return noDeadLetterError(id)
	}
	if e, err := r.endpoints.named(endpoint); err == nil {
		e.inbox.Load().wake()
	}
	return nil
}

type noDeadLetterError int64

func (e noDeadLetterError) Error() string {
	return fmt.Sprintf("inbox: there is no dead letter with the number %d", int64(e))
}
