package mockreceiver

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
)

// TLS are the settings of a listener that speaks TLS. The zero value uses a certificate of the receiver's own authority (see
// Receiver.CA), made at start for localhost, 127.0.0.1, ::1, the listener's address and the host that is advertised.
type TLS struct {
	// CertFile and KeyFile are PEM files of a certificate, with its chain, and of its key. Give both or none.
	CertFile, KeyFile string
}

// tlsServer is what a TLS listener needs for its handshakes.
type tlsServer struct {
	hosts []string
	cert  tls.Certificate
	next  []string // protocols offered by ALPN
	// session keys must be the same for all connections, or none could be resumed.
	base *tls.Config
}

func (r *Receiver) newTLSServer(l *listener) (*tlsServer, error) {
	t := &tlsServer{hosts: hostsOf(l), next: []string{"http/1.1"}}
	if l.HTTP2 {
		t.next = []string{"h2", "http/1.1"}
	}
	var err error
	if files := *l.TLS; files != (TLS{}) {
		if t.cert, err = tls.LoadX509KeyPair(files.CertFile, files.KeyFile); err != nil {
			return nil, fmt.Errorf("certificate %q with key %q: %w", files.CertFile, files.KeyFile, err)
		}
	} else if t.cert, err = r.authority.leaf(t.hosts, sound); err != nil {
		return nil, err
	}
	t.base = t.config(t.cert)
	return t, nil
}

func (t *tlsServer) config(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: t.next, MinVersion: tls.VersionTLS12}
}

// hostsOf are the names by which a sender may reach a listener.
func hostsOf(l *listener) []string {
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	if tcp, ok := l.addr.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() {
		hosts = append(hosts, tcp.IP.String())
	}
	if u, err := url.Parse(l.url); err == nil && u.Hostname() != "" {
		hosts = append(hosts, u.Hostname())
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// handshake begins TLS on a connection. What is found out stands in c.tls, also where it fails.
func (c *wireConn) handshake(ctx context.Context, base *tls.Config) error {
	c.tls = &evidence.TLS{}
	cfg := base.Clone()
	cfg.GetConfigForClient = func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		c.tls.SNI = h.ServerName
		return base, nil
	}
	t := tls.Server(c.raw, cfg)
	if err := t.HandshakeContext(ctx); err != nil {
		return err
	}
	s := t.ConnectionState()
	c.tls.Version, c.tls.Cipher = tls.VersionName(s.Version), tls.CipherSuiteName(s.CipherSuite)
	c.tls.ALPN, c.tls.Resumed = s.NegotiatedProtocol, s.DidResume
	c.Conn, c.h2 = t, s.NegotiatedProtocol == "h2"
	return nil
}
