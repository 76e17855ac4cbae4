package refsender

import "net/http"

// follow returns the answer that counts, which is the one that came unless a defect goes where it leads. A redirect to the same
// place would be a loop, and is not followed.
func (d defect) follow(c *http.Transport, req *http.Request, resp *http.Response) (*http.Response, error) {
	if d != redirectPostToGet && d != redirectToInternal || resp.StatusCode < 300 || resp.StatusCode > 399 {
		return resp, nil
	}
	to, _ := resp.Location() // nil: it leads nowhere
	if to == nil || to.String() == req.URL.String() || (to.Host != req.URL.Host) != (d == redirectToInternal) {
		return resp, nil
	}
	_ = resp.Body.Close() // a redirect's own body says nothing
	again, err := http.NewRequestWithContext(req.Context(), http.MethodGet, to.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	got, err := c.RoundTrip(again)
	if err != nil || d == redirectPostToGet {
		return got, err
	}
	_ = got.Body.Close() // what it answers is not looked at
	resp.Body = http.NoBody
	return resp, nil
}
