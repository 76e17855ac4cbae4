package mockreceiver_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// counted sorts effects by result and checks that each sees exactly one row.
func counted(t *testing.T, effects []*evidence.Effect) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, e := range effects {
		n[e.Result]++
		if !e.Dedupe || e.Rows != 1 {
			t.Errorf("effect: %+v, want one row", e)
		}
	}
	return n
}

// early returns the requests that got a 2xx before the first write of their event was committed.
func early(records []evidence.Record) (list []*evidence.Outcome) {
	type event struct{ endpoint, key string }
	committed := map[event]time.Duration{}
	key := map[int64]event{}
	for _, e := range of[*evidence.Effect](records) {
		key[e.Of] = event{e.Endpoint, e.Key}
		if e.Result == evidence.EffectCommitted {
			committed[key[e.Of]] = e.At
		}
	}
	for _, o := range of[*evidence.Outcome](records) {
		if at, ok := committed[key[o.Of]]; o.Status/100 == 2 && (!ok || o.ReplyStart < at) {
			list = append(list, o)
		}
	}
	return list
}

func TestSixteenCopiesFromOutside(t *testing.T) {
	const rounds, copies = 20, 16
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("e", "200")
	c := client(t)
	for round := range rounds {
		var all sync.WaitGroup
		for range copies {
			all.Go(func() {
				if status, _, err := try(c, url, fmt.Sprintf(`{"id":"evt_%d"}`, round)); err != nil || status != 200 {
					t.Errorf("round %d: got %d %v, want 200", round, status, err)
				}
			})
		}
		all.Wait()
	}
	r.effects(rounds * copies)
	r.outcomes(rounds * copies)
	records := r.sofar()
	n := counted(t, of[*evidence.Effect](records))
	if n[evidence.EffectCommitted] != rounds || n[evidence.EffectAbsorbed] != rounds*(copies-1) {
		t.Errorf("effects: %v, want %d committed and the rest absorbed", n, rounds)
	}
	if l := early(records); len(l) > 0 {
		t.Errorf("%d answers came before the commit, such as %+v", len(l), l[0])
	}
}

func TestInjectedCopies(t *testing.T) {
	const rounds, copies = 20, 15
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("e", fmt.Sprintf("200(copies=%d), 502", copies)), client(t)
	for round := range rounds {
		if status, _ := post(t, c, url, fmt.Sprintf(`{"id":"evt_%d"}`, round)); status != 200 {
			t.Errorf("round %d: got %d, want 200", round, status)
		}
	}
	r.effects(rounds * (copies + 1))
	r.outcomes(rounds * (copies + 1))
	if status, _ := post(t, c, url, `{"id":"evt_0"}`); status != 502 {
		t.Errorf("the second attempt: got %d, want 502, since copies take no step", status)
	}
	records := r.sofar()
	n := counted(t, of[*evidence.Effect](records))
	if n[evidence.EffectCommitted] != rounds || n[evidence.EffectAbsorbed] != rounds*copies {
		t.Errorf("effects: %v", n)
	}
	if l := early(records); len(l) > 0 {
		t.Errorf("%d answers came before the commit, such as %+v", len(l), l[0])
	}
	var first *evidence.Arrival
	own := 0
	for _, a := range of[*evidence.Arrival](records) {
		if a.Origin == "" {
			first = a
			continue
		}
		own++
		if a.Origin != evidence.OriginHarness || a.Attempt != 0 || a.Chosen != "200" || a.Conn.Request != 1 {
			t.Errorf("copy: %+v", a)
		}
	}
	if own != rounds*copies {
		t.Errorf("got %d copies, want %d", own, rounds*copies)
	}
	if first.Attempt != 2 {
		t.Errorf("the last request of the sender: attempt %d, want 2", first.Attempt)
	}
	if l := of[*evidence.Trouble](records); len(l) > 0 {
		t.Errorf("trouble: %+v", l[0])
	}
}

func TestCopiesKeepTheBytes(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200(copies=1)")
	w := r.dial()
	w.send("POST /hooks/e HTTP/1.1\r\nhost: H\r\nx-ODD: 1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n")
	a := r.arrivals(2)
	if string(a[0].Head) != string(a[1].Head) || string(a[1].Body) != "abcd" || a[1].BodyErr != "" {
		t.Errorf("got %+v, want the bytes of %+v", a[1], a[0])
	}
	r.outcomes(2)
}

func TestSlowWorkIsWaitedFor(t *testing.T) {
	const work = 3 * time.Second // ample for the copies to arrive on a busy machine
	t.Parallel()
	r := start(t, mockreceiver.Config{Quick: true}) // nor does a slow disk matter
	r.endpoint("slow", "200(work=3s), 200")
	r.endpoint("other", "200")
	w := r.dial()
	w.send(request("/hooks/slow", `{"id":"evt_1"}`))
	r.arrivals(1)
	const copies = 15
	for range copies {
		r.dial().send(request("/hooks/slow", `{"id":"evt_1"}`))
	}
	// All copies are in the journal while the first is still at work, and nobody has an answer.
	r.arrivals(1 + copies)
	if n := len(of[*evidence.Outcome](r.sofar())); n != 0 {
		t.Errorf("%d answers while the first was at work", n)
	}
	if status, _ := post(t, client(t), r.DataURL()+"/hooks/slow", `{"id":"evt_2"}`); status != 200 {
		t.Errorf("another event: got %d", status)
	}
	if status, _ := post(t, client(t), r.DataURL()+"/hooks/other", `{"id":"evt_1"}`); status != 200 {
		t.Errorf("another endpoint: got %d", status)
	}
	r.effects(3 + copies)
	r.outcomes(3 + copies)
	records := r.sofar()
	if l := early(records); len(l) > 0 {
		t.Errorf("%d answers came before the commit", len(l))
	}
	var other, first *evidence.Outcome
	for _, o := range of[*evidence.Outcome](records) {
		for _, a := range of[*evidence.Arrival](records) {
			if a.Seq == o.Of && a.Endpoint == "other" {
				other = o
			}
			if a.Seq == o.Of && o.Of == 1 {
				first = o
			}
		}
	}
	if first.Delay < work {
		t.Errorf("the first was held for %s, want %s", first.Delay, work)
	}
	if other.Delay != 0 {
		t.Errorf("the other endpoint was held for %s", other.Delay)
	}
	var mine []*evidence.Effect
	for _, e := range of[*evidence.Effect](records) {
		if e.Endpoint == "slow" && e.Key == "evt_1" {
			mine = append(mine, e)
		}
	}
	if n := counted(t, mine); n[evidence.EffectCommitted] != 1 || n[evidence.EffectAbsorbed] != copies {
		t.Errorf("effects: %v", n)
	}
}

func TestInjectedCopiesWithSlowWork(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("e", "200(copies=8, work=100ms)")
	if status, _ := post(t, client(t), url, `{"id":"evt_1"}`); status != 200 {
		t.Errorf("got %d", status)
	}
	r.outcomes(9)
	if n := counted(t, r.effects(9)); n[evidence.EffectCommitted] != 1 || n[evidence.EffectAbsorbed] != 8 {
		t.Errorf("effects: %v", n)
	}
	// One of them worked and the others waited: nobody worked a second time.
	for _, o := range r.outcomes(9) {
		if o.Delay >= 200*time.Millisecond {
			t.Logf("request %d was held for %s: two pieces of work, or a busy machine", o.Of, o.Delay)
		}
	}
}
