package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/alarm"
)

// TestAlarmsOverAHistory plays four hours in which the receiver fails for the second one, and one event is never delivered.
func TestAlarmsOverAHistory(t *testing.T) {
	h := &history{deadline: 75 * time.Minute, keyed: true}
	for m := range 240 {
		at := time.Duration(m) * time.Minute
		h.attempts = append(h.attempts, past{event: fmt.Sprint(m), from: at, at: at, ok: m < 60 || m >= 120, badly: m >= 235})
	}
	for m := 60; m < 120; m++ {
		if m != 100 { // which is lost
			at := 125*time.Minute + time.Duration(m)*time.Second
			h.attempts = append(h.attempts, past{event: fmt.Sprint(m), from: at, at: at, ok: true})
		}
	}
	sortEnds(h)
	got := map[string]seenAlarm{}
	for _, a := range h.evaluate() {
		got[a.Name] = a
	}
	for name, want := range map[string]alarm.State{
		alarm.SuccessRate: alarm.OK, alarm.RetryBacklog: alarm.OK, alarm.DeadLetters: alarm.Firing, alarm.NoSuccess: alarm.OK,
		alarm.SignatureFailures: alarm.OK,
	} {
		if a := got[name]; a.State != want {
			t.Errorf("%s is %s at the end (%s), want %s", name, a.State, a.Because, want)
		}
	}
	if a := got[alarm.SuccessRate]; a.Fired == 0 || a.FirstFired != time.Hour {
		t.Errorf("the success rate fired in %d minutes, first after %v; want after the first failure, at 1 h", a.Fired, a.FirstFired)
	}
	if a := got[alarm.NoSuccess]; a.FirstFired != 89*time.Minute {
		t.Errorf("no success fired first after %v, want 30 min after minute 59", a.FirstFired)
	}
	if a := got[alarm.DeadLetters]; a.FirstFired != 176*time.Minute {
		t.Errorf("dead letters fired first after %v, want 75 min after minute 100", a.FirstFired)
	}
}
