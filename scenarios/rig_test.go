package scenarios_test

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/internal/refsender"
)

// brief is bounded-6 with a schedule of two seconds, for tests of how runs are made and not of what they find.
func brief() (*contract.Contract, error) {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		return nil, err
	}
	s := c.Schedule
	s.Waits = []time.Duration{time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond}
	s.Attempts, s.Deadline, s.Timeout = 4, 2*time.Second, 600*time.Millisecond // twice the least allowance
	c.RetryAfter, c.Acceptance.Sample = nil, 50
	return c, c.Validate()
}

// attached is a driver for a reference sender within this process. stop ends the sender.
func attached(c *contract.Contract, defect, dir string) (l sender.Launcher, stop func(), err error) {
	s, err := refsender.New(refsender.Config{DB: filepath.Join(dir, "sender.db"), Contract: c, Defect: defect})
	if err != nil {
		return nil, nil, err
	}
	server := httptest.NewServer(s.Handler())
	stop = func() {
		server.Close()
		_ = s.Stop() // the test is over; what it was about is in the evidence
	}
	a, err := inprocess.Adapter(server.URL)
	if err != nil {
		return nil, stop, err
	}
	l, err = httpapi.New(a, httpapi.Options{TempDir: dir})
	return l, stop, err
}

// background is for code that runs outside of a test function.
func background() context.Context { return context.Background() }
