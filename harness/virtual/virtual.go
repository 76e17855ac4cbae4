// Package virtual puts a webhook sender that is written in Go to the test on virtual time: its contract with the real waits, an
// hour and more, in a few seconds of `go test`.
//
// Sender, receiver and harness run in one bubble of testing/synctest, where the clock jumps to the next timer as soon as every
// goroutine waits for one. Connections are in memory. Scenarios, evidence and verdicts are those of a run in real time.
//
// For the clock to jump, every goroutine of the sender must wait for something inside of the bubble: a timer, a channel or a
// condition made there, a connection that came from Env.Dial or Env.Listen. One that waits for anything else stops the time
// for all: a socket of the system, a signal, a channel made outside of the bubble, a mutex that is held by somebody who waits. A
// run that stands still panics after Config.Patience and shows who waits. Files, and an SQLite database in one, are fine.
//
// The sender must be able to end: at the end of a run all of its goroutines must be gone. One with goroutines of its own
// implements io.Closer.
//
// What needs a process of its own (a kill, a stop by signal, a pause, its output), sockets of the system or certificates of a
// sender's own is not played: such scenarios are not applicable, which is no pass. The clock of a bubble begins at midnight UTC
// of 2000-01-01.
package virtual

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/scenarios"
)

// Config says what to put to the test. NewSender is required.
type Config struct {
	// Contract is what the sender promises; nil is bounded-6, as published. There is no need to compress one.
	Contract *contract.Contract
	// NewSender makes a sender, inside the bubble. It is called once for the scenarios that share a sender, once for each that
	// wants one of its own, and again to start one that was stopped. What the sender can do beyond sender.Sender is found out
	// from the interfaces of package sender that it implements. If it is an io.Closer it is closed at the end, and returns from
	// Close when all that it began has ended. If it has a method Has(sender.Ability) bool, that one decides.
	NewSender func(ctx context.Context, env Env) (sender.Sender, error)
	// Restarts says that a sender that was closed may be made again and takes up what it left in Env.Dir. It is the ability
	// stop; without it, scenarios that stop the sender are not played.
	Restarts bool
	// Abilities lists those that are no interface: issue-secrets, fan-out, environments, output.
	Abilities []sender.Ability
	// Name names the sender in the evidence; empty is "sender".
	Name string
	// Select, Labels, Seed, AcceptanceEvents and Suite are those of scenarios.Config.
	Select           []string
	Labels           string
	Seed             uint64
	AcceptanceEvents int
	Suite            string
	// Evidence takes evidence.ndjson as the run goes; nil discards it. The caller closes it.
	Evidence io.Writer
	// ReceiverDefect is that of scenarios.Config.
	ReceiverDefect string
	// Patience is how long, in real time, the virtual time may stand still before the test panics and shows who waits for
	// something outside of the bubble. 0 is a minute: a hundred times what the busiest second of a run takes.
	Patience time.Duration
}

// Env is what a sender has inside of the bubble.
type Env struct {
	// Name is the instance's: unique in the run, and the same after a restart.
	Name string
	// Dir is a folder of the instance's own for its state, the same after a restart.
	Dir string
	// Contract is what it is to promise. It is not to be changed.
	Contract *contract.Contract
	// Log takes what it prints. It is searched for keys.
	Log io.Writer
	// Watcher is told more of that kind: the answers of an API, which are searched for keys.
	Watcher sender.Watcher
	// Dial connects to the receiver, and to what Listen listens on. Give it to http.Transport as DialContext. Its connections
	// end as TCP connections do: a reset is ECONNRESET, and where nobody listens it is ECONNREFUSED.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Listen is for a sender that has an API of its own.
	Listen func(ctx context.Context, network, addr string) (net.Listener, error)
}

// Assay puts the sender to the test, and lets t fail for each promise that it breaks and unless the run's verdict is conformant.
// What was not played is logged, with the reason.
func Assay(t *testing.T, cfg Config) *scenarios.Result {
	t.Helper()
	r := Run(t, cfg)
	for _, v := range r.Verdicts {
		if v.Outcome == judge.Fail || v.Outcome == judge.Error {
			t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
		}
	}
	for _, sc := range r.Run.Scenarios {
		if sc.NotRun != "" {
			t.Logf("%s not played: %s", sc.Name, sc.NotRun)
		}
	}
	if r.Verdict != judge.Conformant {
		t.Errorf("%s: %s", r.Verdict, r.Why)
	}
	return r
}

// Run is Assay for whoever reads the verdicts: t fails, at once, for trouble of the harness only.
func Run(t *testing.T, cfg Config) *scenarios.Result {
	t.Helper()
	cfg, err := cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return scenarios.Judged(cfg.Contract, played(t, cfg))
}

// played plays in a bubble. To judge takes no time there, and may take long in real time: it comes after, when nobody watches.
func played(t *testing.T, cfg Config) (r *evidence.Run) {
	t.Helper()
	dir := t.TempDir()
	w := watch(cfg.Patience)
	defer w.stop()
	var err error
	synctest.Test(t, func(t *testing.T) { r, err = run(t.Context(), cfg, dir, w) })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (c Config) withDefaults() (Config, error) {
	if c.NewSender == nil {
		return c, errors.New("virtual: no NewSender is set")
	}
	if c.Contract == nil {
		var err error
		if c.Contract, err = contract.Profile("bounded-6"); err != nil {
			return c, err
		}
	}
	if c.Name == "" {
		c.Name = "sender"
	}
	if c.Patience <= 0 {
		c.Patience = time.Minute
	}
	return c, nil
}

// tick is how often the harness looks whether it is late: never, on virtual time, so that one look a second is plenty.
const tick = time.Second

// run is a run inside of the bubble.
func run(ctx context.Context, cfg Config, dir string, w *watchdog) (*evidence.Run, error) {
	n := newNetwork()
	defer n.close()
	l, err := newLauncher(ctx, cfg, n, dir)
	if err != nil {
		return nil, err
	}
	r, err := scenarios.Play(ctx, scenarios.Config{
		Contract: cfg.Contract, Launcher: l, Network: n, Tick: tick, Evidence: cfg.Evidence,
		Select: cfg.Select, Labels: cfg.Labels, Seed: cfg.Seed, AcceptanceEvents: cfg.AcceptanceEvents, Suite: cfg.Suite,
		ReceiverDefect: cfg.ReceiverDefect,
		Progress:       func(drive.Progress) { w.seen() },
	})
	if err = errors.Join(err, l.close()); err != nil {
		return nil, fmt.Errorf("virtual: %w", err)
	}
	return r, nil
}
