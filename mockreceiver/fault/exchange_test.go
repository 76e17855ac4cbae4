package fault_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// script is an Exchange that writes down what a fault asks of it. The method named in stop answers false.
type script struct {
	stop  string
	draw  float64
	age   time.Duration
	full  time.Duration // until there is room
	calls []string
}

func (s *script) note(name string, format string, a ...any) bool {
	s.calls = append(s.calls, strings.TrimSpace(name+" "+fmt.Sprintf(format, a...)))
	return name != s.stop
}

func (s *script) Now() time.Time       { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
func (s *script) Draw() float64        { return s.draw }
func (s *script) Hang(d time.Duration) { s.note("hang", "%s", d) }
func (s *script) Age() time.Duration   { return s.age }
func (s *script) Admit(n int) time.Duration {
	s.note("admit", "%d", n)
	return s.full
}

func (s *script) Interim(status int, fields ...[2]string) bool {
	return s.note("interim", "%d %v", status, fields)
}
func (s *script) Write(raw string, e fault.End) { s.note("write", "%q %s", raw, e) }
func (s *script) Close()                        { s.note("close", "") }
func (s *script) Reset()                        { s.note("reset", "") }
func (s *script) Goaway() bool                  { return s.note("goaway", "") }
func (s *script) Instead(kind string)           { s.note("instead", "%s", kind) }
func (s *script) ResetStream(code uint32) bool  { return s.note("reset-stream", "%d", code) }

func (s *script) ListenerURL(name string) (string, bool) {
	return "https://" + name + ".test", s.note("listener", "%s", name)
}
func (s *script) Inject(k int, as fault.Step) bool { return s.note("inject", "%d %s", k, as) }

func (s *script) Reply(r fault.Reply) {
	var more string
	if r.Fill != 0 {
		more = fmt.Sprintf(" fill %d", r.Fill)
	}
	if r.Pause != (fault.Pause{}) {
		more += fmt.Sprintf(" pause %s at %d", r.Pause.For, r.Pause.At)
	}
	if r.Pace != (fault.Pace{}) {
		more += fmt.Sprintf(" pace %d/%s", r.Pace.Bytes, r.Pace.Every)
	}
	if l := r.Leave; l.Announced {
		more += " then announced"
	} else if l.OnNext {
		more += fmt.Sprintf(" then %s on next", l.With)
	} else if l.With != "" {
		more += fmt.Sprintf(" then %s after %s", l.With, l.After)
	}
	s.note("reply", "%d %v %q%s", r.Status, r.Header, r.Body, more)
}

func (s *script) Business(w fault.Write) (ok bool) {
	return s.note("business", "fail=%v work=%s", w.Fail, w.Work)
}

func (s *script) Hold(d time.Duration) bool {
	if d == 0 {
		return s.stop != "hold"
	}
	return s.note("hold", "%s", d)
}

// acts checks what a step asks of its exchange, in order.
func acts(t *testing.T, s script, step, want string) {
	t.Helper()
	p, err := fault.Parse(step)
	if err != nil {
		t.Fatal(err)
	}
	p.Then.Act(&s)
	if got := strings.Join(s.calls, "; "); got != want {
		t.Errorf("%s (stop at %q)\n got %s\nwant %s", step, s.stop, got, want)
	}
}
