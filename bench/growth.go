package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// What must hold with a journal of full size.
const (
	fullSize   = 200_000
	smallSize  = 10_000
	window     = 20_000 // requests of one measurement
	windows    = 3
	maxSlower  = 0.15
	maxMemory  = 60 << 20
	maxNewest  = 5 * time.Millisecond
	maxCount   = 20 * time.Millisecond
	maxStart   = 50 * time.Millisecond
	readRounds = 21
)

// growth fills a journal and measures at its beginning and at its end, then reads from it and starts on it anew.
func growth(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("growth", flag.ContinueOnError)
	mode := fs.String("mode", business, "durable or business")
	if err := fs.Parse(args); err != nil {
		return err
	}
	sign, err := signature.Lookup(scheme)
	if err != nil {
		return err
	}
	r, err := newRequests(sign, fullSize)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hookassay-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears it otherwise
	journal := filepath.Join(dir, "journal.db")
	c := checks{out: out}
	s, err := launch(ctx, "-mode", *mode, "-journal", journal)
	if err != nil {
		return err
	}
	if err := c.fill(ctx, s, r); err != nil {
		return errors.Join(err, s.stop())
	}
	if err := errors.Join(c.reads(ctx, s), s.stop()); err != nil {
		return err
	}
	for name, args := range map[string][]string{
		"start to first 2xx, new journal":  {"-mode", *mode, "-journal", filepath.Join(dir, "new.db")},
		"start to first 2xx, full journal": {"-mode", *mode, "-journal", journal},
	} {
		took, err := firstAnswer(ctx, args)
		if err != nil {
			return err
		}
		c.most(name, took, maxStart)
	}
	return errors.Join(c.failed...)
}

// checks prints figures and remembers those out of bounds.
type checks struct {
	out    io.Writer
	failed []error
}

func (c *checks) most(name string, got, limit time.Duration) {
	c.say(name, got.Round(10*time.Microsecond).String(), limit.String(), got <= limit)
}

func (c *checks) say(name, got, limit string, ok bool) {
	fmt.Fprintf(c.out, "%-36s %12s   (at most %s)\n", name, got, limit)
	if !ok {
		c.failed = append(c.failed, fmt.Errorf("%s: %s, want %s at most", name, got, limit))
	}
}

// fill brings the journal to its full size, and compares the time for a request at both ends.
func (c *checks) fill(ctx context.Context, s *server, r *requests) error {
	measure := func(name string) (float64, error) {
		var rates []float64
		before, err := s.cpu()
		if err != nil {
			return 0, err
		}
		for range windows {
			r.until += window
			got, err := load(ctx, s.data, r, span{})
			if err != nil {
				return 0, err
			}
			r.next.Store(r.until)
			rates = append(rates, got.rate)
		}
		after, err := s.cpu()
		slices.Sort(rates)
		fmt.Fprintf(c.out, "%-36s %12.0f   (%s of CPU each)\n", "answers/s "+name, rates[windows/2], (after-before)/(windows*window))
		return rates[windows/2], err
	}
	to := func(n int64) error {
		r.until = n
		_, err := load(ctx, s.data, r, span{})
		r.next.Store(r.until)
		return err
	}
	if err := to(smallSize); err != nil {
		return err
	}
	small, err := measure("from 10,000 attempts")
	if err != nil {
		return err
	}
	if err := to(fullSize - windows*window); err != nil {
		return err
	}
	full, err := measure("up to 200,000 attempts")
	if err != nil {
		return err
	}
	slower := 1 - full/small
	c.say("slower by", fmt.Sprintf("%.0f %%", 100*slower), fmt.Sprintf("%.0f %%", 100*maxSlower), slower <= maxSlower)
	rss, err := s.memory("VmRSS")
	if err != nil {
		return err
	}
	c.say("resident memory", fmt.Sprintf("%d MiB", rss>>20), fmt.Sprintf("%d MiB", maxMemory>>20), rss <= maxMemory)
	return nil
}

// memory is a figure of the server's memory as the system has it.
func (s *server) memory(name string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("memory of the server: no %s in its status", name)
}

// cpu is what the server has used of the processors.
func (s *server) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the program's name may hold spaces
	fields := strings.Fields(rest)
	var ticks int64
	for _, f := range fields[11:13] { // user and system
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("processor time of the server: %w", err)
		}
		ticks += n
	}
	const tick = 10 * time.Millisecond // 100 a second on every Linux
	return time.Duration(ticks) * tick, nil
}

func (c *checks) reads(ctx context.Context, s *server) error {
	for _, read := range []struct {
		name, path string
		limit      time.Duration
	}{
		{"newest 50", "/v1/attempts?limit=50", maxNewest},
		{"newest 50 of an endpoint", "/v1/attempts?endpoint=e&limit=50", maxNewest},
		{"attempts of an event", "/v1/attempts?endpoint=e&event=evt_000000042&limit=50", maxNewest},
		{"count of an endpoint", fmt.Sprintf("/v1/wait?endpoint=e&count=%d&timeout=0s", fullSize), maxCount},
	} {
		took, err := s.timed(ctx, read.path)
		if err != nil {
			return fmt.Errorf("%s: %w", read.name, err)
		}
		c.most(read.name, took, read.limit)
	}
	return nil
}

// timed is the median time of a call to the control API.
func (s *server) timed(ctx context.Context, path string) (time.Duration, error) {
	var times []time.Duration
	for range readRounds {
		from := time.Now()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.control+path, nil)
		if err != nil {
			return 0, err
		}
		req.Header.Set("Authorization", "Bearer "+s.token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err
		}
		b, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			return 0, err
		}
		if resp.StatusCode != http.StatusOK {
			return 0, fmt.Errorf("%s: %s", resp.Status, b)
		}
		times = append(times, time.Since(from))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// firstAnswer is the time from the start of a server to its first 2xx, the median of five.
func firstAnswer(ctx context.Context, args []string) (time.Duration, error) {
	var times []time.Duration
	for range 5 {
		from := time.Now()
		s, err := launch(ctx, args...)
		if err != nil {
			return 0, err
		}
		err = post(ctx, "http://"+s.data+"/hooks/other")
		times = append(times, time.Since(from))
		if err := errors.Join(err, s.stop()); err != nil {
			return 0, err
		}
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func post(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"id":"probe"}`))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		err = fmt.Errorf("probe: %s", resp.Status)
	}
	return errors.Join(err, resp.Body.Close())
}
