package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// What must hold while everything that eats memory goes on at once.
const (
	hostileJournal = 100_000
	idleConns      = 10_000
	slowConns      = 64
	hugeBody       = 1 << 30
	maxHostile     = 200 << 20
	maxProbe       = 300 * time.Millisecond // a good receiver acknowledges within it
	probeEvery     = 10 * time.Millisecond
)

// hostile fills a journal, then opens idle connections, and sends a body of 1 GiB, heads without an end and requests byte by byte,
// while another endpoint is probed. Then it sends large bodies side by side, and reads them back, while the connections stay.
func hostile(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("hostile", flag.ContinueOnError)
	conns := fs.Int("connections", idleConns, "idle connections; each needs a file in both processes")
	attempts := fs.Int("attempts", hostileJournal, "attempts in the journal")
	if err := fs.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hookassay-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears it otherwise
	s, err := launch(ctx, "-mode", business, "-journal", filepath.Join(dir, "journal.db"))
	if err != nil {
		return err
	}
	c := checks{out: out}
	if err := errors.Join(c.besiege(ctx, s, *conns, *attempts), s.stop()); err != nil {
		return err
	}
	return errors.Join(c.failed...)
}

func (c *checks) besiege(ctx context.Context, s *server, conns, attempts int) error {
	sign, err := signature.Lookup(scheme)
	if err != nil {
		return err
	}
	r, err := newRequests(sign, attempts)
	if err != nil {
		return err
	}
	if _, err := load(ctx, s.data, r, span{}); err != nil {
		return err
	}
	filled, err := s.memory("VmHWM")
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%-36s %9d MiB\n", "resident memory, journal filled", filled>>20)
	idle, err := open(ctx, s.data, conns)
	defer func() {
		for _, conn := range idle {
			_ = conn.Close() // it was idle
		}
	}()
	if err != nil {
		return err
	}
	held, err := s.memory("VmHWM")
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%-36s %9d MiB\n", "with the idle connections", held>>20)
	answer, times, err := underSiege(ctx, s)
	if err != nil {
		return err
	}
	peak, err := s.memory("VmHWM")
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%-36s %9d MiB\n%-36s %12s\n%-36s %12d\n", "under siege", peak>>20, "answer to a body of 1 GiB", answer, "probes of another endpoint", len(times))
	slices.Sort(times)
	c.most("slowest hundredth of the probes", times[len(times)*99/100], maxProbe)
	return c.flood(ctx, s)
}

// underSiege sends one huge body while others drip, and returns its answer and the times of the probes meanwhile.
func underSiege(ctx context.Context, s *server) (answer string, times []time.Duration, err error) {
	siege, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	for range slowConns {
		all.Go(func() { drip(siege, s.data) })
	}
	all.Go(func() { endlessHead(siege, s.data) })
	probed := make(chan error, 1)
	done := make(chan struct{})
	go func() { probed <- probe(ctx, s.data, &times, done) }()
	answer, err = huge(ctx, s.data)
	close(done)
	err = errors.Join(err, <-probed)
	end()
	all.Wait()
	return answer, times, err
}

func open(ctx context.Context, addr string, n int) (list []net.Conn, err error) {
	var d net.Dialer
	for range n {
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return list, fmt.Errorf("after %d connections (each needs an open file here and there): %w", len(list), err)
		}
		list = append(list, conn)
	}
	return list, nil
}

// drip sends a request byte by byte, as a slow-loris client does.
func drip(ctx context.Context, addr string) {
	text := "POST /hooks/e HTTP/1.1\r\nHost: h\r\nX-Slow: " + strings.Repeat("x", 100_000)
	send(ctx, addr, func(conn net.Conn, i int) error {
		time.Sleep(50 * time.Millisecond)
		_, err := conn.Write([]byte{text[i%len(text)]})
		return err
	})
}

// endlessHead sends one field after another, again and again.
func endlessHead(ctx context.Context, addr string) {
	send(ctx, addr, func(conn net.Conn, i int) error {
		line := fmt.Sprintf("X-Field-%d: %s\r\n", i, strings.Repeat("y", 1000))
		if i == 0 {
			line = "POST /hooks/e HTTP/1.1\r\nHost: h\r\n"
		}
		_, err := io.WriteString(conn, line)
		return err
	})
}

// send calls step with growing numbers until the context ends. After an error it begins anew on another connection.
func send(ctx context.Context, addr string, step func(net.Conn, int) error) {
	for ctx.Err() == nil {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return
		}
		for i := 0; ctx.Err() == nil; i++ {
			if step(conn, i) != nil {
				break
			}
		}
		_ = conn.Close() // it is of no more use
	}
}

// huge sends a body of 1 GiB, as far as it is taken, and returns the answer's status line.
func huge(ctx context.Context, addr string) (string, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	answer := make(chan string, 1)
	go func() {
		buf := make([]byte, 4096)
		n, _ := conn.Read(buf) // no answer is an answer
		line, _, _ := strings.Cut(string(buf[:n]), "\r\n")
		answer <- line
	}()
	if _, err := fmt.Fprintf(conn, "POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n", hugeBody); err != nil {
		return "", err
	}
	piece := make([]byte, 1<<20)
	for sent := 0; sent < hugeBody; sent += len(piece) {
		if _, err := conn.Write(piece); err != nil {
			break // it was refused
		}
	}
	return <-answer, nil
}

// probe posts to another endpoint until done is closed, and for a second after the last started.
func probe(ctx context.Context, addr string, times *[]time.Duration, done <-chan struct{}) error {
	for least := time.Now().Add(2 * time.Second); ; {
		from := time.Now()
		if err := post(ctx, "http://"+addr+"/hooks/other"); err != nil {
			return err
		}
		*times = append(*times, time.Since(from))
		select {
		case <-done:
			if time.Now().After(least) {
				return nil
			}
		default:
		}
		time.Sleep(probeEvery)
	}
}
