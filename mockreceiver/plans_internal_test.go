package mockreceiver

import (
	"fmt"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestRuleSaysWhenItForgetsEvents(t *testing.T) {
	p, err := fault.Parse("502, 200")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := newRules([]fault.Rule{{Match: "true", Plan: p}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	choose := func(key string) pick {
		var p pick
		rules[0].choose(&p, key, 0)
		return p
	}
	for i := range 2 * maxCourse {
		if p := choose(fmt.Sprint(i)); p.step.String() != "502" || p.forgot {
			t.Fatalf("event %d: step %s, forgot %t", i, p.step, p.forgot)
		}
	}
	if p := choose(fmt.Sprint(2*maxCourse - 1)); p.step.String() != "200" || !p.forgot {
		t.Errorf("an event that has just come: step %s, forgot %t, want 200 and that others were forgotten", p.step, p.forgot)
	}
	if p := choose("0"); p.step.String() != "502" || p.forgot {
		t.Errorf("the first event of all: step %s, forgot %t, want it to begin anew", p.step, p.forgot)
	}
}
