package main

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

// certificateFlags find the key of a sender that names its certificate by a URL in each request. Nothing is fetched: the certificates
// are files.
type certificateFlags struct {
	dir, roots string
	hosts      []string
}

func (f *certificateFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.dir, "certificates", "", "folder with the certificates that requests name by URL, each in PEM in a file named like the URL's end; nothing is fetched")
	fs.StringArrayVar(&f.hosts, "certificate-host", nil, "host that those URLs must be at; may be repeated")
	fs.StringVar(&f.roots, "certificate-ca", "", "file with the authorities that must vouch for them; empty is the system's")
	for name, c := range map[string]completer{
		"certificates": anyFile, "certificate-host": cobra.NoFileCompletions, "certificate-ca": anyFile,
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, c) // fails only for a flag that is not there
	}
}

// key is the key of a request's sender; empty where none is to be found this way.
func (f *certificateFlags) key(s *signature.Scheme, r signature.Request, at time.Time) (string, error) {
	if f.dir == "" {
		return "", nil
	}
	if len(f.hosts) == 0 {
		return "", errors.New("--certificates needs --certificate-host: without it a stranger could name a certificate of his own")
	}
	where := s.CertificateURL(evidence.Head{Fields: r.Fields}.Header())
	if where == "" {
		return "", fmt.Errorf("--certificates: the request names no certificate by %s", cmp.Or(s.Record().CertificateHeader, "any header of "+s.ID()))
	}
	roots, err := f.pool()
	if err != nil {
		return "", err
	}
	if at.IsZero() {
		at = time.Now() //nolint:forbidigo // a person at a terminal verifies now
	}
	key, err := signature.Certificates{Fetch: f.read, Hosts: f.hosts, Roots: roots}.Key(where, at)
	if err != nil {
		return "", fmt.Errorf("--certificates: %w", err)
	}
	return key, nil
}

func (f *certificateFlags) pool() (*x509.CertPool, error) {
	if f.roots == "" {
		return x509.SystemCertPool()
	}
	text, err := readUpTo(f.roots, maxPEM)
	if err != nil {
		return nil, fmt.Errorf("--certificate-ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--certificate-ca %s: holds no certificate in PEM", f.roots)
	}
	return pool, nil
}

// maxPEM is more than a bundle of all public authorities has.
const maxPEM = 1 << 20

// read finds the file of a URL: its last part, as it is or with .pem behind it, and never outside of the folder.
func (f *certificateFlags) read(at string) ([]byte, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	name := path.Base(u.Path)
	if !filepath.IsLocal(name) || filepath.Base(name) != name {
		return nil, errors.New("the URL ends in no name of a file")
	}
	text, err := readUpTo(filepath.Join(f.dir, name), maxPEM)
	if errors.Is(err, os.ErrNotExist) {
		return readUpTo(filepath.Join(f.dir, name+".pem"), maxPEM)
	}
	return text, err
}
