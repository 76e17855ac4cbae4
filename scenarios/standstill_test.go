package scenarios_test

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/scenarios"
)

const (
	// heldFor is longer than the schedule of the brief contract with its deadline.
	heldFor = 3 * time.Second
	// heldAt is the connection with which the receiver stops: in the rush of the start, with attempts of all scenarios to come.
	heldAt = 40
)

// heldListener stands still for a while: it accepts nothing and what came over its connections is not read, although the process
// goes on as ever.
type heldListener struct {
	*net.TCPListener
	accepted atomic.Int64
	until    atomic.Pointer[time.Time]
}

func (l *heldListener) Accept() (net.Conn, error) {
	c, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	if l.accepted.Add(1) == heldAt {
		until := time.Now().Add(heldFor)
		l.until.Store(&until)
	}
	l.hold()
	return heldConn{c, l}, nil
}

func (l *heldListener) hold() {
	if until := l.until.Load(); until != nil {
		<-time.After(time.Until(*until))
	}
}

type heldConn struct {
	*net.TCPConn
	of *heldListener
}

func (c heldConn) Read(p []byte) (int, error) {
	n, err := c.TCPConn.Read(p)
	c.of.hold()
	return n, err
}

// TestAReceiverThatStandsStillFailsNobody: the sender is correct, so that no verdict may fail, and what stood still shows.
func TestAReceiverThatStandsStillFailsNobody(t *testing.T) {
	t.Parallel()
	c, err := brief()
	if err != nil {
		t.Fatal(err)
	}
	launcher, stop, err := attached(c, "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := scenarios.Assay(t.Context(), scenarios.Config{
		Contract: c, Launcher: launcher, Listener: &heldListener{TCPListener: l}, Seed: 1,
		Select: []string{
			"delivery/first-try", "retry/*", "timeout/*", "backoff/simultaneous-failures", "budget/*", "body/*", "effect/lost-ack",
			"log/read-between-attempts", "fair/crowded-endpoint", "lifecycle/*", "replay/delivered", "replay/fails-once",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[judge.Outcome]int{}
	for _, v := range got.Verdicts {
		counts[v.Outcome]++
		if v.Outcome == judge.Fail || v.Outcome == judge.Warn || v.Outcome == judge.Error {
			t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
		}
	}
	t.Log(counts)
	if worst := mostLate(got.Run, "ticker"); worst >= heldFor {
		t.Skipf("the machine stood still as well, for %s: nothing fails, and more cannot be shown", worst)
	}
	if counts[judge.Pass] == 0 || counts[judge.Inconclusive] == 0 {
		t.Errorf("what stood still left no verdict open, or no other one closed: %v", counts)
	}
	if worst := mostLate(got.Run, evidence.NoiseReceiver); worst < heldFor*3/4 {
		t.Errorf("the receiver stood still for %s; the most that the evidence knows of is %s", heldFor, worst)
	}
}

func mostLate(run *evidence.Run, source string) (worst time.Duration) {
	for _, n := range run.Noise {
		for _, us := range n.LateUS {
			if n.Source == source {
				worst = max(worst, time.Duration(us)*time.Microsecond)
			}
		}
	}
	return worst
}
