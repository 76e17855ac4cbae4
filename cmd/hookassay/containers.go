package main

import (
	"context"

	"github.com/hookassay/hookassay/harness/sender/container"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// containersOf connects to the engine where the sender runs in containers. end is to be called once the senders are closed.
func containersOf(ctx context.Context, d driver) (_ httpapi.Containers, end func() error, err error) {
	if a, ok := d.(adapterDriver); !ok || !a.InContainers() {
		return nil, func() error { return nil }, nil
	}
	e, err := container.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	return e, e.Close, nil
}
