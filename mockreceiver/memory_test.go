package mockreceiver_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

func TestMemoryKeepsWhatAFileWould(t *testing.T) {
	r := start(t, mockreceiver.Config{Memory: true})
	url, c := r.endpoint("e", "502, reset, 200"), client(t)
	if status, _ := post(t, c, url, `{"id":"evt_1"}`); status != 502 {
		t.Errorf("got %d, want the first step", status)
	}
	if _, _, err := try(c, url, `{"id":"evt_1"}`); err == nil {
		t.Error("the second step was no reset")
	}
	if status, _ := post(t, c, url, `{"id":"evt_1"}`); status != 200 {
		t.Errorf("got %d, want the third step", status)
	}
	r.outcomes(3)
	list, err := r.Attempts(context.Background(), journal.Query{Endpoint: "e", Limit: 10})
	if err != nil || len(list) != 3 {
		t.Fatalf("got %d attempts %v, want 3", len(list), err)
	}
	for i, a := range list {
		if a.Attempt != i+1 || a.Outcome == nil || a.Effect != nil || string(a.Body) != `{"id":"evt_1"}` {
			t.Errorf("attempt %d: %+v", i+1, a)
		}
	}
	if n, err := r.Wait(context.Background(), "e", 0, 3); n != 3 || err != nil {
		t.Errorf("waited for 3 and got %d %v", n, err)
	}
	if err := r.ResetEndpoint(context.Background(), "e"); err != nil {
		t.Fatal(err)
	}
	if status, _ := post(t, c, url, `{"id":"evt_1"}`); status != 502 {
		t.Errorf("got %d after a reset, want the first step again", status)
	}
}

func TestFullMemorySaysWhatItDropped(t *testing.T) {
	r := start(t, mockreceiver.Config{Memory: true, MemoryRecords: 10})
	url, c := r.endpoint("e", "200"), client(t)
	for i := range 25 {
		post(t, c, url, fmt.Sprintf(`{"id":"evt_%d"}`, i))
	}
	r.outcomes(25)
	if r.Lost() != 15 {
		t.Errorf("%d counted as lost, want 15", r.Lost())
	}
	list, err := r.Attempts(context.Background(), journal.Query{Limit: 100})
	if err != nil || len(list) != 10 || list[0].Seq != 16 {
		t.Errorf("got %d attempts %v, want the ten newest", len(list), err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, tr := range of[*evidence.Trouble](r.sofar()) {
		told += tr.Lost
	}
	if told != 15 {
		t.Errorf("troubles tell of %d, want all 15", told)
	}
}

func TestMemoryRefusesWhatNeedsADatabase(t *testing.T) {
	r := start(t, mockreceiver.Config{Memory: true})
	r.endpoint("e", "200")
	add := func(e mockreceiver.Endpoint) error {
		e.Name = "other"
		_, err := r.AddEndpoint(e)
		return err
	}
	for name, err := range map[string]error{
		"transaction":      add(mockreceiver.Endpoint{Business: business.Transaction}),
		"inbox":            add(mockreceiver.Endpoint{Business: business.Inbox}),
		"business-failure": add(mockreceiver.Endpoint{Plan: mustPlan(t, "502, business-failure, 200")}),
		"in a mix":         r.SetEndpointPlan("e", mustPlan(t, "mix(lost-ack=0.5, 200)")),
		"of an event":      r.SetPlan("e", "evt", mustPlan(t, "lost-ack, 200")),
		"in a rule":        r.SetRules("e", []fault.Rule{{Match: "true", Plan: mustPlan(t, "lost-ack")}}),
	} {
		if err == nil || !strings.Contains(err.Error(), "needs a database") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := add(mockreceiver.Endpoint{Business: business.None, Plan: mustPlan(t, "502, mix(reset=0.5, 200)")}); err != nil {
		t.Error(err)
	}
	if _, err := mockreceiver.New(mockreceiver.Config{Memory: true, Journal: "x"}); err == nil {
		t.Error("took a journal both in memory and in a file")
	}
	for want, cfg := range map[string]mockreceiver.Config{
		"defect: a journal in memory has no business side": {Memory: true, Defect: "row-twice"},
		`defect "twice" of the business side is unknown`:   {Defect: "twice"},
	} {
		if _, err := mockreceiver.New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
