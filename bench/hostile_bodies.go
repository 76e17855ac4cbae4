package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// Large bodies that come at once: together nine times what the receiver lets be in memory.
const (
	parallelBodies = 60
	parallelSize   = 9 << 20
)

// flood sends large bodies side by side, those that were refused once more one by one, and then reads them all back as an export.
func (c *checks) flood(ctx context.Context, s *server) error {
	url, body := "http://"+s.data+"/hooks/other", bytes.Repeat([]byte("0123456789abcde\n"), parallelSize/16)
	var all sync.WaitGroup
	taken, errs := make([]bool, parallelBodies), make([]error, parallelBodies)
	for i := range taken {
		all.Go(func() { taken[i], errs[i] = offer(ctx, url, body) })
	}
	all.Wait()
	refused := 0
	for i := range taken {
		if taken[i] || errs[i] != nil {
			continue
		}
		refused++
		again, err := offer(ctx, url, body)
		if err == nil && !again {
			err = errors.New("large body: refused although it came alone")
		}
		errs[i] = err
	}
	size, err := s.export(ctx)
	fmt.Fprintf(c.out, "%-36s %12d\n%-36s %8d MiB\n", "large bodies refused, then taken", refused, "export of their endpoint", size>>20)
	if err := errors.Join(errors.Join(errs...), err); err != nil {
		return err
	}
	peak, err := s.memory("VmHWM")
	if err != nil {
		return err
	}
	c.say("resident memory, peak of it all", fmt.Sprintf("%d MiB", peak>>20), fmt.Sprintf("%d MiB", maxHostile>>20), peak <= maxHostile)
	return nil
}

// offer sends a body. It returns false if there was no room for it.
func offer(ctx context.Context, url string, body []byte) (taken bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, nil //nolint:nilerr // it was refused before all of it was sent
	}
	if resp.StatusCode != http.StatusServiceUnavailable && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("large body: %s", resp.Status)
	}
	return resp.StatusCode/100 == 2, errors.Join(err, resp.Body.Close())
}

// export reads all requests of the endpoint that is not loaded, and tells how many bytes that were.
func (s *server) export(ctx context.Context) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.control+"/v1/export?format=ndjson&endpoint=other", nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if resp.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("export: %s", resp.Status))
	}
	return n, errors.Join(err, resp.Body.Close())
}
