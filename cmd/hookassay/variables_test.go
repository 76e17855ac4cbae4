package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestContractVariables(t *testing.T) {
	want := map[string]string{
		"name": "bounded-6", "compressed_by": "200", "workers": "64",
		"signature.scheme":    "timestamp-v1",
		"signature.tolerance": "5m0s", "signature.tolerance_ms": "300000", "signature.tolerance_s": "300",
		"identity.header": "X-Webhook-Id", "identity.body": "/id",
		"schedule.attempts": "6", "schedule.measured_from": "end",
		"schedule.waits": "5ms,25ms,150ms,600ms,3s,18s", "schedule.waits_ms": "5,25,150,600,3000,18000",
		"schedule.timeout": "500ms", "schedule.timeout_ms": "500",
		"schedule.deadline": "22.5s", "schedule.deadline_ms": "22500",
		"schedule.jitter_plus": "0.02", "schedule.jitter_minus": "0",
		"retry_after.cap": "18s", "retry_after.cap_ms": "18000", "retry_after.cap_s": "18",
		"network.idle_connections": "8", "network.idle_timeout": "1.5s", "network.idle_timeout_ms": "1500",
		"keys.overlap": "27s", "keys.overlap_ms": "27000", "keys.overlap_s": "27",
	}
	c, err := effectiveContract("bounded-6", 200)
	if err != nil {
		t.Fatal(err)
	}
	c.Network.IdleConnections, c.Network.IdleTimeout = 8, 1500*time.Millisecond // which the profile leaves open
	got := contractVariables(c)
	for _, name := range []string{"schedule.lease", "schedule.lease_ms", "schedule.lease_s"} {
		delete(got, name) // a setting of the profile that may come and go
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("variables (-want +got):\n%s", d)
	}
}
