package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/reports"
)

// TestAClockStepIsSaidAndBlamesNobody judges a run in which the wall clock was set forward by a minute between two attempts, as a
// time server does. Signed times then look stale, and the sender is not to blame.
func TestAClockStepIsSaidAndBlamesNobody(t *testing.T) {
	for _, tt := range []struct {
		name string
		step time.Duration
		want judge.Outcome
	}{
		{"no step", 0, judge.Pass},
		{"a minute forward", time.Minute, judge.Inconclusive},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "evidence.ndjson")
			writeStepped(t, file, tt.step)
			out := filepath.Join(dir, "judged")
			code, _, stderr := hookassay(t, "judge", file, "--out", out)
			res, err := reports.ReadResults(filepath.Join(out, "results.json"))
			if err != nil {
				t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
			}
			v := res.Verdicts[0]
			if v.Outcome != tt.want {
				t.Errorf("got %s: %s; want %s", v.Outcome, v.Because, tt.want)
			}
			if tt.step != 0 && !strings.Contains(v.Because, "wall clock and monotonic clock") {
				t.Errorf("the reason does not name the clocks: %s", v.Because)
			}
		})
	}
}

// writeStepped writes the evidence of one event with two attempts, five seconds apart.
func writeStepped(t *testing.T, file string, step time.Duration) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, c := quickContract(t, "")
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	const key = "a secret of the endpoint"
	started := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	w := evidence.NewWriter(f)
	add := func(rec evidence.Record) {
		t.Helper()
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	add(&evidence.Header{Schema: evidence.Schema, Started: started, Contract: string(text)})
	add(&evidence.Endpoint{Name: "e", Scenario: "time/step", Secrets: []evidence.Secret{{Value: key}}})
	marker := evidence.MarkerPrefix + strings.Repeat("0", 20)
	add(&evidence.Act{Act: evidence.ActEmit, Scenario: "time/step", Endpoint: "e", Marker: marker, Returned: time.Millisecond})
	for i, at := range []time.Duration{10 * time.Millisecond, 5 * time.Second} {
		wall := started.Add(at)
		if i > 0 {
			wall = wall.Add(step)
		}
		add(arrivalAt(t, int64(i+1), at, wall, marker, key))
		status := []int{http.StatusServiceUnavailable, http.StatusOK}[i]
		add(&evidence.Outcome{Of: int64(i + 1), Fault: "status", Status: status, End: evidence.EndComplete, ReplyStart: at + 1, ReplyEnd: at + 2})
	}
	add(&evidence.Scenario{Name: "time/step", Family: "time", Checks: []string{"time.fresh"}, WatchUntil: 10 * time.Second})
	if _, err := w.Close(10*time.Second, ""); err != nil {
		t.Fatal(err)
	}
}

// arrivalAt is a request that a good sender signed at the wall-clock time at which it arrived.
func arrivalAt(t *testing.T, seq int64, at time.Duration, wall time.Time, marker, key string) *evidence.Arrival {
	t.Helper()
	scheme, err := signature.Lookup("timestamp-v1")
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Appendf(nil, `{"id":"evt_1","data":{"m":%q}}`, marker)
	h, err := scheme.Sign(signature.Content{ID: "evt_1", At: wall, Body: body}, key)
	if err != nil {
		t.Fatal(err)
	}
	head := "POST /e HTTP/1.1\r\nX-Webhook-Id: evt_1\r\n" + scheme.Header() + ": " + h.Get(scheme.Header()) + "\r\n\r\n"
	return &evidence.Arrival{
		Seq: seq, Scenario: "time/step", Endpoint: "e", Conn: evidence.Conn{ID: seq, Request: 1}, Wall: wall,
		FirstByte: at, BodyEnd: at, Head: evidence.Raw(head), Body: body, BodySize: int64(len(body)), Attempt: int(seq),
	}
}
