package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
)

const (
	// localhost is a name for both families, and is served on both.
	localhost = "localhost"
	// portTries is how many free ports are tried until one is free in both families.
	portTries = 10
)

// listenOn listens on a TCP address; empty is a free port on loopback. localhost is listened on in both families where the
// machine has both, since a sender may take either; then there are two listeners with one port.
func listenOn(ctx context.Context, on Network, addr string) ([]net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: want host:port, such as 127.0.0.1:8080, or 127.0.0.1:0 for a free port", addr)
	}
	if strings.EqualFold(host, localhost) {
		return listenOnBoth(ctx, on, port)
	}
	l, err := on.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return []net.Listener{l}, nil
}

func listenOnBoth(ctx context.Context, on Network, port string) ([]net.Listener, error) {
	for try := 1; ; try++ {
		four, err := on.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			return nil, fmt.Errorf("listen on %s:%s: %w", localhost, port, err)
		}
		six, err := on.Listen(ctx, "tcp", net.JoinHostPort("::1", portOf(four.Addr())))
		switch {
		case err == nil:
			return []net.Listener{four, six}, nil
		case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT):
			return []net.Listener{four}, nil // the machine has no IPv6
		case port != "0" || try == portTries || !errors.Is(err, syscall.EADDRINUSE):
			closeAll([]net.Listener{four})
			return nil, fmt.Errorf("listen on %s:%s: %w", localhost, port, err)
		}
		closeAll([]net.Listener{four}) // another program has the port in the other family
	}
}

func portOf(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return strconv.Itoa(tcp.Port)
	}
	return "0"
}

// byName is the base URL of what listens on localhost; empty where the address was given otherwise.
func byName(addr string, at net.Addr, t *TLS) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || !strings.EqualFold(host, localhost) {
		return ""
	}
	return scheme(t) + net.JoinHostPort(localhost, portOf(at))
}

func scheme(t *TLS) string {
	if t != nil {
		return "https://"
	}
	return "http://"
}
