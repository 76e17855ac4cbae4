package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/command"
)

const (
	pings = `{"id":$id,"result":{"name":"tiny","abilities":["ping","kill"]}}`
	// patience is for what comes at once, on a busy machine.
	patience = time.Minute
)

// patient is a watcher of a shim that is pinged.
type patient struct {
	output
	late    chan time.Duration
	noticed chan string
}

func (p *patient) Late(_ time.Time, late time.Duration) { p.late <- late }
func (p *patient) Noticed(what string)                  { p.noticed <- what }

// awaitPing returns when the shim has read a ping, and counts it.
func (p *patient) awaitPing(t *testing.T) {
	t.Helper()
	for limit := time.After(patience); ; {
		select {
		case line := <-p.lines:
			if strings.Contains(line, `"call":"ping"`) {
				return
			}
		case <-limit:
			t.Fatal("the shim was sent no ping")
		}
	}
}

// pinged launches a shim that declares ping. Once it is known, the file spoilt lies in its folder.
func pinged(t *testing.T, answers map[string]string) (sender.Instance, *patient) {
	t.Helper()
	dir := t.TempDir()
	if answers["hello"] == "" {
		answers["hello"] = pings
	}
	l, err := open(t, command.Options{Env: []string{"SPOILT=" + filepath.Join(dir, "spoilt")}}, answers)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "spoilt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// More than any test lasts: the shim must not wait for who reads.
	w := &patient{output{make(chan string, 10_000)}, make(chan time.Duration, 10_000), make(chan string, 100)}
	i, err := l.Launch(t.Context(), "shared", w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i, w
}

func emit(t *testing.T, i sender.Instance) {
	t.Helper()
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
}

func TestAShimThatIsHeldIsLate(t *testing.T) {
	t.Parallel()
	const held = time.Second
	i, w := pinged(t, map[string]string{"ping": `{"id":$id}`, "emit": `{"id":$id,"result":{"id":"e$(sleep 1)"}}`})
	w.awaitPing(t)
	emit(t, i)
	for limit := time.After(patience); ; {
		select {
		case late := <-w.late:
			if late >= held/2 { // one was due within the first tenth of it; what is usual is no lateness
				return
			}
		case <-limit:
			t.Fatal("nobody noticed that the shim was held")
		}
	}
}

// A ping without an answer holds up no call, finds no second one behind it, and ends with the process.
func TestOnePingIsOpen(t *testing.T) {
	t.Parallel()
	i, w := pinged(t, map[string]string{
		"ping": `$([ -e "$SPOILT" ] || echo '{"id":'$id'}')`,
		"emit": `{"id":$id,"result":{"id":"e$(sleep 0.2)"}}`,
	})
	for range 2 { // lives of the process
		w.awaitPing(t)
		for range 3 {
			emit(t, i)
		}
		if err := i.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		for len(w.lines) > 0 {
			if line := <-w.lines; strings.Contains(line, `"call":"ping"`) {
				t.Errorf("one more: %s", line)
			}
		}
		if err := i.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPingIsTriedFirst(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ ping, want string }{
		"error":  {`{"id":$id,"error":"no such call"}`, "the shim declares ping, and says: no such call; answer it with"},
		"form":   {`{"id":$id,"result":"pong"}`, `answers it with another result than {}: "pong"; answer it with {"id":…,"result":{}} at once`},
		"no one": {`pong`, `the shim wrote a line that answers no call: "pong"`},
		"none":   {``, "ping: the shim gave no answer within 3s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := command.Options{}
			if name == "none" {
				o.CallTimeout = 3 * time.Second // ample for the answer to hello, on a busy machine
			}
			_, err := open(t, o, map[string]string{"hello": pings, "ping": tt.ping})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
}

// What is no answer any more is told once, and no call suffers from it.
func TestPingsThatAreAnsweredBadly(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		spoilt, want string
		goesOn       bool
	}{
		"error": {`"error":"the sender is gone"`, "ping: the shim declares ping, and says: the sender is gone; ", true},
		"form":  {`"result":[]`, "another result than {}: []; ", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i, w := pinged(t, map[string]string{
				"ping": `{"id":$id$([ ! -e "$SPOILT" ] || echo ',` + tt.spoilt + `')}`,
				"emit": `{"id":$id}`,
			})
			select {
			case got := <-w.noticed:
				if !strings.Contains(got, tt.want) {
					t.Errorf("want %q, got %q", tt.want, got)
				}
			case <-time.After(patience):
				t.Fatal("nobody was told")
			}
			if tt.goesOn {
				for range 3 { // the third shows that the second was dealt with
					w.awaitPing(t)
				}
			}
			emit(t, i)
			if err := i.Kill(t.Context()); err != nil {
				t.Fatal(err)
			}
			select {
			case again := <-w.noticed:
				t.Errorf("told once more: %s", again)
			default:
			}
		})
	}
}

func TestAShimWithoutPingGetsNone(t *testing.T) {
	t.Parallel()
	i, w := pinged(t, map[string]string{"hello": `{"id":$id,"result":{"name":"tiny","abilities":["kill"]}}`, "emit": `{"id":$id,"result":{"id":"e$(sleep 0.3)"}}`})
	emit(t, i)
	if err := i.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	for len(w.lines) > 0 {
		if line := <-w.lines; strings.Contains(line, "ping") {
			t.Errorf("it got %s", line)
		}
	}
	if len(w.late) > 0 {
		t.Error("lateness that nobody measured")
	}
}

func TestAPingedShimThatEndsIsTold(t *testing.T) {
	t.Parallel()
	i, w := pinged(t, map[string]string{"ping": `{"id":$id}`, "emit": `$(kill -9 $$)`})
	w.awaitPing(t)
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")}); err == nil || !strings.Contains(err.Error(), "the shim has ended") {
		t.Errorf("a shim that ended takes an event: %v", err)
	}
	if err := i.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.awaitPing(t)
}
