package container_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/sender/container"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// heard is a watcher that remembers.
type heard struct {
	mu     sync.Mutex
	lines  []string
	exited chan error
}

func (h *heard) Line(stream, line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, stream+": "+line)
}

func (h *heard) Exited(err error) { h.exited <- err }

func (h *heard) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.lines, "\n")
}

// spec runs the reference sender in a container.
func spec(t *testing.T) process.Containers {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return process.Containers{
		Name: "reference sender", Port: 8080,
		Sender: process.Container{
			Build:   process.Build{Folder: sender(t).folder},
			Command: []string{"sender", "--db", "/data/sender.db", "--listen", "0.0.0.0:8080", "--contract", "/etc/sender/contract.yaml"},
			Env:     []string{"TZ=Asia/Kathmandu"},
			Files:   map[string][]byte{"/etc/sender/contract.yaml": text},
			Volumes: []string{"/data"},
			Ready:   process.Ready{Log: regexp.MustCompile("^ready ")},
		},
	}
}

func start(t *testing.T, e *container.Engine, s process.Containers) (process.Runner, *heard) {
	t.Helper()
	h := &heard{exited: make(chan error, 1)}
	r, err := e.New(s, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, h
}

// call calls the sender's API and returns the answer's JSON.
func call(t *testing.T, method, url, body string) map[string]any {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil || res.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s answered %d: %s (%v)", method, url, res.StatusCode, b.String(), err)
	}
	var v map[string]any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatalf("%s %s: %v: %s", method, url, err, b.String())
	}
	return v
}

func TestStateSurvivesKillAndStop(t *testing.T) {
	e := open(t)
	r, h := start(t, e, spec(t))
	made := call(t, http.MethodPost, r.URL()+"/v1/endpoints", `{"url":"http://host.docker.internal:9/x","secret":"0123456789abcdef0123456789abcdef"}`)
	for _, end := range []func() error{
		func() error { return r.Kill(t.Context()) },
		func() error { return r.Stop(t.Context()) },
	} {
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if r.Running() || r.URL() != "" {
			t.Fatalf("it runs (%v) at %q after its end", r.Running(), r.URL())
		}
		if err := r.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := call(t, http.MethodGet, r.URL()+"/v1/endpoints/"+made["id"].(string), ""); got["id"] != made["id"] {
			t.Fatalf("the endpoint is %v after the restart, want %v", got, made)
		}
	}
	if n := strings.Count(h.text(), "ready http"); n != 3 {
		t.Errorf("%d lines say ready after three starts:\n%s", n, h.text())
	}
	if err := r.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "is running already") {
		t.Errorf("a second start: %v", err)
	}
	select {
	case err := <-h.exited:
		t.Errorf("an end that was asked for was told as one that was not: %v", err)
	default:
	}
}

func TestContainersBesideTheSender(t *testing.T) {
	e := open(t)
	s := spec(t)
	db := s.Sender
	db.Name, db.Ready = "db", process.Ready{HTTP: "/healthz", Port: 8080}
	s.Beside = []process.Container{db}
	s.Sender.Ready = process.Ready{Port: 8080}
	s.BasePath = "/v1"
	r, _ := start(t, e, s)
	made := call(t, http.MethodPost, r.URL()+"/endpoints", `{"url":"http://db:8080/nowhere","secret":"0123456789abcdef0123456789abcdef"}`)
	event := call(t, http.MethodPost, r.URL()+"/events", `{"type":"order.created","data":{},"endpoint":"`+made["id"].(string)+`"}`)
	path := r.URL() + "/events/" + event["id"].(string) + "/deliveries/" + made["id"].(string)
	for begun := time.Now(); ; {
		attempts, _ := call(t, http.MethodGet, path, "")["attempts"].([]any)
		if len(attempts) > 0 {
			// The sender beside it takes no deliveries: by its answer it was reached, by its name.
			if status := attempts[0].(map[string]any)["status"]; status != float64(http.StatusNotFound) {
				t.Fatalf("the first attempt ended with %v, want 404 of the container beside it", attempts[0])
			}
			return
		}
		if time.Since(begun) > 2*time.Minute {
			t.Fatal("no attempt within 2 min; the first is due after 1 s")
		}
		<-time.After(50 * time.Millisecond)
	}
}

func TestWhatDoesNotStartSaysWhy(t *testing.T) {
	e := open(t)
	for name, tt := range map[string]struct {
		change func(*process.Containers)
		want   []string
	}{
		"ends at once":  {func(s *process.Containers) { s.Sender.Command = []string{"sender", "--nonsense"} }, []string{"ended before it was ready (exit status 2)", "nonsense"}},
		"never ready":   {func(s *process.Containers) { s.Sender.Ready = process.Ready{Port: 81, Within: 10 * time.Second} }, []string{"not ready within 10s: nothing listens on port 81", "ready http"}},
		"no such image": {func(s *process.Containers) { s.Sender.Build, s.Sender.Image = process.Build{}, "127.0.0.1:9/none:1" }, []string{"image 127.0.0.1:9/none:1 is not on this machine"}},
		"no Dockerfile": {func(s *process.Containers) { s.Sender.Build.Folder = t.TempDir() }, []string{"build an image of"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := spec(t)
			tt.change(&s)
			r, err := e.New(s, nil)
			if err != nil {
				t.Fatal(err)
			}
			err = r.Start(t.Context())
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("want %q in the error, got %v", want, err)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestUnexpectedEndIsTold(t *testing.T) {
	e := open(t)
	r, h := start(t, e, spec(t))
	// Killed behind the harness's back, as by a lack of memory.
	ids, err := exec.CommandContext(t.Context(), "docker", "ps", "-q", "--filter", "publish="+port(t, r.URL())).Output()
	if err != nil || len(ids) == 0 {
		t.Skipf("the container cannot be found by a docker command: %v", err)
	}
	if out, err := exec.CommandContext(t.Context(), "docker", "kill", strings.TrimSpace(string(ids))).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	err = <-h.exited
	exited, ok := errors.AsType[*process.ExitedError](err)
	if !ok || exited.Exit.Code != 137 || !strings.Contains(exited.Tail, "ready http") {
		t.Errorf("its end was told as %v", err)
	}
}

func port(t *testing.T, base string) string {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port()
}

func TestSpecsThatCannotRun(t *testing.T) {
	t.Parallel()
	e := &container.Engine{}
	for _, s := range []process.Containers{
		{Name: "x", Sender: process.Container{Image: "a"}},
		{Name: "x", Port: 80},
		{Name: "x", Port: 80, Sender: process.Container{Image: "a", Build: process.Build{Folder: "/b"}}},
		{Name: "x", Port: 80, Sender: process.Container{Image: "a"}, Beside: []process.Container{{Name: "db"}}},
	} {
		if _, err := e.New(s, nil); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
