package refsender_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/internal/refsender"
)

// given returns a sender with four dead letters of one endpoint, in order of acceptance, and one of another.
func given(t *testing.T, defect string) (r *rig, endpoint string, dead []deadLetter) {
	t.Helper()
	r = newRig(t, refsender.Config{Defect: defect})
	r.plan("/a", status(404), status(404), status(404), status(404), status(200))
	r.plan("/b", status(404))
	endpoint = r.register(r.URL + "/a")
	other := r.register(r.URL + "/b")
	r.ended(r.emit(other, struct{}{}), other, "dead-lettered")
	for range 4 {
		r.ended(r.emit(endpoint, struct{}{}), endpoint, "dead-lettered")
	}
	return r, endpoint, r.deadLetters(endpoint)
}

// replayed asks for a range and returns how many replays each dead letter has in the end.
func (r *rig) replayed(endpoint string, from, to time.Time) (n int, each []int) {
	r.t.Helper()
	var out struct{ Replayed int }
	r.post(endpoint, "replay", map[string]any{"from": from, "to": to, "reason": "outage over"}, &out, 202)
	dead := r.deadLetters(endpoint)
	for _, d := range dead {
		r.waitFor("the replay's end", func() bool { return r.delivery(d.Event, endpoint).State != "pending" })
	}
	for _, d := range r.deadLetters(endpoint) {
		each = append(each, len(d.Replays))
		for _, p := range d.Replays {
			if p.Reason != "outage over" || p.Outcome != "delivered" {
				r.t.Errorf("replay %+v", p)
			}
		}
	}
	return out.Replayed, each
}

func TestReplayByRange(t *testing.T) {
	r, ep, dead := given(t, "")
	n, each := r.replayed(ep, dead[1].AcceptedAt, dead[3].AcceptedAt)
	if diff := cmp.Diff([]int{0, 1, 1, 0}, each); n != 2 || diff != "" {
		t.Errorf("%d replayed: from is in the range, to is not: %s", n, diff)
	}
	n, each = r.replayed(ep, dead[0].AcceptedAt, dead[2].AcceptedAt)
	if diff := cmp.Diff([]int{1, 1, 1, 0}, each); n != 1 || diff != "" {
		t.Errorf("%d replayed: what was delivered is left out: %s", n, diff)
	}
	n, _ = r.replayed(ep, dead[3].AcceptedAt.Add(1), time.Now())
	if n != 0 {
		t.Errorf("%d replayed of an empty range", n)
	}
	if n := len(r.at("/b")); n != 1 {
		t.Errorf("%d requests at the other endpoint, want 1", n)
	}
	for _, h := range r.at("/a") {
		signedAt(t, h)
	}
}

func TestBadRanges(t *testing.T) {
	r, ep, _ := given(t, "")
	for in, want := range map[string]string{
		`{"from":"x","to":"2026-11-30T12:00:00Z","reason":"r"}`:                    "from must be a time by RFC 3339, such as 2026-11-30T12:00:00.123456789Z",
		`{"from":"2026-11-30T12:00:00Z","reason":"r"}`:                             "to must be a time by RFC 3339, such as 2026-11-30T12:00:00.123456789Z",
		`{"from":"2026-11-30T12:00:00Z","to":"9026-11-30T12:00:00Z","reason":"r"}`: "to must lie between the years 1970 and 2200",
		`{"from":"2026-11-30T12:00:00Z","to":"2026-11-30T12:00:00Z","reason":"r"}`: "from must lie before to",
		`{"from":"2026-11-30T12:00:00Z","to":"2026-11-30T12:00:01Z"}`:              "reason must say why the events are replayed",
	} {
		var got map[string]string
		r.post(ep, "replay", in, &got, 400)
		if diff := cmp.Diff(want, got["error"]); diff != "" {
			t.Error(diff)
		}
	}
	in := `{"from":"2026-11-30T12:00:00Z","to":"2026-11-30T12:00:01Z","reason":"r"}`
	r.post("ep_x", "replay", in, nil, 404)
	r.post(ep, "disable", nil, nil, 204)
	r.post(ep, "replay", in, nil, 409)
}

func TestSendAgain(t *testing.T) {
	r, ep, dead := given(t, "")
	path := "/v1/events/" + dead[0].Event + "/deliveries/" + ep + "/send-again"
	if got := r.call("POST", path, `{"reason":"I mended it"}`, nil); got != 202 {
		t.Fatalf("send again: %d", got)
	}
	r.ended(dead[0].Event, ep, "delivered")
	if p := r.deadLetters(ep)[0].Replays; len(p) != 1 || p[0].Reason != "I mended it" {
		t.Errorf("replays %+v", p)
	}
}

func TestDeadLetterHasItsTimes(t *testing.T) {
	before := time.Now()
	_, _, dead := given(t, "")
	for _, d := range dead {
		if d.FirstAttemptAt == nil || d.LastAttemptAt == nil || d.AcceptedAt.Before(before) || d.FirstAttemptAt.Before(d.AcceptedAt) ||
			!d.FirstAttemptAt.Equal(*d.LastAttemptAt) || d.DeadAt.Before(*d.LastAttemptAt) {
			t.Errorf("times out of order: %+v", d)
		}
	}
}
