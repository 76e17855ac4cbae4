// Command retryablehttp posts events by hashicorp/go-retryablehttp with its defaults, and a timeout for each request, which the
// library leaves to its caller.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/hookassay/hookassay/examples/real-senders/internal/front"
)

// timeout is of one request.
const timeout = 5 * time.Second

func main() {
	c := retryablehttp.NewClient() // waits from 1 s to 30 s, and four retries
	c.HTTPClient.Timeout = timeout
	log.Fatal(front.Serve(front.Library(func(e front.Event, url string) error { return send(c, e, url) })))
}

func send(c *retryablehttp.Client, e front.Event, url string) error {
	res, err := c.Post(url, "application/json", []byte(e.Data))
	if err != nil {
		return fmt.Errorf("given up: %w", err)
	}
	defer res.Body.Close() //nolint:errcheck // read as far as it matters
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10))
	if res.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("refused with %s", res.Status)
	}
	return nil
}
