package drive

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

func TestTheBoardCountsTheSendersRequestsOnly(t *testing.T) {
	b := newBoard()
	k := seenKey{"e", "m"}
	b.note(&evidence.Arrival{Seq: 1, Endpoint: "e", Key: "m", Attempt: 1})
	b.note(&evidence.Arrival{Seq: 2, Endpoint: "e", Key: "m", Origin: evidence.OriginHarness})
	b.note(&evidence.Outcome{Of: 2, Status: 200, End: evidence.EndComplete})
	if s, _ := b.look(k); s != (Seen{Arrivals: 1}) {
		t.Errorf("after a copy of ours: %+v", s)
	}
	b.note(&evidence.Outcome{Of: 1, Status: 200, End: evidence.EndPeerGone})
	if s, _ := b.look(k); s != (Seen{Arrivals: 1, Outcomes: 1}) {
		t.Errorf("a 200 that the peer did not wait for counts as delivered: %+v", s)
	}
	b.note(&evidence.Arrival{Seq: 3, Endpoint: "e", Key: "m", Attempt: 2})
	b.note(&evidence.Outcome{Of: 3, Status: 204, End: evidence.EndComplete})
	if s, _ := b.look(k); !s.Delivered {
		t.Errorf("after a complete 204: %+v", s)
	}
	if b.arrivals() != 3 {
		t.Errorf("%d arrivals in all, want 3", b.arrivals())
	}
}

func TestAwaitEndsByWhatComesFirst(t *testing.T) {
	b := newBoard()
	k := seenKey{"e", "m"}
	enough := func(s Seen) bool { return s.Arrivals > 0 }

	if ok, err := b.await(t.Context(), k, time.Millisecond, enough); ok || err != nil {
		t.Errorf("nothing came: %v, %v", ok, err)
	}
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := b.await(ctx, k, time.Hour, enough); !errors.Is(err, cause) {
		t.Errorf("cancelled: %v", err)
	}
	done := make(chan bool)
	go func() {
		ok, _ := b.await(t.Context(), k, time.Hour, enough)
		done <- ok
	}()
	b.note(&evidence.Arrival{Seq: 1, Endpoint: "e", Key: "m", Attempt: 1})
	if !<-done {
		t.Error("an arrival did not wake the one who waits")
	}
}
