package refsender_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// patient is the contract of senders that are killed: room for a process to be started before the second attempt.
func patient() *contract.Contract {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		panic(err) // the profile is part of the program
	}
	ms := time.Millisecond
	c.Schedule.Waits = []time.Duration{5 * ms, 3000 * ms, 100 * ms, 100 * ms}
	c.Schedule.Attempts = 4
	c.Schedule.Timeout = time.Minute // a busy machine's pause is no timeout
	c.Schedule.Deadline = 10 * time.Minute
	c.Workers = 4
	return c
}

// child is a sender in a process of its own.
type child struct {
	client
	cmd *exec.Cmd
}

func startChild(t *testing.T, db, defect string) *child {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childDB+"="+db, childDefect+"="+defect)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &child{client: client{t: t}, cmd: cmd}
	t.Cleanup(c.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	base, ok := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	if err != nil || !ok {
		t.Fatalf("first line of the child: %q, %v", line, err)
	}
	c.base = base
	return c
}

// kill ends the process at once and waits for it.
func (c *child) kill() {
	_ = c.cmd.Process.Kill() // an error says that it has ended already
	_ = c.cmd.Wait()         // it was killed, which Wait reports as an error
}

// scene has one event in flight, one waiting for its retry and three queued, in a sender that is then killed.
type scene struct {
	r                  *receiver
	db                 string
	held, again        string
	flight, waiting    string
	queued             []string
	delivered, replied string
	release            chan struct{}
}

func killAmidst(t *testing.T, defect string) scene {
	t.Helper()
	s := scene{r: newReceiver(t), db: filepath.Join(t.TempDir(), "a b?c%.db"), release: make(chan struct{})}
	s.r.plan("/held", hold(s.release))
	s.r.plan("/again", status(503), status(200))
	c := startChild(t, s.db, defect)
	s.held, s.again = c.register(s.r.URL+"/held"), c.register(s.r.URL+"/again")
	s.replied = c.register(s.r.URL + "/replied")
	s.delivered = c.emit(s.replied, struct{}{})
	c.ended(s.delivered, s.replied, "delivered")
	s.r.next(t)

	s.flight = c.emit(s.held, struct{}{})
	s.r.next(t)
	s.waiting = c.emit(s.again, struct{}{})
	s.r.next(t)
	// The receiver has answered before the sender has written the answer down.
	c.waitFor("the refused attempt in the log", func() bool {
		log := c.delivery(s.waiting, s.again)
		return len(log.Attempts) == 1 && log.Attempts[0].Status == 503
	})
	for range 3 {
		s.queued = append(s.queued, c.emit(s.held, struct{}{}))
	}
	c.kill()
	close(s.release)
	return s
}

func TestKillLosesNothing(t *testing.T) {
	s := killAmidst(t, "")
	c := startChild(t, s.db, "")
	log := c.ended(s.flight, s.held, "delivered")
	if len(log.Attempts) != 2 || log.Attempts[0].Outcome != "interrupted" || log.Attempts[1].Number != 2 {
		t.Errorf("log of the event in flight: %+v", log)
	}
	log = c.ended(s.waiting, s.again, "delivered")
	if len(log.Attempts) != 2 || log.Attempts[0].Status != 503 {
		t.Errorf("log of the waiting event: %+v", log)
	}
	for _, id := range s.queued {
		c.ended(id, s.held, "delivered")
	}
	bodies := map[string]string{}
	for _, path := range []string{"/held", "/again"} {
		for _, h := range s.r.at(path) {
			if before, ok := bodies[h.id()]; ok && before != string(h.body) {
				t.Errorf("bytes of %s changed over the kill", h.id())
			}
			bodies[h.id()] = string(h.body)
		}
	}
	if len(bodies) != 5 {
		t.Errorf("%d ids arrived for 5 events", len(bodies))
	}
	if n := len(s.r.at("/replied")); n != 1 {
		t.Errorf("an event delivered before the kill was sent %d times", n)
	}
}

func TestLossOnKill(t *testing.T) {
	s := killAmidst(t, "loss-on-kill")
	c := startChild(t, s.db, "loss-on-kill")
	for event, endpoint := range map[string]string{s.flight: s.held, s.waiting: s.again, s.queued[0]: s.held} {
		if got := c.call("GET", "/v1/events/"+event+"/deliveries/"+endpoint, nil, nil); got != 404 {
			t.Errorf("delivery of %s after the kill: %d, want 404", event, got)
		}
	}
	if log := c.delivery(s.delivered, s.replied); log.State != "delivered" {
		t.Errorf("an event that had ended: %+v", log)
	}
	c.ended(c.emit(s.held, struct{}{}), s.held, "delivered")
}
