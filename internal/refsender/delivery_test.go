package refsender_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/internal/refsender"
)

func cutSignature(header string) (at time.Time, sum string, ok bool) {
	t, sum, ok := strings.Cut(strings.TrimPrefix(header, "t="), ",v1=")
	sec, err := strconv.ParseInt(t, 10, 64)
	return time.Unix(sec, 0), sum, ok && err == nil
}

func TestDelivered(t *testing.T) {
	r := newRig(t, refsender.Config{})
	r.plan("/a", status(202))
	ep := r.register(r.URL + "/a?x=%2F&empty=&x=+")
	before := time.Now().Truncate(time.Millisecond)
	data := json.RawMessage(`{"n":12345678901234567890,"f":1.0,"text":"<é> \u2028"}`)
	var out struct{ ID string }
	if got := r.call("POST", "/v1/events", `{"type":"payment.succeeded","endpoint":"`+ep+`","data":`+string(data)+`}`, &out); got != 202 {
		t.Fatalf("emit: %d", got)
	}
	id := out.ID
	log := r.ended(id, ep, "delivered")

	hits := r.at("/a")
	if len(hits) != 1 || len(log.Attempts) != 1 {
		t.Fatalf("%d requests, %d attempts on record; want 1", len(hits), len(log.Attempts))
	}
	signedAt(t, hits[0])
	var got map[string]json.RawMessage
	if err := json.Unmarshal(hits[0].body, &got); err != nil {
		t.Fatal(err)
	}
	var createdText string
	if err := json.Unmarshal(got["created"], &createdText); err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339, createdText)
	if err != nil || at.Before(before) || at.After(time.Now()) || !strings.HasSuffix(createdText, "+00:00") {
		t.Errorf("created %q, want the time of the emit with its offset (%v)", createdText, err)
	}
	delete(got, "created")
	want := map[string]json.RawMessage{
		"id": json.RawMessage(`"` + id + `"`), "type": json.RawMessage(`"payment.succeeded"`),
		"api_version": json.RawMessage(`"2026-11-01"`), "data": data,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if hits[0].id() != id || hits[0].head.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", hits[0].head)
	}
	sum := sha256.Sum256([]byte("the answer"))
	a := log.Attempts[0]
	if a.Number != 1 || a.Status != 202 || a.Outcome != "delivered" || a.Digest != hex.EncodeToString(sum[:]) || a.Trigger != "schedule" {
		t.Errorf("attempt on record: %+v", a)
	}
	if log.LastFailure != "" || len(r.deadLetters(ep)) != 0 {
		t.Errorf("last failure %q, dead letters %v", log.LastFailure, r.deadLetters(ep))
	}
}

func TestRetryKeepsIDAndBytesAndSignsAnew(t *testing.T) {
	c := fast(t)
	c.Schedule.Waits[1] = 1100 * time.Millisecond // more than the unit of the signed time
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(502), status(200))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, map[string]int{"amount": 1})
	first := r.next(t)
	log := r.ended(id, ep, "delivered")

	hits := r.at("/a")
	if len(hits) != 2 {
		t.Fatalf("%d requests, want 2", len(hits))
	}
	if hits[1].id() != id || first.id() != id || string(hits[1].body) != string(first.body) {
		t.Errorf("id or bytes changed: %q %s, then %q %s", first.id(), first.body, hits[1].id(), hits[1].body)
	}
	if a, b := signedAt(t, hits[0]), signedAt(t, hits[1]); !b.After(a) {
		t.Errorf("signed at %v, then at %v", a, b)
	}
	if gap := hits[1].at.Sub(hits[0].at); gap < c.Schedule.Waits[1] {
		t.Errorf("retried after %v, promised %v", gap, c.Schedule.Waits[1])
	}
	if log.LastFailure != "status 502" || log.Attempts[0].Outcome != "failed" || log.Attempts[1].Outcome != "delivered" {
		t.Errorf("log %+v", log)
	}
}

func TestAdvertisedNextAttemptIsKept(t *testing.T) {
	c := fast(t)
	c.Schedule.Waits[1] = ample
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(500), status(200))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	var next *time.Time
	for deadline := time.Now().Add(patience); next == nil && time.Now().Before(deadline); {
		if l := r.delivery(id, ep); len(l.Attempts) == 1 {
			next = l.NextAttempt
		}
	}
	if next == nil {
		t.Fatal("no next attempt is advertised")
	}
	r.ended(id, ep, "delivered")
	if late := r.at("/a")[1].at.Sub(*next); late < 0 || late > patience {
		t.Errorf("came %v after the advertised time", late)
	}
}

func TestTimeoutIsRetried(t *testing.T) {
	cutBody := func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.WriteString(w, "a first piece")
		_ = http.NewResponseController(w).Flush()
		hang(w, q)
	}
	t.Parallel()
	c := fast(t)
	c.Schedule.Timeout = ample
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/hang", hang, status(200))
	r.plan("/drip", cutBody)
	for path, want := range map[string]int{"/hang": 2, "/drip": 1} {
		ep := r.register(r.URL + path)
		log := r.ended(r.emit(ep, struct{}{}), ep, "delivered")
		if got := len(r.at(path)); got != want {
			t.Errorf("%s: %d requests, want %d: %+v", path, got, want, log)
		}
		if want == 2 && log.LastFailure != "timeout: no complete answer within 3s" {
			t.Errorf("%s: last failure %q", path, log.LastFailure)
		}
	}
}

func TestConnectionFailuresAreRetried(t *testing.T) {
	r := newRig(t, refsender.Config{})
	reset := func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			err = conn.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
	garbage := func(w http.ResponseWriter, q *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "not HTTP: "+q.Header.Get("X-Webhook-Signature")+"\r\n\r\n")
		_ = conn.Close()
	}
	r.plan("/a", reset, garbage, status(200))
	ep := r.register(r.URL + "/a")
	log := r.ended(r.emit(ep, struct{}{}), ep, "delivered")
	if len(log.Attempts) != 3 {
		t.Fatalf("log %+v", log)
	}
	if log.Attempts[0].Error != "connection: closed before the answer was complete" {
		t.Errorf("reset recorded as %q", log.Attempts[0].Error)
	}
	if log.LastFailure != "connection: broken, or the answer was not HTTP" {
		t.Errorf("garbage recorded as %q: it may quote nothing of the peer's", log.LastFailure)
	}
}

func TestAnswerIsReadToALimit(t *testing.T) {
	r := newRig(t, refsender.Config{})
	hungUp := make(chan int, 1)
	r.plan("/a", func(w http.ResponseWriter, _ *http.Request) {
		n := 0
		piece := make([]byte, 32<<10)
		for {
			k, err := w.Write(piece)
			if n += k; err != nil {
				hungUp <- n
				return
			}
		}
	})
	ep := r.register(r.URL + "/a")
	r.ended(r.emit(ep, struct{}{}), ep, "delivered")
	select {
	case n := <-hungUp:
		if n > 16<<20 {
			t.Errorf("%d bytes were taken of an endless answer", n)
		}
	case <-time.After(patience):
		t.Error("an endless answer is still being read")
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	r := newRig(t, refsender.Config{})
	r.plan("/a", status(307, "Location", r.URL+"/elsewhere"))
	ep := r.register(r.URL + "/a")
	r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
	if n := len(r.at("/elsewhere")); n != 0 {
		t.Errorf("%d requests at the redirect's target", n)
	}
	if hint := r.deadLetters(ep)[0].Hint; !strings.Contains(hint, "final URL") {
		t.Errorf("hint %q", hint)
	}
}

func TestRetryAfter(t *testing.T) {
	for name, tc := range map[string]struct {
		value func() string
		floor time.Duration
	}{
		"seconds": {func() string { return "1" }, time.Second},
		// Two whole seconds on from a time that is cut to the second is 1 to 2 s away.
		"date": {func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) }, 990 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, refsender.Config{})
			r.plan("/a", func(w http.ResponseWriter, q *http.Request) { status(429, "Retry-After", tc.value())(w, q) }, status(200))
			ep := r.register(r.URL + "/a")
			r.ended(r.emit(ep, struct{}{}), ep, "delivered")
			hits := r.at("/a")
			if gap := hits[1].at.Sub(hits[0].at); gap < tc.floor {
				t.Errorf("retried after %v, asked for %v", gap, tc.floor)
			}
		})
	}
}

func TestStalledEndpointDelaysNoOther(t *testing.T) {
	c := fast(t)
	c.Workers, c.Fairness = 4, nil
	r := newRig(t, refsender.Config{Contract: c})
	release := make(chan struct{})
	r.plan("/slow", hold(release))
	slow, quick := r.register(r.URL+"/slow"), r.register(r.URL+"/quick")
	var held []string
	for range 8 {
		held = append(held, r.emit(slow, struct{}{}))
	}
	r.next(t)
	r.next(t)
	id := r.emit(quick, struct{}{})
	r.ended(id, quick, "delivered")
	if n := len(r.at("/slow")); n != 2 {
		t.Errorf("%d requests in flight at one endpoint, want half of the 4 workers", n)
	}
	close(release)
	for _, id := range held {
		r.ended(id, slow, "delivered")
	}
}

func TestDigestOfTheAnswer(t *testing.T) {
	r := newRig(t, refsender.Config{})
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "the first part")
	}
	empty := func(http.ResponseWriter, *http.Request) {}
	for path, tc := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"/text":  {status(200), sum("the answer")},
		"/empty": {empty, sum("")},
		"/cut":   {cut, sum("the first part")},
		"/none":  {closeUnanswered, ""},
	} {
		r.plan(path, tc.answer, status(200))
		ep := r.register(r.URL + path)
		log := r.ended(r.emit(ep, struct{}{}), ep, "delivered")
		if diff := cmp.Diff(tc.want, log.Attempts[0].Digest); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func sum(text string) string {
	b := sha256.Sum256([]byte(text))
	return hex.EncodeToString(b[:])
}
