package main

import (
	"os"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/selftest"
)

// TestHTTP2IsSpoken plays the variant that speaks HTTP/2 where the receiver offers it: no check may fail, and its evidence must hold
// requests over HTTP/2, first tries and retries, without which it would prove nothing.
func TestHTTP2IsSpoken(t *testing.T) {
	t.Parallel()
	p := players{state: t.TempDir()}
	row := selftest.Row{Kind: selftest.Variant, Name: "http2", Contract: selftest.Default}
	played, err := p.processes(t.Context(), selftest.Job{Row: row, Seed: 7, Select: []string{"sec/tls-trusted"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range played.Verdicts {
		if v.Outcome != judge.Pass && v.Outcome != judge.NotApplicable && v.Outcome != judge.Inconclusive {
			t.Errorf("%s: %s: %s", v.Check, v.Outcome, v.Because)
		}
	}
	file, err := os.Open(played.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	run, err := evidence.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	byProto, retries := map[string]int{}, 0
	for i := range run.Attempts {
		a := &run.Attempts[i]
		if a.Origin != "" || !a.Handled() {
			continue
		}
		byProto[a.Conn.Proto]++
		if a.Conn.Proto == "HTTP/2.0" && a.Attempt > 1 {
			retries++
		}
	}
	// One of the scenario's two endpoints offers HTTP/2. Each gets an event that is delivered at once and one that is retried.
	if byProto["HTTP/2.0"] < 3 || byProto["HTTP/1.1"] < 3 || retries < 1 {
		t.Errorf("requests by version: %v, and %d retries over HTTP/2; want both versions, and a retry", byProto, retries)
	}
}
