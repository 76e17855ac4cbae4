package refsender_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/internal/refsender"
)

func TestFanOut(t *testing.T) {
	r := newRig(t, refsender.Config{})
	names := map[string]string{}
	for name, in := range map[string]map[string]any{
		"plain":    {},
		"star":     {"types": []string{"*"}},
		"paid":     {"types": []string{"invoice.paid"}},
		"live":     {"environment": "live"},
		"test":     {"environment": "test"},
		"t1":       {"tenant": "t1"},
		"t1-live":  {"tenant": "t1", "environment": "live"},
		"disabled": {},
		"deleted":  {},
	} {
		in["url"] = r.URL + "/" + name
		id, _ := r.registerAs(in)
		names[id] = name
		switch name {
		case "disabled":
			r.post(id, "disable", nil, nil, 204)
		case "deleted":
			r.call("DELETE", "/v1/endpoints/"+id, nil, nil)
		}
	}
	for _, tc := range []struct {
		in   map[string]any
		want []string
	}{
		{map[string]any{"type": "invoice.paid"}, []string{"paid", "plain", "star"}},
		{map[string]any{"type": "invoice.created"}, []string{"plain", "star"}},
		{map[string]any{"type": "invoice.paid", "environment": "live"}, []string{"live"}},
		{map[string]any{"type": "invoice.paid", "environment": "test"}, []string{"test"}},
		{map[string]any{"type": "invoice.paid", "tenant": "t1"}, []string{"t1"}},
		{map[string]any{"type": "invoice.paid", "tenant": "t1", "environment": "live"}, []string{"t1-live"}},
		{map[string]any{"type": "invoice.paid", "tenant": "t1", "environment": "test"}, nil},
	} {
		tc.in["data"] = struct{}{}
		event := r.emitAs(tc.in)
		var got []string
		for id, name := range names {
			if r.call("GET", "/v1/events/"+event+"/deliveries/"+id, nil, nil) == 200 {
				got = append(got, name)
				r.ended(event, id, "delivered")
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%v: %s", tc.in, diff)
		}
	}
	in := map[string]any{"type": "a.b", "data": struct{}{}, "environment": "prod"}
	if got := r.call("POST", "/v1/events", in, nil); got != 400 {
		t.Errorf("unknown environment: %d, want 400", got)
	}
}

// rolledBack emits one event about an order that exists, with a change that is rolled back, and one more after it.
func rolledBack(t *testing.T, defect string) []hit {
	t.Helper()
	r := newRig(t, refsender.Config{Defect: defect})
	r.plan("/a", status(503), status(200))
	ep := r.register(r.URL + "/a")
	event := func(v int, back bool) map[string]any {
		return map[string]any{
			"type": "order.updated", "endpoint": ep, "object": "order/1", "data": map[string]int{"v": v}, "rolled_back": back,
		}
	}
	first := r.emitAs(event(1, false))
	var out map[string]any
	if got := r.call("POST", "/v1/events", event(2, true), &out); got != 200 {
		t.Fatalf("rolled back: %d", got)
	}
	if diff := cmp.Diff(map[string]any{"rolled_back": true}, out); diff != "" {
		t.Error(diff)
	}
	r.ended(first, ep, "delivered")
	r.ended(r.emitAs(event(3, false)), ep, "delivered")
	r.stop()
	return r.at("/a")
}

func TestRolledBackChangeIsNeverDelivered(t *testing.T) {
	if hits := rolledBack(t, ""); len(hits) != 3 {
		t.Errorf("%d requests, want 3 for two events and one retry", len(hits))
	}
}

// The object itself must be as before, too: a body built from its current state shows it.
func TestRolledBackChangeLeavesTheObject(t *testing.T) {
	hits := rolledBack(t, "body-rebuilt-on-retry")
	if string(hits[0].body) != string(hits[1].body) {
		t.Errorf("the object changed:\n%s\n%s", hits[0].body, hits[1].body)
	}
}
