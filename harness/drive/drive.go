// Package drive plays scenarios against a sender and the mock receiver, all at once, and writes down what happened. It does
// not know the delivery contract: it is handed plans with real durations and how long to watch, and concludes nothing.
package drive

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver"
)

// Setup is what a run needs. Scenarios, Launcher and Evidence are required.
type Setup struct {
	// Header opens the evidence. Drive fills in the sender, the machine and the start.
	Header    evidence.Header
	Scenarios []Scenario
	Launcher  sender.Launcher
	// Evidence takes the records as they come. The caller closes it after Drive has returned.
	Evidence io.Writer
	// NewSecret makes a signing key of ours, in the form that the sender takes. It must be random, so that it is found
	// nowhere by chance, and not derived from the seed, which is printed. Nil makes texts that any scheme of raw bytes takes.
	NewSecret func() (string, error)
	// Scheme is the signature scheme by which keys that the sender issues are tried (mockreceiver.Config).
	Scheme string
	// Handshake is what the sender asks of each endpoint before it delivers; nil: nothing. Without secrets of its own it goes by
	// those of the endpoint.
	Handshake *Handshake
	// IDHeader and IDBody say where the sender puts an event's id; the receiver's business side keys by it.
	IDHeader, IDBody string
	// Network is where the receiver listens and connects; nil is the system's.
	Network Network
	// Listener takes the deliveries; nil is a free port on loopback. Drive closes it.
	Listener net.Listener
	// AdvertisedURL is the base URL told to the sender where it differs from the listener's address.
	AdvertisedURL string
	// ByHand is the path of the one URL that a person has configured in a sender whose driver cannot register endpoints; empty: endpoints are
	// registered. The scenarios are then played one after another, each on that URL. Those that need another are not played.
	ByHand string
	// ReceiverDefect is a bug of the receiver's business side (mockreceiver.Config.Defect); empty: none.
	ReceiverDefect string
	// Parallel bounds how many scenarios are played at once; 0 is all of them.
	Parallel int
	// Tick is how often the harness measures its own lateness; 0 is every 10 ms. On virtual time nothing is late, and the ticks of
	// an hour would be most of the work: with a Tick the receiver is not probed either.
	Tick time.Duration
	// State is a folder of the run's own that keeps what is needed to go on with it after an interruption; empty: nothing is kept, and a
	// sender that was launched is removed with all its state when the run ends. It is the caller's to remove.
	State string
	// Resume is the evidence of a run that was interrupted, and State what it kept. Evidence then takes what comes behind the first
	// Resume.Size bytes of its file; nothing is written where the run cannot be gone on with.
	Resume *evidence.Unfinished
	// Progress is told what goes on, from one goroutine at a time; nil is fine. It must not block.
	Progress func(Progress)
}

// Handshake is one that endpoints answer.
type Handshake = mockreceiver.Handshake

// Network is where listeners and connections come from.
type Network = mockreceiver.Network

// Drive plays the scenarios and returns when all are watched to their end and every process and listener of the run is
// closed. The error is trouble of the harness, or a sender that does not start (LaunchError); the Run is then what was recorded
// until there. When ctx is cancelled the run ends early: the evidence says so in its footer, with the cause, and the error is
// nil.
func Drive(ctx context.Context, s Setup) (*evidence.Run, error) {
	caller := ctx // the end of this one was asked for; what ends only the run's own is trouble
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if s.NewSecret == nil {
		s.NewSecret = func() (string, error) { return "hookassay_" + rand.Text(), nil }
	}
	p := &player{
		setup:     s,
		started:   time.Now(),
		cancel:    cancel,
		board:     newBoard(),
		instances: map[string]*instance{},
	}
	if u := s.Resume; u != nil {
		p.setup.Header, p.started = u.Run.Header, startOf(u.Run.Header.Started)
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	var trouble error
	if s.Resume != nil {
		if err := p.listenAgain(ctx); err != nil {
			return nil, err
		}
	} else {
		trouble = p.listen(ctx)
	}
	if trouble == nil {
		trouble = p.playAll(ctx)
	}
	return p.close(caller, trouble)
}

// player is the state of one run.
type player struct {
	setup    Setup
	started  time.Time
	cancel   context.CancelCauseFunc
	rec      *evidence.Recorder
	receiver *mockreceiver.Receiver
	board    *board
	clock    clock
	leaks    leaks

	stopNoise context.CancelFunc
	noise     sync.WaitGroup
	probes    standstill // of the receiver
	before    *earlier   // what the run did before it was interrupted; nil: it was not

	mu        sync.Mutex
	atHand    string // name of the endpoint that has the URL configured by hand
	keyNames  map[string]bool
	instances map[string]*instance
	progress  Progress
}

func (p *player) now() time.Duration { return time.Since(p.started) }

func (p *player) open() error {
	p.progress.Scenarios = len(p.setup.Scenarios)
	if u := p.setup.Resume; u != nil {
		p.rec = u.Recorder(p.setup.Evidence)
		return nil
	}
	h := p.setup.Header
	h.Started = p.started
	h.Sender = p.setup.Launcher.Info()
	h.Machine = evidence.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), GoVer: runtime.Version()}
	h.Secrets = "endpoint records hold the signing keys that this run made; they were used for nothing else and are void"
	rec, err := evidence.NewRecorder(evidence.NewWriter(p.setup.Evidence), &h)
	if err != nil {
		return err
	}
	p.rec = rec
	return nil
}

func (p *player) listen(ctx context.Context) error {
	place, err := p.place(ctx)
	if err != nil {
		return err
	}
	if err := p.receive(place); err != nil {
		return err
	}
	l, err := p.listener(ctx, place.Listen)
	if err != nil {
		return fmt.Errorf("listen for deliveries: %w", err)
	}
	if err := p.receiver.Serve(l, nil); err != nil {
		return err
	}
	p.measure(ctx)
	return p.keepPlace(l)
}

// receive makes the receiver, which does not listen yet, and has the senders trust it.
func (p *player) receive(place sender.Place) error {
	cfg := mockreceiver.Config{
		Started:        p.started,
		Quick:          true,
		Observe:        p.observe,
		IDHeader:       p.setup.IDHeader,
		IDBody:         p.setup.IDBody,
		Scheme:         p.setup.Scheme,
		Seed:           p.setup.Header.Seed,
		Defect:         p.setup.ReceiverDefect,
		AdvertisedURL:  p.setup.AdvertisedURL,
		Network:        p.setup.Network,
		ListenIP:       place.Listen,
		AdvertisedHost: place.Host,
	}
	if p.keeping() {
		cfg.Journal = filepath.Join(p.setup.State, "journal.db")
	}
	if p.before != nil {
		cfg.LastConn = lastConn(p.before.run)
	}
	r, err := mockreceiver.New(cfg)
	if err != nil {
		return err
	}
	p.receiver = r
	return p.trust()
}

// measure begins to measure noise, and to tell the progress.
func (p *player) measure(ctx context.Context) {
	noise, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.stopNoise = stop
	s := &series{source: "ticker", step: cmp.Or(p.setup.Tick, tick), add: p.add}
	p.noise.Go(func() { s.listen(noise, p.started) })
	p.noise.Go(func() { p.beat(noise) })
	p.probes.begin(noise, p)
}

// listener is where deliveries arrive: at a free port of ip, where nothing else was asked for.
func (p *player) listener(ctx context.Context, ip string) (net.Listener, error) {
	free := net.JoinHostPort(cmp.Or(ip, "127.0.0.1"), "0")
	switch s := p.setup; {
	case s.Listener != nil:
		return s.Listener, nil
	case s.Network != nil:
		return s.Network.Listen(ctx, "tcp", free)
	default:
		var lc net.ListenConfig
		return lc.Listen(ctx, "tcp", free)
	}
}

// close ends everything that the run started, in the order in which they feed one another, and closes the evidence. caller is
// the context that was given to Drive.
func (p *player) close(caller context.Context, trouble error) (*evidence.Run, error) {
	stopped := context.Cause(caller)
	if errors.Is(trouble, stopped) {
		trouble = nil
	}
	cut := p.cutBy(stopped, trouble)
	errs := []error{trouble}
	for _, in := range p.instances {
		errs = append(errs, p.part(in, cut))
	}
	p.probes.stop()
	if p.receiver != nil {
		errs = append(errs, p.deafen(cut))
	}
	if p.stopNoise != nil {
		p.stopNoise()
		p.noise.Wait()
	}
	interrupted := ""
	switch {
	case trouble != nil:
		interrupted = trouble.Error()
	case stopped != nil:
		interrupted = stopped.Error()
	}
	run, err := p.rec.Close(p.now(), interrupted)
	if errors.Is(trouble, err) {
		errs[0] = nil // evidence that could not be kept is said once
	}
	return run, errors.Join(append(errs, err)...)
}

// add records rec. Evidence that cannot be kept ends the run: a judge must not see half of it.
func (p *player) add(rec evidence.Record) {
	if err := p.rec.Add(rec); err != nil {
		p.cancel(err)
	}
}

func (p *player) observe(rec evidence.Record) {
	p.add(rec)
	if a, ok := rec.(*evidence.Arrival); ok && a.Handled() {
		p.clock.note(a.Wall, p.receiver.SignedAt(a))
	}
	p.board.note(rec)
}

func (p *player) act(a *evidence.Act, do func() error) error {
	a.Called = p.now()
	err := do()
	a.Returned = p.now()
	if err != nil {
		a.Err = err.Error()
	}
	p.add(a)
	return err
}

func (p *player) trouble(scenario string, err error) {
	p.add(&evidence.Trouble{Scenario: scenario, At: p.now(), What: err.Error()})
}

// tell changes the progress and passes it on.
func (p *player) tell(change func(*Progress)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.progress.Note = ""
	change(&p.progress)
	p.progress.At, p.progress.Arrivals = p.now(), p.board.arrivals()
	if p.setup.Progress != nil {
		p.setup.Progress(p.progress)
	}
}
