package httpapi_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// watcher records what it is told.
type watcher struct {
	mu     sync.Mutex
	lines  []string
	late   []sample
	exited chan error

	answers map[string]string // the last one, by call
}

type sample struct {
	due  time.Time
	late time.Duration
}

func newWatcher() *watcher {
	return &watcher{exited: make(chan error, 10), answers: map[string]string{}}
}

func (w *watcher) Line(stream, line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, stream+": "+line)
}

func (w *watcher) Exited(err error) { w.exited <- err }

func (w *watcher) Answer(call string, body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers[call] = string(body)
}

func (w *watcher) Late(due time.Time, late time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.late = append(w.late, sample{due, late})
}

func (w *watcher) samples() []sample {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]sample(nil), w.late...)
}

func TestNewReportsAllProblems(t *testing.T) {
	t.Parallel()
	launched := `
vars: {plan: free, key: }
launch:
  command: ['${hookasay}', '${dir}', '${file.contract.yaml}', '${file.other}', '${contract.timeout}', '${plan}']
  ready: '^ready (\S+)'
`
	tests := []struct {
		name, text string
		options    httpapi.Options
		want       []string
	}{
		{
			"launched", launched,
			httpapi.Options{
				Vars: map[string]string{"pan": "x"}, Contract: map[string]string{"deadline": "1s"}, Builtin: map[string]string{"hookassay": "/x"},
				Files: map[string][]byte{"contract.yaml": nil, "../x": nil},
			},
			[]string{
				"a.yaml: var key has no default and was not given",
				`variable "pan" was given, but a.yaml has no such var (did you mean plan?); known: plan, key`,
				"a.yaml:9:13: ${hookasay} has no value (did you mean hookassay?); known: ca, contract.deadline, dir, file.contract.yaml, hookassay, key, plan",
				"a.yaml:9:63: ${file.other} has no value",
				"a.yaml:9:80: ${contract.timeout} has no value",
				`file "../x": want a plain file name`,
			},
		},
		{
			"attached", "base_url: http://h/${file.x}/${dir}/${ca}\n",
			httpapi.Options{Files: map[string][]byte{"x": nil}},
			[]string{"${file.x}: file x is written for launched senders only", "a.yaml:6:11: ${dir} has no value; known: none", "${ca}: an authority to trust is made for launched senders only"},
		},
		{
			"taken name", "base_url: http://h\nvars: {hookassay: x}\n",
			httpapi.Options{Builtin: map[string]string{"hookassay": "/x"}},
			[]string{"a.yaml: vars: the name hookassay is taken"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, err := httpapi.Parse("a.yaml", []byte(strings.Replace(smallest, "base_url: http://127.0.0.1:1\n", "", 1)+tt.text))
			if err != nil {
				t.Fatal(err)
			}
			_, err = httpapi.New(a, tt.options)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("want %q in:\n%v", want, err)
				}
			}
			if got := strings.Count(err.Error(), "\n") + 1; got != len(tt.want) {
				t.Errorf("%d problems, want %d:\n%v", got, len(tt.want), err)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	want := evidence.Sender{Name: "reference sender", Driver: "httpapi", Abilities: []string{
		"change-object", "custom-headers", "dead-letters", "delete", "disable", "environments", "fan-out", "issue-secrets", "kill", "launch", "log",
		"output", "read-endpoint", "replay", "replay-range", "revoke", "roll-back", "rotate", "stop",
	}}
	if d := cmp.Diff(want, launcher(t, refsenderAdapter(t), httpapi.Options{}).Info()); d != "" {
		t.Errorf("want first:\n%s", d)
	}
}

// The example's own command line, with a stand-in for the program.
func TestExampleCommandLine(t *testing.T) {
	t.Parallel()
	a, err := httpapi.Load("../../../examples/refsender/adapter.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	script := "#!/bin/sh\nfor a in \"$@\"; do echo \"<$a>\"; done\ncat \"$7\" \"${13}\"\necho \"TZ=$TZ\"\necho ready http://127.0.0.1:1\nexec sleep 100\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := httpapi.New(a, httpapi.Options{
		Builtin: map[string]string{"hookassay": program}, Files: map[string][]byte{"contract.yaml": []byte("name: c\n")}, TempDir: dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(l.Info().Abilities, string(sender.CanTrust)) {
		t.Errorf("abilities %v, want %s among them, as the command uses ${ca}", l.Info().Abilities, sender.CanTrust)
	}
	if err := l.(sender.Truster).Trust([]byte("an authority\n")); err != nil {
		t.Fatal(err)
	}
	w := newWatcher()
	i, err := l.Launch(t.Context(), "kill/In Flight", w)
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	text := strings.Join(w.lines, "\n")
	w.mu.Unlock()
	folders, err := filepath.Glob(filepath.Join(dir, "hookassay-kill-in-flight-*"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("folders %q, %v", folders, err)
	}
	own := folders[0]
	want := "<sender>\n<--db>\n<" + own + "/sender.db>\n<--listen>\n<127.0.0.1:0>\n<--contract>\n<" + own +
		"/contract.yaml>\n<--defect>\n<>\n<--variant>\n<>\n<--ca>\n<" + own + "/trusted-ca.pem>\nname: c\nan authority\nTZ=Asia/Kathmandu\nready http://127.0.0.1:1"
	if d := cmp.Diff(want, strings.ReplaceAll(text, "stdout: ", "")); d != "" {
		t.Errorf("output (want first):\n%s", d)
	}
	for range 2 {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(own); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestLaunchFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, want string }{
		"never ready":  {`echo the key is $0; exec sleep 100`, "last lines of output:\nthe key is [secret]"},
		"no base URL":  {`echo ready nowhere; exec sleep 100`, `"nowhere" is no base URL`},
		"ends at once": {`exit 4`, "ended before it was ready (exit status 4)"},
		"setup fails":  {`echo ready http://127.0.0.1:1; exec sleep 100`, "setup: GET http://127.0.0.1:1/x: the sender cannot be reached at 127.0.0.1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := httpapi.Parse("a.yaml", []byte(strings.Replace(smallest, "base_url: http://127.0.0.1:1\n", `
vars: {script: , key: hush-hush}
secrets: [key]
setup: {method: GET, path: /x, expect: 200}
launch: {command: [sh, -c, '${script}', '${key}'], ready: '^ready (.*)', ready_timeout: 300ms}
`, 1)))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			w := newWatcher()
			l, err := httpapi.New(a, httpapi.Options{TempDir: dir, Vars: map[string]string{"script": tt.script}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = l.Launch(t.Context(), "x", w)
			if err == nil || !strings.HasPrefix(err.Error(), "launch x: ") || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hush") {
				t.Errorf("want %q, got %v", tt.want, err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			if len(w.exited) > 0 {
				t.Errorf("the watcher was told as well: %v", <-w.exited)
			}
		})
	}
}

func TestCrashIsToldAndSurvived(t *testing.T) {
	t.Parallel()
	w := newWatcher()
	a := refsenderAdapter(t)
	var base string
	i := launch(t, launcher(t, a, httpapi.Options{HTTP: &http.Client{Transport: spy(func(q *http.Request) { base = "http://" + q.URL.Host })}}), w)
	e, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: "x", URL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if res, err := http.Post(base+"/crash", "", nil); err == nil {
		_ = res.Body.Close()
	}
	err = <-w.exited
	var exited *process.ExitedError
	if !errors.As(err, &exited) || exited.Exit.Code != 5 || !strings.Contains(err.Error(), "crashing as asked") {
		t.Errorf("got %v", err)
	}
	_, err = i.Emit(t.Context(), sender.Event{Type: "a.b", Endpoint: e.ID, Data: []byte("{}")})
	if err == nil || !strings.Contains(err.Error(), "emit a.b: the sender "+t.Name()+" does not run") {
		t.Errorf("emit to a crashed sender: %v", err)
	}
	if err := i.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Endpoint: e.ID, Data: []byte("{}")}); err != nil {
		t.Error(err)
	}
	had := len(w.samples())
	waitFor(t, "probing goes on", func() bool { return len(w.samples()) > had+2 })
}

// spy looks at requests that are not probes.
type spy func(*http.Request)

func (s spy) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.URL.Path != "/healthz" {
		s(q)
	}
	return http.DefaultTransport.RoundTrip(q)
}

func TestProbeTellsOfAStall(t *testing.T) {
	t.Parallel()
	w := newWatcher()
	i := launch(t, launcher(t, refsenderAdapter(t), httpapi.Options{Vars: map[string]string{"defect": stalls}}), w)
	waitFor(t, "samples after the stall", func() bool { return len(w.samples()) > 12 })
	if err := i.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := w.samples()
	worst := 0
	for n, s := range got {
		if s.late < 0 {
			t.Errorf("sample %d is early: %s", n, s.late)
		}
		if n > 0 && s.due.Sub(got[n-1].due) != 100*time.Millisecond {
			t.Errorf("sample %d is due %s after the one before", n, s.due.Sub(got[n-1].due))
		}
		if s.late > got[worst].late {
			worst = n
		}
	}
	// The fake stalls for 500 ms; "usual" is the fastest answer, so less than 300 ms would need a harness that was slow
	// throughout.
	if got[worst].late < 300*time.Millisecond {
		t.Errorf("the worst of %d samples is %s", len(got), got[worst].late)
	}
	if n := len(w.samples()); n != len(got) {
		t.Errorf("%d samples came after Stop", n-len(got))
	}
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(time.Minute)
	for !ok() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("%s: did not happen within a minute", what)
		}
	}
}
