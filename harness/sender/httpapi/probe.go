package httpapi

import (
	"context"
	"io"
	"net/http"
)

// probeAt begins to ask the sender at base for something cheap. It does nothing if the adapter has no probe.
func (i *instance) probeAt(base string) {
	if i.adapter.probe != nil {
		i.probe.Resume(func(ctx context.Context) bool { return i.alive(ctx, base) })
	}
}

// alive tells whether an answer came, of whatever status.
func (c *client) alive(ctx context.Context, base string) bool {
	ask := call{method: http.MethodGet, path: *c.adapter.probe}
	req, err := ask.request(ctx, base, c.adapter, c.values)
	if err != nil {
		return false
	}
	res, err := c.http.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	// The connection is used again only if the answer was read; what a health page says fits in far less.
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
	return err == nil
}
