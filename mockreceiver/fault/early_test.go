package fault_test

import (
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestEarly(t *testing.T) {
	acts(t, script{}, "early", `reply 413 [] ""`)
	acts(t, script{}, "early(status=401, delay=1s)", `hold 1s; reply 401 [] ""`)
	acts(t, script{stop: "hold"}, "early", ``)
}

func TestIntake(t *testing.T) {
	for text, want := range map[string]fault.Intake{
		"early":                {Unread: true},
		"continue(never)":      {Mute: true},
		"cut-request(after=7)": {Unread: true, Most: 7},
		"continue(2s)":         {Wait: 2 * time.Second},
	} {
		p, err := fault.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := p.Then.Intake(); !ok || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, ok, want)
		}
	}
	for text, want := range map[string]bool{"200": false, "502, 200": false, "early, 200": true, "200, early": true} {
		p, err := fault.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Eager(); got != want {
			t.Errorf("%s: eager %v, want %v", text, got, want)
		}
	}
}
