package mockreceiver_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

func TestRedeliver(t *testing.T) {
	r := start(t, mockreceiver.Config{MaxBody: 1000})
	url := r.endpoint("a", "502, 200")
	post(t, client(t), url, `{"id":"1"}`) // 1: 502
	status, a := r.api("POST", "/v1/attempts/1/redeliver", `{"reason":"by hand: <b>"}`)
	if status != 201 || a["seq"] != 2.0 || a["origin"] != "harness" || a["reason"] != "by hand: <b>" || a["class"] != "injected" || a["attempt"] != 0.0 ||
		a["status"] != 200.0 || a["open"] != false || a["effect"] == nil {
		t.Fatalf("redeliver: got %d %v", status, a)
	}
	first := r.effects(1)[0]
	if first.Of != 2 || first.Result != evidence.EffectCommitted {
		t.Errorf("the copy has the effect %+v, want a commit", first)
	}
	if got, _ := post(t, client(t), url, `{"id":"1"}`); got != 200 { // 3: the copy took no step
		t.Errorf("the sender's second attempt: got %d, want the second step", got)
	}
	if e := r.effects(2)[1]; e.Result != evidence.EffectAbsorbed || e.Rows != 1 {
		t.Errorf("the sender's second attempt: got %+v, want it absorbed", e)
	}
	list, err := r.Attempts(context.Background(), journal.Query{Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	if string(list[1].Head) != string(list[0].Head) || string(list[1].Body) != string(list[0].Body) || list[1].Reason != "by hand: <b>" || list[2].Attempt != 2 {
		t.Errorf("the copy is %+v, the next attempt %d", list[1].Arrival, list[2].Attempt)
	}
	if status, a := r.api("POST", "/v1/attempts/2/redeliver", `{"reason":"once more"}`); status != 201 || a["seq"] != 4.0 {
		t.Errorf("a copy of the copy: got %d %v", status, a)
	}
}

func TestRedeliverRefuses(t *testing.T) {
	r := start(t, mockreceiver.Config{MaxBody: 1000})
	url := r.endpoint("a", "200")
	r.endpoint("gone", "200")
	post(t, client(t), url, `{}`)                      // 1
	post(t, client(t), url, strings.Repeat("x", 2000)) // 2: over the limit
	post(t, client(t), r.DataURL()+"/x", `{}`)         // 3: to no endpoint
	post(t, client(t), r.DataURL()+"/hooks/gone", `{}`)
	if err := r.RemoveEndpoint("gone"); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		seq    int
		body   string
		status int
		want   string
	}{
		{1, `{}`, 400, "give a reason"},
		{1, `{"reason":""}`, 400, "give a reason"},
		{1, `{"reason":"` + strings.Repeat("x", 501) + `"}`, 400, "at most 500"},
		{1, `{"why":"x"}`, 400, "why"},
		{1, ``, 400, "body"},
		{2, `{"reason":"x"}`, 409, "not kept whole"},
		{3, `{"reason":"x"}`, 409, "is gone"},
		{4, `{"reason":"x"}`, 409, "is gone"},
		{9, `{"reason":"x"}`, 404, "none of that number"},
	} {
		status, a := r.api("POST", fmt.Sprintf("/v1/attempts/%d/redeliver", tc.seq), tc.body)
		if status != tc.status || !strings.Contains(fmt.Sprint(a["error"]), tc.want) {
			t.Errorf("%d %s: got %d %v, want %d and %q", tc.seq, tc.body, status, a, tc.status, tc.want)
		}
	}
}
