package virtual

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const (
	// firstPort and lastPort are the ports that are given away, to listeners and to the near ends of connections alike.
	firstPort, lastPort = 10000, 65535
	// backlog is how many connections may wait to be accepted; further ones are refused. It is what Linux lets wait.
	backlog = 4096
)

// network is a network of one host in memory. It stands for loopback: 127.0.0.1, ::1 and localhost.
type network struct {
	mu        sync.Mutex
	listeners map[string]*listener
	ports     map[int]bool // in use
	next      int          // where to look for a free port
	open      map[*conn]bool
}

func newNetwork() *network {
	return &network{listeners: map[string]*listener{}, ports: map[int]bool{}, next: firstPort, open: map[*conn]bool{}}
}

// Listen listens on an address; port 0 is a free one.
func (n *network) Listen(ctx context.Context, network, addr string) (net.Listener, error) {
	at, err := resolve(network, addr)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: network, Err: err}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if at.Port == 0 {
		at.Port = n.freePort()
	}
	if at.Port == 0 || n.listeners[at.String()] != nil {
		return nil, &net.OpError{Op: "listen", Net: network, Addr: at, Err: syscall.EADDRINUSE}
	}
	l := &listener{n: n, addr: at, waiting: make(chan *conn, backlog), done: make(chan struct{})}
	n.listeners[at.String()] = l
	n.ports[at.Port] = true
	return l, nil
}

// DialContext connects to a listener of the network. Where none listens it is ECONNREFUSED, and a name other than localhost is
// not found.
func (n *network) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	to, err := resolve(network, addr)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	refused := &net.OpError{Op: "dial", Net: network, Addr: to, Err: syscall.ECONNREFUSED}
	l := n.listeners[to.String()]
	if l == nil {
		return nil, refused
	}
	from := &net.TCPAddr{IP: to.IP, Port: n.freePort()}
	if from.Port == 0 {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: to, Err: syscall.EADDRNOTAVAIL}
	}
	near, far := newPair(from, to)
	near.ended = func() { n.gone(near, from.Port) }
	far.ended = func() { n.gone(far, 0) } // before it is handed over: whoever accepts it may close it at once
	select {
	case l.waiting <- far:
	default:
		return nil, refused
	}
	n.ports[from.Port], n.open[near], n.open[far] = true, true, true
	return near, nil
}

// gone forgets an end of a connection; its port is free again.
func (n *network) gone(c *conn, port int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.open, c)
	delete(n.ports, port)
}

// freePort is a port that nobody uses; 0 if there is none. n.mu is held.
func (n *network) freePort() int {
	for range lastPort - firstPort + 1 {
		port := n.next
		if n.next++; n.next > lastPort {
			n.next = firstPort
		}
		if !n.ports[port] {
			return port
		}
	}
	return 0
}

// close ends every listener and connection that is left, so that nobody in the bubble waits for one.
func (n *network) close() {
	n.mu.Lock()
	var left []interface{ Close() error }
	for _, l := range n.listeners {
		left = append(left, l)
	}
	for c := range n.open {
		left = append(left, c)
	}
	n.mu.Unlock()
	for _, c := range left {
		_ = c.Close() // whoever owns it has been closed, and it with it, if the owner was careful
	}
}

// resolve finds the address of a host and port. Every address that stands for all of the machine's is 127.0.0.1.
func resolve(network, addr string) (*net.TCPAddr, error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil, net.UnknownNetworkError(network)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > lastPort {
		return nil, &net.AddrError{Err: fmt.Sprintf("port %q is no number from 0 to %d", port, lastPort), Addr: addr}
	}
	ip := net.ParseIP(host)
	switch {
	case host == "", strings.EqualFold(host, "localhost"), ip != nil && ip.IsUnspecified():
		ip = net.IPv4(127, 0, 0, 1)
	case ip == nil:
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return &net.TCPAddr{IP: ip, Port: number}, nil
}

// listener accepts the connections to one address.
type listener struct {
	n       *network
	addr    *net.TCPAddr
	waiting chan *conn
	done    chan struct{}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.waiting:
		return c, nil
	case <-l.done:
		return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: l.addr, Err: net.ErrClosed}
	}
}

// Close implements net.Listener. Connections that nobody has accepted are reset.
func (l *listener) Close() error {
	l.n.mu.Lock()
	if l.n.listeners[l.addr.String()] != l {
		l.n.mu.Unlock()
		return &net.OpError{Op: "close", Net: "tcp", Addr: l.addr, Err: net.ErrClosed}
	}
	delete(l.n.listeners, l.addr.String())
	delete(l.n.ports, l.addr.Port)
	close(l.done)
	l.n.mu.Unlock()
	for {
		select {
		case c := <-l.waiting:
			_ = c.SetLinger(0)
			_ = c.Close() // nobody has it
		default:
			return nil
		}
	}
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return l.addr }
