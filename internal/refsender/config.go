package refsender

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
)

// Config says how a reference sender is to behave.
type Config struct {
	// DB is the path of the SQLite database, made if it does not exist. It belongs to one process at a time. Required.
	DB string
	// Listen is the address of the HTTP API, for Run only; 127.0.0.1:0 if empty.
	Listen string
	// Contract holds the effective values: waits, timeouts, codes. It must have a schedule. Required.
	Contract *contract.Contract
	// Defect is the name of the one defect that the sender has, one of Defects; empty means none.
	Defect string
	// Variant is the name of the one harmless way in which the sender is to differ, one of Variants; empty means none.
	Variant string
	// Log gets a line for each failed attempt, dead letter and change of life; nil means none.
	Log io.Writer
	// Seed is the seed of the jitter; every value is usable.
	Seed uint64
	// TrustFile is the path of a PEM file with certificate authorities that deliveries trust beside the system's; empty means none.
	TrustFile string
	// Dial opens the connections of deliveries; nil means the system's. It makes the sender run on other transports.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Concurrency where the contract declares no number of workers. 32 leaves 16 for each endpoint, so that an endpoint that
// stalls all of its requests leaves as many for the others.
const defaultWorkers = 32

func (cfg Config) workers() int {
	if cfg.Contract.Workers > 0 {
		return cfg.Contract.Workers
	}
	return defaultWorkers
}

// perEndpoint is how many requests to one endpoint are in flight at most: half of the workers where the contract declares nothing.
func (cfg Config) perEndpoint() int {
	if f := cfg.Contract.Fairness; f != nil && f.PerEndpoint > 0 {
		return f.PerEndpoint
	}
	return max(1, cfg.workers()/2)
}

// lockedWriter lets the log and what a defect prints beside it share one writer.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func (cfg Config) logger() *slog.Logger {
	if cfg.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(cfg.Log, nil))
}

func (cfg Config) scheme() (*signature.Scheme, error) {
	if cfg.Contract.Signature == nil {
		return nil, nil
	}
	s, err := cfg.Contract.Signature.Lookup()
	if err != nil {
		return nil, fmt.Errorf("contract %s: %w", cfg.Contract.Name, err)
	}
	return s, nil
}

func (cfg Config) validate() error {
	if cfg.DB == "" {
		return errors.New("reference sender: no database path is set")
	}
	if cfg.Contract == nil {
		return errors.New("reference sender: no contract is set")
	}
	s := cfg.Contract.Schedule
	if s == nil || len(s.Waits) == 0 || s.Timeout <= 0 {
		return fmt.Errorf("reference sender: contract %s has no schedule with waits and a timeout, so nothing says when to send",
			cfg.Contract.Name)
	}
	return nil
}
