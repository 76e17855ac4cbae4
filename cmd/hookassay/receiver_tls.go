package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/hookassay/hookassay/mockreceiver"
)

// tlsFlags say how the receiver's connections are encrypted.
type tlsFlags struct {
	on, http2         bool
	caFile, cert, key string
}

func (f *tlsFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.on, "tls", false, "take deliveries over TLS, with a certificate of a throw-away authority")
	fs.BoolVar(&f.http2, "http2", false, "offer HTTP/2 beside HTTP/1.1; needs --tls")
	fs.StringVar(&f.caFile, "ca-file", "", "file to write the authority's certificate to, for senders to trust; empty is a temporary one")
	fs.StringVar(&f.cert, "cert", "", "PEM file of a certificate of your own, with its chain; needs --key")
	fs.StringVar(&f.key, "key", "", "PEM file of its key")
}

// settings are what the flags mean; nil is plain HTTP.
func (f *tlsFlags) settings() (*mockreceiver.TLS, error) {
	switch {
	case (f.cert == "") != (f.key == ""):
		return nil, errors.New("--cert and --key: give both or none")
	case !f.on && (f.http2 || f.cert != "" || f.caFile != ""):
		return nil, errors.New("--http2, --ca-file, --cert and --key need --tls")
	case f.cert != "" && f.caFile != "":
		return nil, errors.New("--ca-file: a certificate of your own is not signed by the receiver's authority")
	case !f.on:
		return nil, nil //nolint:nilnil // plain HTTP needs no settings
	}
	return &mockreceiver.TLS{CertFile: f.cert, KeyFile: f.key}, nil
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
