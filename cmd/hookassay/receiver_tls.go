package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// tlsFlags say how the receiver's connections are encrypted.
type tlsFlags struct {
	on, http2         bool
	caFile, cert, key string
	connPlan          string
}

func (f *tlsFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.on, "tls", false, "take deliveries over TLS, with a certificate of a throw-away authority")
	fs.BoolVar(&f.http2, "http2", false, "offer HTTP/2 beside HTTP/1.1; needs --tls")
	fs.StringVar(&f.caFile, "ca-file", "", "file to write the authority's certificate to, for senders to trust; empty is a temporary one")
	fs.StringVar(&f.cert, "cert", "", "PEM file of a certificate of your own, with its chain; needs --key")
	fs.StringVar(&f.connPlan, "conn-plan", "ok", "how connections begin, by their number (hookassay list faults)")
	fs.StringVar(&f.key, "key", "", "PEM file of its key")
}

// settings puts what the flags mean into cfg.
func (f *tlsFlags) settings(cfg *mockreceiver.Config) (err error) {
	switch {
	case (f.cert == "") != (f.key == ""):
		return errors.New("--cert and --key: give both or none")
	case !f.on && (f.http2 || f.cert != "" || f.caFile != ""):
		return errors.New("--http2, --ca-file, --cert and --key need --tls")
	case f.cert != "" && f.caFile != "":
		return errors.New("--ca-file: a certificate of your own is not signed by the receiver's authority")
	}
	if cfg.ConnPlan, err = fault.ParseConn(f.connPlan); err != nil {
		return fmt.Errorf("--conn-plan: %w", err)
	}
	if f.on {
		cfg.TLS, cfg.HTTP2 = &mockreceiver.TLS{CertFile: f.cert, KeyFile: f.key}, f.http2
	}
	return nil
}

// publish writes the authority's certificate where senders can read it, and says in a line for people how to trust it. The
// caller calls forget at the end.
func (f *tlsFlags) publish(r *mockreceiver.Receiver, url string) (line string, forget func() error, err error) {
	forget = func() error { return nil }
	if !f.on || f.cert != "" {
		return "", forget, nil
	}
	path := f.caFile
	if path == "" {
		file, err := os.CreateTemp("", "hookassay-ca-*.pem")
		if err != nil {
			return "", forget, fmt.Errorf("certificate of the authority: %w", err)
		}
		path = file.Name()
		forget = func() error { return os.Remove(path) }
		if err := file.Close(); err != nil {
			return "", forget, fmt.Errorf("certificate of the authority: %w", err)
		}
	}
	if err := os.WriteFile(path, r.CA(), 0o644); err != nil {
		return "", forget, fmt.Errorf("certificate of the authority: %w", err)
	}
	return fmt.Sprintf("\ntrust it with curl --cacert %s %s", quote(path), url), forget, nil
}

// connectionLine shows a connection that brought no request, or a time during which connections were refused. What a peer
// sent is quoted.
func connectionLine(c *evidence.Connection) string {
	what := "no request"
	if c.Fault != "" {
		what = c.Fault
	}
	if c.Err != "" {
		what += fmt.Sprintf(" (%q)", c.Err)
	}
	if strings.HasPrefix(c.Fault, "tls-") && strings.Contains(c.Err, "bad record MAC") {
		// OpenSSL sends its alert under a key that Go does not read it by.
		what += ", probably the peer's refusal of the certificate"
	}
	lasted := (c.Closed - c.Opened).Round(time.Millisecond)
	if c.End == evidence.EndRefused {
		return fmt.Sprintf("connections to %s  →  %s for %s", c.Local, c.End, lasted)
	}
	return fmt.Sprintf("connection %d from %s  →  %s, %s after %s", c.ID, c.Remote, what, c.End, lasted)
}
