package httpapi_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// engine takes note of what it is to run, and runs a process of ours instead.
type engine struct {
	spec    process.Containers
	fetched []process.Container
}

func (e *engine) Fetch(_ context.Context, c process.Container) error {
	e.fetched = append(e.fetched, c)
	return nil
}

func (e *engine) New(spec process.Containers, w process.Watcher) (process.Runner, error) {
	e.spec = spec
	return process.New(process.Spec{Command: []string{"true"}}, w)
}

func (*engine) Place(context.Context) (sender.Place, error) {
	return sender.Place{Listen: "192.0.2.1", Host: "machine"}, nil
}

const contained = `schema: hookassay.adapter/1
name: contained
vars: {tag: "1.2", empty: ""}
container:
  image: shop/sender:${tag}
  entrypoint: [/sender]
  command: [--config, /etc/sender.yaml]
  env: {LEVEL: info, EMPTY?: "${empty}"}
  files: {/etc/sender.yaml: settings.yaml, /etc/tag: {text: "tag ${tag}"}, /etc/none?: "${empty}"}
  volumes: [/data]
  port: 8080
  base_path: /api
  ready: {http: /healthz, within: 5s}
  stop_grace: 3s
  networks: [shop]
  receiver: {host: receiver.example}
  beside:
    db: {build: {folder: db, dockerfile: Small, args: {A: "${tag}"}}, ready: {port: 5432}}
ops:
  register: {method: POST, path: /e, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /m, expect: 202}
`

func TestContainersOfAnAdapter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.yaml": contained, "settings.yaml": "x: 1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := httpapi.Load(filepath.Join(dir, "a.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{}
	l, err := httpapi.New(a, httpapi.Options{Containers: e, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, ability := range []sender.Ability{sender.CanLaunch, sender.CanKill, sender.CanStop, sender.CanOutput} {
		if !strings.Contains(strings.Join(l.Info().Abilities, " "), string(ability)) {
			t.Errorf("the ability %s is missing among %v", ability, l.Info().Abilities)
		}
	}
	place, err := l.(sender.Placer).Place(t.Context())
	if want := (sender.Place{Listen: "192.0.2.1", Host: "receiver.example"}); err != nil || place != want {
		t.Errorf("place is %+v (%v), want %+v", place, err, want)
	}
	// The stand-in ends at once, and has no URL: what counts is what it was to run.
	if i, err := l.Launch(t.Context(), "shared", nil); err == nil {
		t.Errorf("a sender without a URL was launched: %v", i.Close())
	}
	want := process.Containers{
		Name: "shared", Port: 8080, BasePath: "/api", Networks: []string{"shop"}, Host: "receiver.example", Grace: 3e9,
		Sender: process.Container{
			Image: "shop/sender:1.2", Entrypoint: []string{"/sender"}, Command: []string{"--config", "/etc/sender.yaml"},
			Env: []string{"LEVEL=info"}, Volumes: []string{"/data"}, Ready: process.Ready{HTTP: "/healthz", Within: 5e9},
			Files: map[string][]byte{"/etc/sender.yaml": []byte("x: 1\n"), "/etc/tag": []byte("tag 1.2")},
		},
		Beside: []process.Container{{
			Name: "db", Ready: process.Ready{Port: 5432},
			Build: process.Build{Folder: filepath.Join(dir, "db"), Dockerfile: "Small", Args: map[string]string{"A": "1.2"}},
		}},
	}
	if diff := cmp.Diff(want, e.spec, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestProblemsOfContainers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ old, text, want string }{
		"no image":       {"  image: shop/sender:${tag}\n", "", "container: want either image or build"},
		"launch as well": {"container:\n", "launch: {command: [a], ready: b}\ncontainer:\n", "it stands instead of launch and base_url"},
		"no port":        {"  port: 8080\n", "", `field "port" is missing`},
		"port":           {"port: 8080", "port: http", `want a port, 1 to 65535, got "http"`},
		"ready":          {"{http: /healthz, within: 5s}", "{within: 5s}", "want log, a pattern"},
		"both ready":     {"{http: /healthz, within: 5s}", "{log: a, port: 1}", "want either log or"},
		"beside":         {"{port: 5432}", "{http: /x}", "http needs port here"},
		"file":           {"/etc/tag:", "tag:", "want the whole path of a file inside"},
		"volume":         {"[/data]", "[data]", "want a path that begins with /"},
		"listen":         {"{host: receiver.example}", "{listen: eth0}", "want an IP address of this machine"},
		"host name":      {"    db:", "    My_DB:", "is no host name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(contained, tt.old, tt.text, 1)
			if text == contained {
				t.Fatalf("%q is not in the adapter", tt.old)
			}
			if _, err := httpapi.Parse("a.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
	a, err := httpapi.Parse("a.yaml", []byte(contained))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := httpapi.New(a, httpapi.Options{}); err == nil || !strings.Contains(err.Error(), "nothing here to run them") {
		t.Errorf("without an engine: %v", err)
	}
}
