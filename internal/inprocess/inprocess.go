// Package inprocess runs the reference sender without a process of its own, for tests: driven through its API, as the example's
// adapter says.
package inprocess

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"time"

	"github.com/hookassay/hookassay/examples"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/refsender"
)

// launchPart is what the example's adapter says of the process.
var launchPart = regexp.MustCompile(`(?s)\nlaunch:.*?\nprobe: /healthz\n`)

// Adapter is the example's adapter for a reference sender that runs already, with its API at a base URL.
func Adapter(base string) (*httpapi.Adapter, error) {
	text, err := examples.Refsender.ReadFile("refsender/adapter.yaml")
	if err != nil {
		return nil, err
	}
	if !launchPart.Match(text) {
		return nil, errors.New("the example's adapter has no launch part before its probe any more")
	}
	return httpapi.Parse("adapter.yaml", launchPart.ReplaceAll(text, []byte("\nbase_url: "+base+"\n")))
}

// Virtual makes reference senders for virtual time, with a defect of refsender.Defects or, if it is empty, none.
func Virtual(defect string) func(context.Context, virtual.Env) (sender.Sender, error) {
	return made(refsender.Config{Defect: defect})
}

// VirtualVariant makes reference senders for virtual time that differ by a variant of refsender.Variants.
func VirtualVariant(variant string) func(context.Context, virtual.Env) (sender.Sender, error) {
	return made(refsender.Config{Variant: variant})
}

func made(cfg refsender.Config) func(context.Context, virtual.Env) (sender.Sender, error) {
	return func(ctx context.Context, env virtual.Env) (sender.Sender, error) {
		r := &running{}
		if err := r.start(ctx, env, cfg); err != nil {
			return nil, errors.Join(err, r.Close())
		}
		return r, nil
	}
}

// running is a reference sender with its API in memory.
type running struct {
	sender.Full
	sender *refsender.Sender
	server *http.Server
	client *http.Client
}

// apiPatience is how long a call may take to send its head, in virtual time, where it takes none.
const apiPatience = time.Minute

func (r *running) start(ctx context.Context, env virtual.Env, cfg refsender.Config) (err error) {
	cfg.DB, cfg.Contract, cfg.Log, cfg.Dial = filepath.Join(env.Dir, "sender.db"), env.Contract, env.Log, env.Dial
	r.sender, err = refsender.New(cfg)
	if err != nil {
		return err
	}
	l, err := env.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the API: %w", err)
	}
	r.server = &http.Server{Handler: r.sender.Handler(), ReadHeaderTimeout: apiPatience}
	go func() { _ = r.server.Serve(l) }() // until it is closed
	r.client = &http.Client{Transport: &http.Transport{DialContext: env.Dial}}
	a, err := Adapter("http://" + l.Addr().String())
	if err != nil {
		return err
	}
	launcher, err := httpapi.New(a, httpapi.Options{HTTP: r.client})
	if err != nil {
		return err
	}
	in, err := launcher.Launch(ctx, env.Name, env.Watcher)
	if err != nil {
		return err
	}
	var ok bool
	if r.Full, ok = in.(sender.Full); !ok {
		return fmt.Errorf("the driver %T lacks a method", in)
	}
	return nil
}

// Close ends the sender as a process would be ended that is asked to stop.
func (r *running) Close() error {
	var errs []error
	if r.client != nil {
		r.client.CloseIdleConnections()
	}
	if r.sender != nil {
		errs = append(errs, r.sender.Stop())
	}
	if r.server != nil {
		errs = append(errs, r.server.Close())
	}
	return errors.Join(errs...)
}
