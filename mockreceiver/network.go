package mockreceiver

import (
	"context"
	"net"
)

// Network is where listeners and connections come from. Another than the system's makes a receiver that needs no sockets, as on
// virtual time. Its addresses must be of type *net.TCPAddr, and its connections' SetLinger(0) followed by Close be a reset.
type Network interface {
	// Listen listens on a TCP address: host:port, where port 0 is a free one. An address that is taken is EADDRINUSE.
	Listen(ctx context.Context, network, addr string) (net.Listener, error)
	// DialContext connects to one.
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
}

// system is the system's network.
type system struct{}

func (system) Listen(ctx context.Context, network, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	return lc.Listen(ctx, network, addr)
}

func (system) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, addr)
}
