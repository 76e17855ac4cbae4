package mockreceiver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// results posts bodies one after another and returns what their business writes did.
func (r *rig) results(url string, bodies ...string) []string {
	r.t.Helper()
	var list []string
	for _, body := range bodies {
		if status, _ := post(r.t, client(r.t), url, body); status != 200 {
			r.t.Errorf("%s: got %d, want 200", body, status)
		}
		effects := r.effects(len(list) + 1)
		list = append(list, effects[len(effects)-1].Result)
	}
	return list
}

func TestUnknownTypesAreIgnored(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.add(mockreceiver.Endpoint{Name: "e", Types: []string{"payment.succeeded", "invoice.*"}})
	var bodies, want []string
	for kind, known := range map[string]bool{
		"payment.succeeded": true, "payment.failed": false, "payment.succeeded.twice": false, "invoice.paid": true, "invoice.a.b": true,
		"invoice": false, "invoice.": false, "invoices.paid": false, "Payment.succeeded": false, "": false,
	} {
		bodies = append(bodies, `{"id":"evt_`+kind+`","type":"`+kind+`"}`)
		want = append(want, map[bool]string{true: evidence.EffectCommitted, false: evidence.EffectIgnored}[known])
	}
	got := r.results(url, bodies...)
	for i := range bodies {
		if got[i] != want[i] {
			t.Errorf("%s: got %s, want %s", bodies[i], got[i], want[i])
		}
	}
	for _, e := range r.effects(len(bodies)) {
		if known := e.Result == evidence.EffectCommitted; e.Dedupe != known || e.Rows == 1 != known {
			t.Errorf("%s is %s with dedupe row %t and %d business rows", e.Key, e.Result, e.Dedupe, e.Rows)
		}
	}
}

func TestTenantsShareNoID(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	f := mockreceiver.DefaultFields()
	f.Tenant = "/tenant"
	url := r.add(mockreceiver.Endpoint{Name: "e", Fields: &f})
	got := strings.Join(r.results(url,
		`{"id":"evt_1","tenant":"a","data":{"id":"o"}}`, `{"id":"evt_1","tenant":"b","data":{"id":"o"}}`, `{"id":"evt_1","tenant":"a"}`,
		`{"id":"evt_1"}`, `{"id":"b/evt_1"}`, `{"id":"evt_1","tenant":"b/"}`, `{"id":"evt_1","tenant":"b"}`,
	), " ")
	if want := "committed committed absorbed committed committed committed absorbed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	other := r.add(mockreceiver.Endpoint{Name: "other", Fields: &f})
	post(t, client(t), other, `{"id":"evt_1","tenant":"a"}`)
	if e := r.effects(8)[7]; e.Result != evidence.EffectCommitted {
		t.Errorf("at another endpoint: got %s", e.Result)
	}
}

// TestTwoEventsOfOneObjectAreTwoEffects: the key is the event's id and never the object's.
func TestTwoEventsOfOneObjectAreTwoEffects(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.add(mockreceiver.Endpoint{Name: "e"})
	got := strings.Join(r.results(url,
		`{"id":"evt_1","type":"payment.succeeded","created":"2026-01-01T10:00:00Z","data":{"id":"o"}}`,
		`{"id":"evt_2","type":"invoice.paid","created":"2026-01-01T10:00:00Z","data":{"id":"o"}}`,
		`{"id":"evt_3","type":"payment.refunded","created":"2026-01-01T10:00:00.5Z","data":{"id":"o"}}`,
		`{"id":"evt_4","type":"payment.captured","created":1767261599,"data":{"id":"o"}}`,
		`{"id":"evt_5","type":"payment.noted","data":{"id":"o"}}`,
		`{"id":"evt_5","type":"payment.noted","data":{"id":"o"}}`,
	), " ")
	if want := "committed committed committed superseded conflict absorbed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestModeNoneKeepsEvidenceAlone(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.None, Plan: mustPlan(t, "200(work=1ms), business-failure, 200")})
	for _, want := range []int{200, 500, 200} {
		if got, _ := post(t, client(t), url, `{"id":"evt_1"}`); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	r.outcomes(3)
	list, err := r.Attempts(context.Background(), journal.Query{Endpoint: "e", Limit: 10})
	if err != nil || len(list) != 3 {
		t.Fatalf("got %d attempts, %v", len(list), err)
	}
	for _, a := range list {
		if a.Effect != nil {
			t.Errorf("request %d has an effect: %+v", a.Seq, a.Effect)
		}
	}
}
