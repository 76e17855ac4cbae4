package mockreceiver

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// TLS are the settings of a listener that speaks TLS. The zero value uses a certificate of the receiver's own authority (see
// Receiver.CA), made at start for localhost, 127.0.0.1, ::1, the listener's address and the host that is advertised.
type TLS struct {
	// CertFile and KeyFile are PEM files of a certificate, with its chain, and of its key. Give both or none.
	CertFile, KeyFile string
}

// tlsServer is what a TLS listener needs for its handshakes.
type tlsServer struct {
	authority *authority
	hosts     []string
	next      []string    // protocols offered by ALPN
	sound     *tls.Config // for all handshakes without a fault

	mu    sync.Mutex
	flawn map[fault.Flaw]tls.Certificate // made when first asked for
}

func (r *Receiver) newTLSServer(l *listener) (*tlsServer, error) {
	t := &tlsServer{authority: &r.authority, hosts: hostsOf(l), next: []string{"http/1.1"}}
	if l.HTTP2 {
		t.next = []string{"h2", "http/1.1"}
	}
	var cert tls.Certificate
	var err error
	if files := *l.TLS; files != (TLS{}) {
		if cert, err = loadPair(files); err != nil {
			return nil, fmt.Errorf("certificate %q with key %q: %w", files.CertFile, files.KeyFile, err)
		}
	} else if cert, err = r.authority.leaf(t.hosts, fault.Sound); err != nil {
		return nil, err
	}
	t.sound = &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: t.next, MinVersion: tls.VersionTLS12}
	// Each handshake has a copy of its own; without a key given here each copy would make one, and no session be resumed.
	var key [32]byte
	_, _ = rand.Read(key[:]) // it never fails
	t.sound.SetSessionTicketKeys([][32]byte{key})
	t.flawn = map[fault.Flaw]tls.Certificate{fault.Sound: cert}
	return t, nil
}

// config is for a handshake. One with a flaw resumes no session: the peer would not look at the certificate.
func (t *tlsServer) config(h fault.Handshake) (*tls.Config, error) {
	if h.Flaw == fault.Sound && h.Version == 0 {
		return t.sound, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	cert, ok := t.flawn[h.Flaw]
	if !ok {
		var err error
		if cert, err = t.authority.leaf(t.hosts, h.Flaw); err != nil {
			return nil, err
		}
		t.flawn[h.Flaw] = cert
	}
	cfg := &tls.Config{
		Certificates: []tls.Certificate{cert}, NextProtos: t.next, MinVersion: tls.VersionTLS12, SessionTicketsDisabled: true,
	}
	if h.Version != 0 {
		cfg.MinVersion, cfg.MaxVersion = h.Version, h.Version
	}
	return cfg, nil
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

// handshake begins TLS on a connection, as planned. What is found out stands in c.tls, also where it fails.
func (c *wireConn) handshake(h fault.Handshake) error {
	base, err := c.of.tls.config(h)
	if err != nil {
		return err
	}
	c.tls = &evidence.TLS{}
	cfg := base.Clone()
	cfg.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		c.tls.SNI, c.tls.Flaw = hello.ServerName, string(h.Flaw)
		return base, c.met(h)
	}
	c.r.deadline(c, c.r.cfg.HeaderTimeout)
	t := tls.Server(c.link, cfg)
	err = t.HandshakeContext(c.r.ctx)
	switch {
	case errors.Is(err, errCut):
		c.part(h.Abort)
		return errEnded
	case err != nil:
		return err
	}
	c.r.deadline(c, 0)
	s := t.ConnectionState()
	c.tls.Version, c.tls.Cipher = tls.VersionName(s.Version), tls.CipherSuiteName(s.CipherSuite)
	c.tls.ALPN, c.tls.Resumed = s.NegotiatedProtocol, s.DidResume
	c.Conn, c.h2 = t, s.NegotiatedProtocol == "h2"
	return nil
}

// met acts out what is planned once ClientHello was read. An error ends the handshake.
func (c *wireConn) met(h fault.Handshake) error {
	if !c.link.pause(h.Wait) {
		return errEnded
	}
	if h.Wait > 0 {
		c.r.deadline(c, c.r.cfg.HeaderTimeout) // the peer's time begins anew
	}
	switch {
	case h.Stall:
		return c.link.drain()
	case h.Alert != "":
		number, _ := fault.AlertNumber(h.Alert) // the parser let only those through that have one
		// A record of type alert (21) that holds level fatal (2), in the version that all records have (RFC 8446, 5.1 and 6).
		_, err := c.link.Write([]byte{21, 3, 3, 0, 2, 2, number})
		c.link.muted = true // crypto/tls would send an alert of its own
		return errors.Join(errEnded, err)
	}
	c.link.cut = h.Abort
	return nil
}
