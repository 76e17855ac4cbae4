package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestKilledReceiverHasWhatItAnswered kills the real program under load, three times with one journal, and looks for every
// attempt whose answer a client has seen.
func TestKilledReceiverHasWhatItAnswered(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	answered := map[string]bool{}
	for try := range 3 {
		r := startReceiver(t, path)
		for id := range r.load(t, try, 400) {
			answered[id] = true
		}
		lookFor(t, path, answered)
	}
	again := startReceiver(t, path) // it records what the database holds and no record says
	if err := again.cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = again.cmd.Wait() // it was killed
	if bare := lookFor(t, path, answered); bare > 0 {
		t.Errorf("%d answered attempts have no effect, although their business rows are there", bare)
	}
}

// runningReceiver is the program as a process of its own.
type runningReceiver struct {
	cmd *exec.Cmd
	url *url.URL
}

func startReceiver(t *testing.T, path string) *runningReceiver {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &runningReceiver{cmd: exec.CommandContext(t.Context(), exe, "receiver", "--journal", path)}
	r.cmd.Stderr = os.Stderr
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for r.url == nil {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the receiver said %q and no more: %v", line, err)
		}
		if text, ok := strings.CutPrefix(line, "receiving at"); ok {
			if r.url, err = url.Parse(strings.TrimSpace(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // ends with the process
	return r
}

// load sends over 16 connections, kills the receiver after so many answers, and returns the ids of what was answered.
func (r *runningReceiver) load(t *testing.T, try, enough int) map[string]bool {
	t.Helper()
	ids := make(chan string)
	var clients sync.WaitGroup
	for c := range 16 {
		clients.Go(func() { sendUntilKilled(r.url, fmt.Sprintf("evt_%d_%d", try, c), ids) })
	}
	go func() {
		clients.Wait()
		close(ids)
	}()
	answered := map[string]bool{}
	for id := range ids {
		answered[id] = true
		if len(answered) == enough {
			if err := r.cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	_ = r.cmd.Wait() // it was killed
	if len(answered) < enough {
		t.Fatalf("%d answers, want %d before the receiver is killed", len(answered), enough)
	}
	return answered
}

// sendUntilKilled sends one request after another and logs the ids of those that got an answer.
func sendUntilKilled(to *url.URL, prefix string, answered chan<- string) {
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", to.Host)
	if err != nil {
		return // nothing is answered, which load reports
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s_%d", prefix, i)
		body := fmt.Sprintf(`{"id":%q,"filler":%q}`, id, strings.Repeat("x", 1000))
		if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s", to.Path, len(body), body); err != nil {
			return
		}
		line, err := answers.ReadString('\n')
		if err != nil {
			return
		}
		if strings.HasPrefix(line, "HTTP/1.1 200 ") {
			answered <- id
		}
		for line != "\r\n" {
			if line, err = answers.ReadString('\n'); err != nil {
				return
			}
		}
	}
}

// lookFor fails for every id that the journal does not hold, and returns how many of the others are without the record of an
// effect.
func lookFor(t *testing.T, path string, answered map[string]bool) (bare int) {
	t.Helper()
	j, err := journal.Open(t.Context(), path, journal.Full)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}()
	there := map[string]bool{}
	for after := int64(0); ; {
		list, err := j.Attempts(t.Context(), journal.Query{After: after, Limit: 500})
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			break
		}
		for _, a := range list {
			there[a.Key] = true
			after = a.Seq
			if a.Effect == nil && answered[a.Key] {
				bare++
			}
			if a.Effect != nil && a.Effect.Result != evidence.EffectCommitted {
				t.Errorf("attempt %d: its business write was %s", a.Seq, a.Effect.Result)
			}
		}
	}
	missing := 0
	for id := range answered {
		if !there[id] {
			missing++
		}
	}
	if missing > 0 {
		t.Errorf("%d of %d answered attempts are not in the journal", missing, len(answered))
	}
	return bare
}
