package mockreceiver

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/h2"
)

// ownAddrs are the local addresses of connections that we opened to ourselves, with what is to become of what comes over
// them. An address is entered before the first byte is sent.
type ownAddrs struct {
	mu     sync.Mutex
	copies map[ownAddr]copyOrder
}

// ownAddr is an end of ours. At the same time a sender may have the same address in a connection to another listener: a port is taken for
// one peer only.
type ownAddr struct{ listener, addr string }

// copyOrder is the step that answers a copy, and for one that a person sent why, and where its number goes once it is
// recorded.
type copyOrder struct {
	as       fault.Step
	reason   string
	recorded chan int64 // with room for one; nil: nobody asks
}

func (o *ownAddrs) add(addr ownAddr, c copyOrder) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.copies == nil {
		o.copies = map[ownAddr]copyOrder{}
	}
	o.copies[addr] = c
}

func (o *ownAddrs) remove(addr ownAddr) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.copies, addr)
}

func (o *ownAddrs) of(addr ownAddr) (copyOrder, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	c, ok := o.copies[addr]
	return c, ok
}

// inject sends a copy of a request to the data listener, over a connection of its own, and reads the answer.
func (r *Receiver) inject(ctx context.Context, a *evidence.Arrival, order copyOrder) error {
	l := r.listeners.named(a.Conn.Listener)
	if l == nil {
		return fmt.Errorf("connect: %w", unknownListenerError(a.Conn.Listener))
	}
	if a.Conn.Proto == protoHTTP2 && !l.HTTP2 {
		return fmt.Errorf("connect: the request came over HTTP/2, which listener %s does not offer", cmp.Or(l.Name, FirstListener))
	}
	raw, err := l.dial(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer raw.Close()
	defer context.AfterFunc(ctx, func() { _ = raw.Close() })() // to end the read below
	local := ownAddr{l.Name, raw.LocalAddr().String()}
	r.own.add(local, order)
	defer r.own.remove(local)
	c, err := l.encrypted(ctx, raw, a)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if a.Conn.Proto == protoHTTP2 {
		return sendStream(c, a)
	}
	if err := writeCopy(c, a); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	if err := readFinal(c); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

// dial connects to the listener, as a sender would.
func (l *listener) dial(ctx context.Context) (net.Conn, error) {
	return l.r.cfg.Network.DialContext(ctx, l.addr.Network(), reachable(l.addr))
}

// encrypted begins TLS as a client, if the listener speaks it. What is agreed on is the version of HTTP that a came over.
func (l *listener) encrypted(ctx context.Context, c net.Conn, a *evidence.Arrival) (net.Conn, error) {
	if l.tls == nil {
		return c, nil
	}
	cfg := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}} // it is our own listener, whatever its certificate
	if a.Conn.Proto == protoHTTP2 {
		cfg.NextProtos = []string{"h2"}
	}
	if a.Conn.TLS != nil {
		cfg.ServerName = a.Conn.TLS.SNI
	}
	t := tls.Client(c, cfg)
	return t, t.HandshakeContext(ctx)
}

// sendStream sends a copy over HTTP/2 and reads its answer.
func sendStream(c net.Conn, a *evidence.Arrival) error {
	head, err := evidence.ParseHead(a.Head)
	if err != nil {
		return err
	}
	if err := h2.Send(c, head.Fields, a.Body, a.TrailerFields()); err != nil {
		return fmt.Errorf("send over HTTP/2: %w", err)
	}
	return nil
}

// writeCopy writes the raw head and the body. A chunked body is sent as one chunk: how it was cut is not kept.
func writeCopy(w io.Writer, a *evidence.Arrival) error {
	raw := append([]byte(nil), a.Head...)
	if chunked, _, _ := framing(a.Head); chunked {
		if len(a.Body) > 0 {
			raw = append(strconv.AppendInt(raw, int64(len(a.Body)), 16), "\r\n"...)
			raw = append(append(raw, a.Body...), "\r\n"...)
		}
		raw = append(append(raw, "0\r\n"...), trailerOf(a)...)
	} else {
		raw = append(raw, a.Body...)
	}
	_, err := w.Write(raw)
	return err
}

// trailerOf is what ends a body in chunks: the trailer as received, if all of it is there.
func trailerOf(a *evidence.Arrival) []byte {
	const end = "\r\n"
	if t := a.Trailer; bytes.HasSuffix(t, []byte(end+end)) {
		return t
	}
	return []byte(end)
}

// readFinal reads answers up to the final one: a 100 Continue may come first.
func readFinal(c net.Conn) error {
	b := bufio.NewReader(c)
	for {
		resp, err := http.ReadResponse(b, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		err = errors.Join(err, resp.Body.Close())
		if err != nil || resp.StatusCode >= http.StatusOK {
			return err
		}
	}
}
