package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// lateness is a watcher that is told of late probes.
type lateness struct {
	quiet
	late chan time.Duration
}

func (l *lateness) Late(_ time.Time, late time.Duration) {
	select {
	case l.late <- late:
	default:
	}
}

const probedOps = `
probe: /healthz
ops:
  register: {method: POST, path: /e, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /m, expect: 202}
`

// A sender that runs already may stand at a breakpoint: that must be seen.
func TestAttachedSenderIsProbed(t *testing.T) {
	t.Parallel()
	const stands = 400 * time.Millisecond
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if asked.Add(1) == 6 {
			<-time.After(stands)
		}
	}))
	t.Cleanup(s.Close)
	l, err := newLauncher(s.URL, probedOps, httpapi.Options{NoTimeouts: true})
	if err != nil {
		t.Fatal(err)
	}
	w := &lateness{late: make(chan time.Duration, 1000)}
	i, err := l.Launch(t.Context(), "shared", w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	for limit := time.After(time.Minute); ; {
		select {
		case late := <-w.late:
			if late > stands/2 {
				return
			}
		case <-limit:
			t.Fatal("nobody noticed that the sender stood still")
		}
	}
}

func TestNoTimeoutsNeedAProbe(t *testing.T) {
	t.Parallel()
	_, err := newLauncher("http://127.0.0.1:1", strings.Replace(probedOps, "probe: /healthz", "", 1), httpapi.Options{NoTimeouts: true})
	if err == nil || !strings.Contains(err.Error(), "needs a probe") {
		t.Errorf("got %v", err)
	}
}
