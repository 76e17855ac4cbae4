package mockreceiver_test

import (
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

func TestInterimIsNoOutcome(t *testing.T) {
	for form, want := range map[string][3]string{
		"interim":                  {"HTTP/1.1 102 Processing", stays, evidence.EndPeerGone},
		"interim(100)":             {"HTTP/1.1 100 Continue", stays, evidence.EndPeerGone},
		"interim(103, with=close)": {"HTTP/1.1 103 Early Hints", ends, evidence.EndClosed},
		"interim(199, with=reset)": {"HTTP/1.1 199 status code 199", reset, evidence.EndReset},
	} {
		t.Run(form, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", form)
			w := r.dial()
			w.send(request("/hooks/e", "x"))
			line, then := w.seen([2]string{want[0], want[1]})
			if line != want[0] || then != want[1] {
				t.Errorf("got %q and %q, want %q", line, then, want)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if o := r.outcomes(1)[0]; o.Fault != "interim" || o.Status != 0 || o.End != want[2] {
				t.Errorf("outcome: %+v", o)
			}
		})
	}
}
