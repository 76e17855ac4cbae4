package mockreceiver_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestGoawayBefore: the stream is not processed and those before it are finished, on the wire.
func TestGoawayBefore(t *testing.T) {
	t.Parallel()
	r := secure(t)
	r.endpoint("slow", "200(delay=2s)") // a busy machine has sent the other stream by then
	r.endpoint("e", "goaway(before), 200")
	p := r.peer2()
	p.post(1, "/hooks/slow", "a")
	r.arrivals(1)
	p.post(3, "/hooks/e", "b")
	if got, want := p.frames(2), "0 GOAWAY 1 NO_ERROR; 1 HEADERS 200 end"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.over()
	if effects := len(of[*evidence.Effect](r.sofar())); effects > 1 {
		t.Errorf("%d effects, want that of the other stream only", effects)
	}
	for _, o := range r.outcomes(2) {
		if o.Of == 2 && (o.Fault != "goaway" || o.Status != 0 || o.End != evidence.EndClosed) {
			t.Errorf("outcome: %+v", o)
		}
	}
}

func TestGoawayAfter(t *testing.T) {
	r := secure(t)
	r.endpoint("e", "goaway(after), 200")
	p := r.peer2()
	p.headers(1, false, "/hooks/e") // its body comes later
	p.post(3, "/hooks/e", "b")
	if got, want := p.frames(2), "3 HEADERS 200 end; 0 GOAWAY 3 NO_ERROR"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.post(5, "/hooks/e", "c")
	p.must(p.fr.WriteData(1, true, []byte("a")))
	if got, want := p.frames(1), "1 HEADERS 200 end"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.over()
	r.outcomes(3)
	for _, a := range r.arrivals(3) {
		if a.Conn.Stream == 5 && (a.Handled() || !strings.Contains(a.BodyErr, "after GOAWAY")) {
			t.Errorf("the stream beyond: %+v", a)
		}
	}
}

// TestGoSendsAgain shows what Go's client makes of the two ways to say that nothing was processed.
func TestGoSendsAgain(t *testing.T) {
	for _, plan := range []string{"goaway(before), 200", "rst-stream(REFUSED_STREAM), 200"} {
		t.Run(plan, func(t *testing.T) {
			r := secure(t)
			url := r.endpoint("e", plan)
			if status, _ := post(t, r.trusting(true), url, "x"); status != 200 {
				t.Errorf("got %d, want 200", status)
			}
			a := r.arrivals(2)
			if string(a[0].Body) != string(a[1].Body) || a[1].Attempt != 2 {
				t.Errorf("arrivals %+v and %+v", a[0], a[1])
			}
			for _, o := range r.outcomes(2) { // in any order
				if o.Of == 1 && o.Status != 0 {
					t.Errorf("the first one's outcome: %+v", o)
				}
			}
		})
	}
}

// TestKindsOfHTTP2OverHTTP1: what stands in for them, and that the evidence says so.
func TestKindsOfHTTP2OverHTTP1(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "goaway(after)")
	w := r.dial()
	w.send(request("/hooks/e", "x"))
	if status, _ := w.answer(); status != 200 {
		t.Errorf("got %d, want 200", status)
	}
	if _, err := w.rest(); err != nil {
		t.Errorf("the connection ended with %v, want its orderly end", err)
	}
	o := r.outcomes(1)[0]
	if o.Fault != "status" || (evidence.Head{Fields: o.Header}).Get("Connection") != "close" {
		t.Errorf("outcome: %+v", o)
	}
}

func TestIdleEndsOverHTTP2(t *testing.T) {
	for _, plan := range []string{"close-idle(after=1s)", "close-next"} {
		r := secure(t)
		r.endpoint("e", plan)
		p := r.peer2()
		p.post(1, "/hooks/e", "x")
		if got, want := p.frames(2), "1 HEADERS 200 end; 0 GOAWAY 1 NO_ERROR"; got != want {
			t.Errorf("%s: got %s, want %s", plan, got, want)
		}
		p.over()
		if o := r.outcomes(1)[0]; o.Fault != "goaway" || o.End != evidence.EndComplete {
			t.Errorf("%s: outcome %+v", plan, o)
		}
	}
}

func TestRedirectToASilentListener(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	base, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "silent"})
	if err != nil {
		t.Fatal(err)
	}
	url := r.endpoint("e", `redirect(to="/there", listener="silent", status=307)`)
	post(t, client(t), url, "x") // Go's client follows, with the body
	a := r.arrivals(2)
	if a[0].Conn.Listener != "" || a[1].Conn.Listener != "silent" || a[1].Endpoint != "" || string(a[1].Body) != "x" {
		t.Errorf("arrivals: %+v and %+v", a[0], a[1])
	}
	if got := (evidence.Head{Fields: r.outcomes(1)[0].Header}).Get("Location"); got != base+"/there" {
		t.Errorf("Location: %s, want it at %s", got, base)
	}
	r.endpoint("unknown", `redirect(to="/there", listener="none")`)
	if _, _, err := try(client(t), r.DataURL()+"/hooks/unknown", "x"); err == nil {
		t.Error("a listener that is not there was reached")
	}
	r.until("somebody to be told", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) > 0 })
}

func TestListenersAreApart(t *testing.T) {
	r := secure(t)
	if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Listener: "none"}); err == nil || !strings.Contains(err.Error(), `listener "none"`) {
		t.Errorf("an endpoint on no listener: %v", err)
	}
	if _, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "plain"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "plain"}); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("a name twice: %v", err)
	}
	var urls []string
	for name, listener := range map[string]string{"a": "", "b": "plain"} {
		url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: name, Path: "/same", Listener: listener, Plan: mustPlan(t, "200(body="+name+")")})
		if err != nil {
			t.Fatal(err)
		}
		if status, body := post(t, r.trusting(false), url, "x"); status != 200 || body != name {
			t.Errorf("%s at %s: got %d %q", name, url, status, body)
		}
		urls = append(urls, url)
	}
	if strings.HasPrefix(urls[0], "https:") == strings.HasPrefix(urls[1], "https:") {
		t.Errorf("both are alike: %v", urls)
	}
}
