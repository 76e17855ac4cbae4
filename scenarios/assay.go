package scenarios

import (
	"context"
	"crypto/rand"
	"io"
	"net"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender"
)

// Config says what to assay. Contract and Launcher are required.
type Config struct {
	// Contract is the effective contract: already compressed, if it is to be.
	Contract *contract.Contract
	// Launcher starts the sender under test.
	Launcher sender.Launcher
	// Evidence takes evidence.ndjson as the run goes; nil discards it. The caller closes it.
	Evidence io.Writer
	// Select lists globs of scenario names, such as retry/*; empty selects all. A glob that matches nothing is an error.
	Select []string
	// Labels is a Ginkgo label filter over scenario and check, such as "retry && MUST"; empty selects all.
	Labels string
	// Seed decides every random choice. The same seed gives the same events and plans.
	Seed uint64
	// AcceptanceEvents is how many events the acceptance scenario emits; 0 is the contract's sample.
	AcceptanceEvents int
	// Parallel bounds how many scenarios are played at once; 0 is all of them.
	Parallel int
	// Known lists the failures that are put up with. An entry that its Validate refuses is an error.
	Known []judge.KnownFailure
	// Suite is the version of hookassay for the evidence.
	Suite string
	// Observe plays nothing: it watches an endpoint until so much time has passed, or until Stop is closed. 0: scenarios are played.
	Observe time.Duration
	Stop    <-chan struct{}
	// Observing is called once what arrives is taken, so that nobody is told an address that still refuses; nil: nobody wants to know.
	Observing func()
	// State and Resume are those of drive.Setup. A run that is gone on with needs the Config that it began with.
	State  string
	Resume *evidence.Unfinished
	// Tick, ByHand, Network, Listener, AdvertisedURL, Handshake, ReceiverDefect and Progress are those of drive.Setup.
	Tick           time.Duration
	ByHand         string
	Network        drive.Network
	Listener       net.Listener
	AdvertisedURL  string
	Handshake      *drive.Handshake
	ReceiverDefect string
	Progress       func(drive.Progress)
}

// Result is what a run has shown.
type Result struct {
	Contract   *contract.Contract
	Run        *evidence.Run
	Verdicts   []judge.Verdict
	Known      []judge.Known     // what became of each known failure
	Acceptance *judge.Acceptance // nil if the acceptance scenario was not played
	Timelines  []judge.Timeline
	Verdict    judge.RunVerdict
	Why        string // in one sentence
}

// Assay drives the sender through the selected scenarios and judges the evidence. It keeps no global state: any number of
// calls may run in one process. When ctx is cancelled, the result is that of an incomplete run and the error is nil. The
// error is harness trouble or bad input; the Result is nil if there is nothing to judge.
func Assay(ctx context.Context, cfg Config) (*Result, error) {
	for _, k := range cfg.Known {
		if err := k.Validate(); err != nil {
			return nil, err
		}
	}
	run, err := Play(ctx, cfg)
	if run == nil {
		return nil, err
	}
	return Judged(cfg.Contract, run, cfg.Known...), err
}

// Play is Assay without the judging: it returns the evidence, which Judged judges.
func Play(ctx context.Context, cfg Config) (*evidence.Run, error) {
	selected, err := Selection(cfg)
	if err != nil {
		return nil, err
	}
	text, err := cfg.Contract.Marshal()
	if err != nil {
		return nil, err
	}
	setup := drive.Setup{
		Header:         evidence.Header{Suite: cfg.Suite, Seed: cfg.Seed, Contract: string(text), Selected: cfg.selection(), LeftOut: leftOut(cfg, selected)},
		Scenarios:      selected,
		Launcher:       cfg.Launcher,
		Evidence:       cfg.Evidence,
		State:          cfg.State,
		Resume:         cfg.Resume,
		Tick:           cfg.Tick,
		ByHand:         cfg.ByHand,
		Network:        cfg.Network,
		Listener:       cfg.Listener,
		AdvertisedURL:  cfg.AdvertisedURL,
		ReceiverDefect: cfg.ReceiverDefect,
		Parallel:       cfg.Parallel,
		Progress:       cfg.Progress,
		Handshake:      cfg.Handshake,
	}
	if s := cfg.Contract.Signature; s != nil {
		setup.Scheme = s.SchemeText()
		// A sender that signs nothing gets a text for its endpoint all the same, and may leave it: without one it would be asked to
		// issue a key.
		setup.NewSecret = func() (string, error) {
			var random [32]byte // as many as contract.NewSecret asks for
			rand.Read(random[:])
			return cfg.Contract.NewSecret(random[:])
		}
	}
	if setup.Evidence == nil {
		setup.Evidence = io.Discard
	}
	if id := cfg.Contract.Identity; id != nil {
		setup.IDHeader, setup.IDBody = id.Header, id.Body
	}
	return drive.Drive(ctx, setup)
}

// Judged judges a run, fresh or stored. The known failures are valid.
func Judged(c *contract.Contract, run *evidence.Run, known ...judge.KnownFailure) *Result {
	r := &Result{Contract: c, Run: run}
	r.Verdicts, r.Acceptance, r.Timelines = judge.All(c, run)
	r.Verdicts, r.Known = judge.MarkKnown(run, r.Verdicts, known)
	r.Verdict, r.Why = judge.Sum(run, r.Verdicts, r.Known...)
	return r
}
