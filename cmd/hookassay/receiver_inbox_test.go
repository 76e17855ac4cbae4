package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite" // registers the driver of that name

	"github.com/hookassay/hookassay/harness/signature"
)

// killedReceiver is a receiver in a process of its own.
type killedReceiver struct {
	cmd *exec.Cmd
	url string
}

func launchReceiver(t *testing.T, flags ...string) *killedReceiver {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"receiver"}, flags...)...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &killedReceiver{cmd: cmd}
	lines := bufio.NewScanner(out)
	for r.url == "" && lines.Scan() {
		if m := regexp.MustCompile(`^receiving at +(\S+)`).FindStringSubmatch(lines.Text()); m != nil {
			r.url = m[1]
		}
	}
	if r.url == "" {
		t.Fatal("the receiver did not say where it receives")
	}
	go func() { // else it would wait for us at a full pipe
		for lines.Scan() {
		}
	}()
	return r
}

// kill is kill -9.
func (r *killedReceiver) kill(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = r.cmd.Wait() // it ended by the signal
}

// TestInboxSurvivesKills kills a receiver in the middle of its work, three times. Every event that got its 2xx is completed
// in the end, once, after a call of the effect with its own key; the others are there as well once they are sent again.
func TestInboxSurvivesKills(t *testing.T) {
	const events, kills = 60, 3 // in each round
	dir := t.TempDir()
	journal, secret := filepath.Join(dir, "journal.db"), filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("canary-one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Slow work and a first try that fails keep events in every state at any time.
	flags := []string{
		"--journal", journal, "--business", "inbox", "--plan", "200(work=5ms)", "--fail-effects", "1", "--secret-file", secret, "--reject",
	}
	s := &sendings{t: t, acked: map[string]bool{}}
	for round := range kills {
		r := launchReceiver(t, flags...)
		half := make(chan struct{})
		var done sync.WaitGroup
		done.Go(func() { s.sendAll(r.url, round*events, (round+1)*events, half) })
		<-half
		r.kill(t)
		done.Wait()
	}
	acked := len(s.acked)
	if sure := kills * (events/2 - senders); acked < sure {
		t.Errorf("%d events got a 2xx, want at least %d", acked, sure)
	}
	last := launchReceiver(t, flags...)
	t.Cleanup(func() { last.kill(t) })
	db, err := sql.Open("sqlite", journal+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	await(t, db, "SELECT count(*) FROM inbox WHERE state <> 'completed'", 0)
	if n := count(t, db, "SELECT count(*) FROM inbox"); n < acked {
		t.Errorf("%d events in the inbox, and %d got a 2xx", n, acked)
	}
	for event := range s.acked {
		if n := count(t, db, "SELECT count(*) FROM inbox WHERE event = ? AND state = 'completed'", event); n != 1 {
			t.Errorf("%s got a 2xx and has %d completed effects", event, n)
		}
	}
	s.sendAll(last.url, 0, kills*events, make(chan struct{}, 1))
	await(t, db, "SELECT count(*) FROM inbox WHERE state = 'completed'", kills*events)
	if n := count(t, db, "SELECT count(*) FROM external WHERE calls >= 1"); n != kills*events {
		t.Errorf("%d effects, want %d", n, kills*events)
	}
}

// senders is how many events are on their way at a time.
const senders = 8

// sendings sends signed events and remembers which got a 2xx.
type sendings struct {
	t     *testing.T
	mu    sync.Mutex
	acked map[string]bool
}

// sendAll sends events and tells when half of them are through, but for those on their way. What fails is a killed receiver.
func (s *sendings) sendAll(url string, from, to int, half chan struct{}) {
	var all sync.WaitGroup
	next := make(chan int)
	for range senders {
		all.Go(func() {
			for i := range next {
				s.send(url, fmt.Sprintf("evt_%d", i))
			}
		})
	}
	for i := from; i < to; i++ {
		if i == (from+to)/2 {
			close(half)
		}
		next <- i
	}
	close(next)
	all.Wait()
}

func (s *sendings) send(url, event string) {
	scheme, err := signature.Lookup("timestamp-v1")
	if err != nil {
		s.t.Error(err)
		return
	}
	body := `{"id":"` + event + `","type":"payment.made"}`
	h, err := scheme.Sign(signature.Content{At: time.Now(), Body: []byte(body)}, "canary-one")
	if err != nil {
		s.t.Error(err)
		return
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return
	}
	req.Header = h
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	if err := resp.Body.Close(); err == nil && resp.StatusCode == http.StatusOK {
		s.mu.Lock()
		s.acked[event] = true
		s.mu.Unlock()
	}
}

func count(t *testing.T, db *sql.DB, query string, args ...any) int {
	t.Helper()
	var n int
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// await waits until a count is as wanted.
func await(t *testing.T, db *sql.DB, query string, want int) {
	t.Helper()
	got := errors.New("never looked")
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(glance) {
		n := count(t, db, query)
		if n == want {
			return
		}
		got = fmt.Errorf("got %d", n)
	}
	t.Fatalf("%s: %v, want %d", query, got, want)
}
