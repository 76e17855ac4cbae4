package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"

	"github.com/hookassay/hookassay/mockreceiver"
	effects "github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// The servers that are compared.
const (
	bare     = "bare"     // net/http, reads the body and answers 200
	durable  = "durable"  // evidence on disk and a signature check
	business = "business" // the same with dedupe and a business row
	memory   = "memory"   // evidence in memory and a signature check

	bareH2    = "bare-h2"    // bare over TLS and HTTP/2
	durableH2 = "durable-h2" // durable over TLS and HTTP/2
)

func overH2(mode string) bool { return mode == bareH2 || mode == durableH2 }

// settings are those of one server.
type settings struct {
	mode, journal, profile string
}

// serve runs one server, prints its address and the control API's with its token, and serves until its input ends.
func serve(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	var s settings
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.StringVar(&s.mode, "mode", bare, "bare, durable, business, memory, bare-h2 or durable-h2")
	fs.StringVar(&s.journal, "journal", "", "journal file")
	fs.StringVar(&s.profile, "cpuprofile", "", "write a profile of the processor's time there")
	if err := fs.Parse(args); err != nil {
		return err
	}
	stop, err := s.startProfile()
	if err != nil {
		return err
	}
	switch s.mode {
	case bare:
		err = serveBare(ctx, in, out)
	case bareH2:
		err = serveBareH2(in, out)
	default:
		err = s.serveReceiver(ctx, in, out)
	}
	return errors.Join(err, stop())
}

func (s settings) startProfile() (stop func() error, err error) {
	if s.profile == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(s.profile)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

func listen(ctx context.Context) (net.Listener, error) {
	var lc net.ListenConfig
	return lc.Listen(ctx, "tcp", "127.0.0.1:0")
}

func serveBare(ctx context.Context, in io.Reader, out io.Writer) error {
	l, err := listen(ctx)
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() {
		served <- http.Serve(l, http.HandlerFunc(answerBare)) //nolint:gosec // it is what others are compared with
	}()
	fmt.Fprintln(out, l.Addr(), "-", "-")
	_, err = io.Copy(io.Discard, in)
	err = errors.Join(err, l.Close())
	if ended := <-served; !errors.Is(ended, net.ErrClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// serveBareH2 serves the bare handler as tests do, which have a certificate ready.
func serveBareH2(in io.Reader, out io.Writer) error {
	s := httptest.NewUnstartedServer(http.HandlerFunc(answerBare))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	fmt.Fprintln(out, s.Listener.Addr(), "-", "-")
	_, err := io.Copy(io.Discard, in)
	return err
}

func answerBare(w http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body) // as a bare handler does
	w.WriteHeader(http.StatusOK)
}

func (s settings) serveReceiver(ctx context.Context, in io.Reader, out io.Writer) error {
	room := make([]byte, mockreceiver.Headroom) // as the command has it
	defer runtime.KeepAlive(room)
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + mockreceiver.SpareThreads) // likewise
	debug.SetMemoryLimit(mockreceiver.MemoryLimit)                        // likewise
	data, err := listen(ctx)
	if err != nil {
		return err
	}
	control, err := listen(ctx)
	if err != nil {
		return err
	}
	cfg := mockreceiver.Config{Journal: s.journal}
	if s.mode == memory {
		cfg = mockreceiver.Config{Memory: true}
	}
	if overH2(s.mode) {
		cfg.TLS, cfg.HTTP2 = &mockreceiver.TLS{}, true
	}
	r, err := mockreceiver.New(cfg)
	if err != nil {
		return err
	}
	if err := errors.Join(r.Serve(data, control), s.endpoints(r)); err != nil {
		return errors.Join(err, r.Close())
	}
	fmt.Fprintln(out, data.Addr(), control.Addr(), r.Token())
	_, err = io.Copy(io.Discard, in)
	return errors.Join(err, r.Close())
}

func (s settings) endpoints(r *mockreceiver.Receiver) error {
	handled := effects.None
	if s.mode == business {
		handled = effects.Transaction
	}
	_, err := r.AddEndpoint(mockreceiver.Endpoint{
		Name: "e", Plan: fault.OK(), Business: handled,
		Verify: &mockreceiver.Verify{Scheme: scheme, Secrets: []string{secret}, Reject: true},
	})
	if err != nil {
		return err
	}
	// A second endpoint shows whether what goes on at the first one keeps others waiting.
	_, err = r.AddEndpoint(mockreceiver.Endpoint{Name: "other", Business: effects.None, Plan: fault.OK()})
	return err
}
