// Package mockreceiver is a webhook receiver that misbehaves as planned, and a model of a good one where nothing is
// planned: it writes down what arrived before it answers, runs the business write in a transaction, and answers 2xx only
// after the commit.
//
// A Go test starts one with package receivertest, in three lines, and judges what came with the Gomega matchers of package
// matchers. A program starts one with Listen. Fault plans are package fault's, what was recorded is package journal's, and the
// alarms are package alarm's.
//
// Files that belong together, one row each (a test holds them to it):
//
//	receiver.go, config.go, headroom.go
//		the whole, and what it is made with; begin here
//	routes.go, control*.go
//		the control API: routes.go has all routes, openapi.json says what they mean
//	export_*.go, curl*.go
//		exports, and requests as commands
//	listener*.go, network.go, authority.go
//		listeners: their addresses, TLS, the plan of their connections, down and up
//	conn_*.go, probe.go
//		a connection from its beginning, with the faults before HTTP, to its record; those that the receiver opens itself
//	wire.go, scan.go, h2_*.go
//		the raw bytes of requests and answers, over HTTP/1 and HTTP/2
//	endpoints*.go, plans*.go, kept.go, pace.go, draw.go
//		endpoints and their plans, also over a restart; what faults know of the past; steps that are drawn
//	receive.go, intake*.go, budget.go, payload.go
//		a request is read, and its body bounded
//	key.go, pointer.go, counter.go, recent.go
//		which event it is of, and which attempt at it
//	verify.go, signed_at.go, issued.go
//		what its signature is worth
//	greeting.go
//		handshakes, whose answers are those of package handshake
//	exchange*.go, fields.go, gate.go
//		one request and what is done with it; what faults act on; copies that wait for each other
//	reply*.go, endings.go, idle.go
//		the answer, and the end of the connection
//	copies.go, redeliver.go
//		requests that the receiver sends to itself
//	committer*.go, memory.go
//		what is written, to disk or in memory
//	inbox.go
//		events that are handled after their answer
//	history.go, summary.go, timeline.go, diff.go
//		what is read back
//	activity.go, watch.go
//		what goes on, and who waits for it
//	meter*.go, metrics.go, health.go
//		what is counted, for metrics and alarms
//
// A request goes through these: wire.go and scan.go see the raw bytes (h2_request.go over HTTP/2), receive.go reads the body,
// key.go finds its event, verify.go looks at its signature, plans.go picks the step (intake.go has that done before the body,
// where a fault wants it), exchange.go lets the fault act, fields.go finds what the event is about and exchange_business.go has
// it written, reply.go, endings.go and idle.go write the answer and end the connection (h2_answer.go over HTTP/2), committer.go
// writes to disk, and inbox.go handles events after their answer. What is read back goes through history.go and summary.go.
package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// Receiver receives webhooks. Its methods are safe for concurrent use.
type Receiver struct {
	cfg     Config
	temp    string // directory to remove at Close
	journal store
	commits *committer

	endpoints registry
	kept      []journal.Setting // of an earlier run, until Restore
	gates     gates
	budget    budget
	own       ownAddrs
	issued    issuedKeys
	decoder   decoder
	ids       *pointers // of Config.IDBody, and of the usual place
	conns     connSet
	activity  activity
	streams   streams
	meter     *meter
	probes    *probes

	data, control *http.Server
	serving       sync.WaitGroup  // Serve loops
	handlers      sync.WaitGroup  // data requests, and the copies that we inject
	workers       sync.WaitGroup  // of inboxes
	ctx           context.Context //nolint:containedctx // the receiver's own life, ended by Close
	cancel        context.CancelFunc
	closing       sync.RWMutex // held for reading while something new begins
	closeOnce     sync.Once
	closeErr      error
	full          sync.Once // file descriptors were used up, which is told

	listeners listeners
	authority authority
	carried   sync.WaitGroup // connections that net/http has not got, or not yet
	addrs     struct {
		sync.RWMutex
		control net.Addr
	}
	lastConn atomic.Int64
}

// New makes a receiver and opens its journal. The caller closes it, and lets it listen with Serve.
func New(cfg Config) (*Receiver, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("receiver settings: %w", err)
	}
	r := &Receiver{ids: newPointers(cfg.IDBody, "/id"), cfg: cfg, meter: newMeter(), probes: newProbes()}
	r.cfg.Observe = func(rec evidence.Record) {
		r.meter.observe(rec)
		cfg.Observe(rec)
	}
	r.lastConn.Store(cfg.LastConn)
	if cfg.Scheme != "" {
		if r.issued.scheme, err = signature.Lookup(cfg.Scheme); err != nil {
			return nil, fmt.Errorf("receiver settings: %w", err)
		}
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.budget.left = cfg.MaxInFlight
	if err := r.open(); err != nil {
		r.cancel()
		return nil, err
	}
	r.exposeGauges()
	r.data, r.control = r.servers()
	return r, nil
}

// Listen makes a receiver that listens on two TCP addresses. Empty ones mean a free port on loopback; localhost means both
// families where the machine has both.
func Listen(ctx context.Context, cfg Config, dataAddr, controlAddr string) (*Receiver, error) {
	if cfg.Network == nil {
		cfg.Network = system{}
	}
	data, err := listenOn(ctx, cfg.Network, dataAddr)
	if err != nil {
		return nil, fmt.Errorf("deliveries: %w", err)
	}
	control, err := listenOn(ctx, cfg.Network, controlAddr)
	if err != nil {
		closeAll(data)
		return nil, fmt.Errorf("control API: %w", err)
	}
	if cfg.AdvertisedURL == "" {
		cfg.AdvertisedURL = byName(dataAddr, data[0].Addr(), cfg.TLS)
	}
	r, err := New(cfg)
	if err != nil {
		closeAll(append(data, control...))
		return nil, err
	}
	for i := range max(len(data), len(control)) {
		d, c := at(data, i), at(control, i)
		if d != nil {
			err = r.Serve(d, c)
		} else {
			err = r.serveControl(c)
		}
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// at is the i-th listener; nil if there are not so many.
func at(list []net.Listener, i int) net.Listener {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		_ = l.Close() // an error of another cause is already on its way to the caller
	}
}

func (r *Receiver) open() error {
	if r.cfg.Memory {
		m := journal.NewMemory(r.cfg.MemoryRecords, r.cfg.MemoryBytes)
		r.journal, r.commits = m, &committer{r: r, memory: &inMemory{Memory: m}}
		return nil
	}
	path := r.cfg.Journal
	if path == "" {
		dir, err := os.MkdirTemp("", "hookassay-receiver-")
		if err != nil {
			return fmt.Errorf("make place for the journal: %w", err)
		}
		r.temp, path = dir, filepath.Join(dir, "journal.db")
	}
	sync := journal.Full
	if r.cfg.Quick {
		sync = journal.Normal
	}
	j, err := journal.Open(r.ctx, path, sync)
	if err != nil {
		return errors.Join(err, r.removeTemp())
	}
	r.journal = j
	if r.keeps() {
		if r.kept, err = j.Settings(r.ctx); err != nil {
			return errors.Join(j.Trouble(err), j.Close(), r.removeTemp())
		}
	}
	if r.commits, err = startCommitter(r.ctx, r, j); err != nil {
		return errors.Join(j.Trouble(err), j.Close(), r.removeTemp())
	}
	return nil
}

func (r *Receiver) removeTemp() error {
	if r.temp == "" {
		return nil
	}
	return os.RemoveAll(r.temp)
}

// Serve starts to serve the listeners and returns at once; Close closes them. control may be nil. The first data listener
// gives the URL that endpoints get; further calls add listeners.
func (r *Receiver) Serve(data, control net.Listener) error {
	first, err := r.firstListener(data)
	if err == nil {
		err = r.serveOn(first, data)
	}
	if err == nil && control != nil {
		err = r.serveControl(control)
	}
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

func (r *Receiver) serveControl(l net.Listener) error {
	r.closing.RLock()
	defer r.closing.RUnlock()
	if r.ctx.Err() != nil {
		return errClosed
	}
	r.addrs.Lock()
	if r.addrs.control == nil {
		r.addrs.control = l.Addr()
	}
	r.addrs.Unlock()
	r.serve(r.control, patientListener{l, r})
	return nil
}

var errClosed = errors.New("the receiver is closed")

func (r *Receiver) serve(s *http.Server, l net.Listener) {
	r.serving.Go(func() {
		err := s.Serve(l)
		if err != nil && r.ctx.Err() == nil && !errors.Is(err, net.ErrClosed) {
			r.trouble("", fmt.Sprintf("listener %s ended: %v", l.Addr(), err))
		}
	})
}

// reachable replaces an address that stands for all of the machine's by loopback.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	local := *tcp
	local.IP = net.IPv4(127, 0, 0, 1)
	return local.String()
}

// reached is how senders reach what listens on addr.
func (c *Config) reached(addr net.Addr) string {
	if c.AdvertisedHost == "" {
		return reachable(addr)
	}
	return net.JoinHostPort(c.AdvertisedHost, portOf(addr))
}

// DataURL is the base URL that endpoints get; empty before Serve.
func (r *Receiver) DataURL() string {
	if first := r.listeners.named(""); first != nil {
		return first.url
	}
	return ""
}

// ControlURL is the base URL of the control API; empty without one.
func (r *Receiver) ControlURL() string {
	r.addrs.RLock()
	defer r.addrs.RUnlock()
	if r.addrs.control == nil {
		return ""
	}
	return "http://" + reachable(r.addrs.control)
}

// Token is what callers of the control API show: Authorization: Bearer TOKEN.
func (r *Receiver) Token() string { return r.cfg.Token }

// Close ends hanging requests (their outcome is shutdown), writes down what is known, and returns when all goroutines have
// ended. Calling it again does nothing and gives the same result.
func (r *Receiver) Close() error {
	r.closeOnce.Do(func() { r.closeErr = r.close() })
	return r.closeErr
}

func (r *Receiver) close() error {
	r.closing.Lock()
	r.cancel()
	r.closing.Unlock()
	r.conns.interrupt()
	r.listeners.stop()
	// From here on nothing new begins. Handlers see the cancelled context, answer nothing and return.
	r.handlers.Wait()
	errs := []error{r.data.Close(), r.control.Close()}
	r.serving.Wait()
	r.carried.Wait()
	r.conns.closeAndWait()
	r.workers.Wait()
	errs = append(errs, r.commits.stop(), r.journal.Close(), r.removeTemp())
	return errors.Join(errs...)
}

// begin tells whether something new may begin, and counts it in wg if so.
func (r *Receiver) begin(wg *sync.WaitGroup) bool {
	r.closing.RLock()
	defer r.closing.RUnlock()
	if r.ctx.Err() != nil {
		return false
	}
	wg.Add(1)
	return true
}

// now reads the monotonic clock alone, at half the cost of time.Now.
func (r *Receiver) now() time.Duration { return time.Since(r.cfg.Started) }

func (r *Receiver) since(t time.Time) time.Duration { return t.Sub(r.cfg.Started) }
