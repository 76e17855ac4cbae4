package refsender

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Run serves the HTTP API until ctx is cancelled, then stops: it takes no new events, lets the requests in flight end and
// leaves what is pending in the database. When it serves, it prints one line to stdout: ready and its URL. It returns nil
// after a stop that was asked for.
func Run(ctx context.Context, cfg Config, stdout io.Writer) error {
	l, err := cfg.listener(ctx)
	if err != nil {
		return err
	}
	s, err := New(cfg)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	srv := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: apiPatience,
		ReadTimeout:       apiPatience,
		IdleTimeout:       time.Minute,
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	if _, err = fmt.Fprintf(stdout, "ready http://%s\n", l.Addr()); err == nil {
		select {
		case <-ctx.Done():
		case err = <-served:
		}
	}
	return errors.Join(err, s.shutDown(srv))
}

// apiPatience is how long a caller of the API may take over its request, and over its answer once the sender stops. The
// caller is a harness on the same machine; 10 s are a hundred times what the largest event takes.
const apiPatience = 10 * time.Second

func (cfg Config) listener(ctx context.Context) (net.Listener, error) {
	addr := cfg.Listen
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return l, nil
}

// shutDown ends the deliveries first, so that the log can be read until the last attempt is on record.
func (s *Sender) shutDown(srv *http.Server) error {
	s.drain()
	ctx, cancel := context.WithTimeout(context.Background(), apiPatience)
	defer cancel()
	err := srv.Shutdown(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("stop the API: %w", err), srv.Close())
	}
	return errors.Join(err, s.close())
}
