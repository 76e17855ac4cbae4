package container

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

const (
	// defaultReady leaves a database time to make its files on a busy machine.
	defaultReady = time.Minute
	// askEvery and askWithin are for the readiness that is asked for over the network.
	askEvery  = 50 * time.Millisecond
	askWithin = 2 * time.Second
	// heldFor tells a port that something listens on from one that only the engine's own proxy does: the latter takes the
	// connection and ends it as soon as it finds nobody inside.
	heldFor = 200 * time.Millisecond
)

// awaitReady waits until l is ready, and says why it is not.
func (b *box) awaitReady(ctx context.Context, l *life) error {
	limit := cmp.Or(b.spec.Ready.Within, defaultReady)
	callers, limited := ctx.Deadline()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if left := time.Until(callers); limited && left < limit {
		limit = max(0, left).Round(10 * time.Millisecond) // told, and not kept to: a timer of ours would end before the caller's word
	}
	r := b.spec.Ready
	if r.Log != nil {
		return b.ended(ctx, l, l.logged, limit)
	}
	if r.HTTP == "" && r.Port == 0 {
		return nil
	}
	answered := make(chan struct{})
	asking := make(chan struct{})
	go func() {
		defer close(asking)
		if b.ask(ctx) {
			close(answered)
		}
	}()
	err := b.ended(ctx, l, answered, limit)
	cancel()
	<-asking
	return err
}

// ended waits for ready, or for what comes sooner and keeps it from being so.
func (b *box) ended(ctx context.Context, l *life, ready <-chan struct{}, limit time.Duration) error {
	select {
	case <-ready:
		return nil
	case <-l.done:
		return fmt.Errorf("it ended before it was ready (%s)", l.exit)
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return fmt.Errorf("it was not ready within %s: %s%s", limit, b.awaited(), theirs(ctx))
		}
		return fmt.Errorf("it was not ready yet: %w", ctx.Err())
	}
}

// theirs is the caller's own word on a time that ended sooner than the one that the sender may take; empty if there is none.
func theirs(ctx context.Context) string {
	if why := context.Cause(ctx); why != ctx.Err() { //nolint:errorlint // the very value that stands where no cause was given
		return "; " + why.Error()
	}
	return ""
}

// awaited says what its readiness was to show by.
func (b *box) awaited() string {
	r := b.spec.Ready
	switch {
	case r.Log != nil:
		return fmt.Sprintf("no line of its output matches %q", r.Log)
	case r.HTTP != "":
		return fmt.Sprintf("GET %s was not answered with a status below 500", r.HTTP)
	}
	return fmt.Sprintf("nothing listens on port %d", r.Port)
}

// ask asks until the container answers; false if ctx ends before.
func (b *box) ask(ctx context.Context) bool {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		if b.answers(ctx) {
			return true
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
}

func (b *box) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	port := b.spec.Ready.Port
	if port == 0 {
		port = b.ports[0] // with a path and no port it is that of the API, the only one
	}
	at, err := b.address(ctx, port)
	if err != nil {
		return false
	}
	if b.spec.Ready.HTTP == "" {
		return listens(ctx, at)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at+b.spec.Ready.HTTP, http.NoBody)
	if err != nil {
		return false
	}
	t := &http.Transport{DisableKeepAlives: true}
	res, err := t.RoundTrip(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode < http.StatusInternalServerError
}

// listens tells whether a connection stays open for a while, or is spoken to.
func listens(ctx context.Context, at string) bool {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", at)
	if err != nil {
		return false
	}
	defer c.Close()
	if err := c.SetReadDeadline(time.Now().Add(heldFor)); err != nil {
		return false
	}
	_, err = io.ReadFull(c, make([]byte, 1))
	return err == nil || errors.Is(err, os.ErrDeadlineExceeded)
}
