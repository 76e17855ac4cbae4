package mockreceiver_test

import (
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// fullListener has no file descriptor for the first tries of each connection.
type fullListener struct {
	net.Listener
	tries atomic.Int64
}

func (l *fullListener) Accept() (net.Conn, error) {
	if l.tries.Add(1)%4 != 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: l.Addr(), Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

func TestUsedUpFileDescriptorsAreToldOnce(t *testing.T) {
	t.Parallel()
	r := &rig{t: t, changed: make(chan struct{})}
	receiver, err := mockreceiver.New(mockreceiver.Config{Observe: r.observe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := receiver.Close(); err != nil {
			t.Error(err)
		}
	})
	data, control := fullAt(t), fullAt(t)
	if err := receiver.Serve(data, control); err != nil {
		t.Fatal(err)
	}
	url, err := receiver.AddEndpoint(mockreceiver.Endpoint{Name: "e", Plan: fault.OK()})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 3 {
		res, err := client.Post(url, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if _ = res.Body.Close(); res.StatusCode != http.StatusOK {
			t.Errorf("answered %d", res.StatusCode)
		}
	}
	res, err := client.Get(receiver.ControlURL() + "/healthz") // the other listener has waited as well
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	r.outcomes(3)
	told := of[*evidence.Trouble](r.until("a trouble", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) > 0 }))
	if len(told) != 1 || !strings.HasPrefix(told[0].What, "the receiver's file descriptors are used up") || !strings.Contains(told[0].What, "ulimit -n") {
		t.Errorf("told: %s", describe(r.until("all", func([]evidence.Record) bool { return true })))
	}
}

func fullAt(t *testing.T) net.Listener {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return &fullListener{Listener: l}
}
