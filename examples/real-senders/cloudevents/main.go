// Command cloudevents sends events by the HTTP client of the CloudEvents SDK as its documentation shows it, with the retries that
// it offers.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/hookassay/hookassay/examples/real-senders/internal/front"
)

const (
	// period is the first wait; each one after it is twice as long.
	period = 500 * time.Millisecond
	// retries are those after the first attempt.
	retries = 4
)

func main() {
	c, err := cloudevents.NewClientHTTP()
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(front.Serve(front.Library(func(e front.Event, url string) error { return send(c, e, url) })))
}

func send(c cloudevents.Client, e front.Event, url string) error {
	event := cloudevents.NewEvent()
	event.SetID(e.ID)
	event.SetSource("hookassay/examples/real-senders")
	event.SetType(e.Type)
	event.SetTime(time.Now())
	if err := event.SetData(cloudevents.ApplicationJSON, json.RawMessage(e.Data)); err != nil {
		return err
	}
	ctx := cloudevents.ContextWithTarget(context.Background(), url)
	ctx = cloudevents.ContextWithRetriesExponentialBackoff(ctx, period, retries)
	if result := c.Send(ctx, event); !cloudevents.IsACK(result) {
		return fmt.Errorf("given up: %w", result)
	}
	return nil
}
