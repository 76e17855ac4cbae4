// Command registry makes Debian's docker-registry notify endpoints. The registry learns of endpoints at its start only, sends every
// event to all of them, and one at a time to each; so each endpoint has a registry of its own here. What is tested is the
// registry: this program starts it, pushes to it and stays out of the way.
//
// A push of a tag whose manifest and blobs are there already is one event. The tag is free text of up to 128 characters, and so
// carries what an event is known again by.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/hookassay/hookassay/examples/real-senders/internal/front"
)

const (
	repository = "hookassay"
	mediaType  = "application/vnd.oci.image.manifest.v1+json"
	config     = "{}"
)

// configuration is what a registry is started with: backoff and timeout are what the run's contract says.
const configuration = `version: 0.1
log: {level: info, formatter: text}
storage: {filesystem: {rootdirectory: %[1]q}}
http: {addr: "127.0.0.1:0"}
notifications:
  events: {includereferences: false}
  endpoints:
    - {name: assay, url: %[2]q, timeout: 2s, threshold: 3, backoff: 1s}
`

// registry is one process, for one endpoint.
type registry struct {
	url string // of its API
}

// registries are those that run, by the endpoint's id.
type registries struct {
	dir string
	mu  sync.Mutex
	of  map[string]registry
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: registry FOLDER")
	}
	log.Fatal(front.Serve(&registries{dir: os.Args[1], of: map[string]registry{}}))
}

// Register implements front.Sender.
func (s *registries) Register(id, url string) error {
	started, err := start(filepath.Join(s.dir, id), url)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[id] = started
	return nil
}

var listening = regexp.MustCompile(`listening on (127\.0\.0\.1:\d+)`)

// start starts a registry and returns when it listens. It ends with this process, whose group it is in.
func start(dir, endpoint string) (registry, error) {
	file := filepath.Join(dir, "config.yml")
	if err := seed(filepath.Join(dir, "storage")); err != nil {
		return registry{}, err
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, configuration, filepath.Join(dir, "storage"), endpoint), 0o600); err != nil {
		return registry{}, err
	}
	cmd := exec.Command("docker-registry", "serve", file)
	cmd.Env = append(os.Environ(), "OTEL_TRACES_EXPORTER=none")
	out, err := cmd.StderrPipe()
	if err != nil {
		return registry{}, err
	}
	if err := cmd.Start(); err != nil {
		return registry{}, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return registry{url: "http://" + m[1]}, nil
		}
	}
	return registry{}, fmt.Errorf("docker-registry ended before it listened: %w", cmd.Wait())
}

// seed writes the one blob that all manifests refer to, as the registry's storage keeps it.
func seed(root string) error {
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(config)))
	base := filepath.Join(root, "docker", "registry", "v2")
	for path, content := range map[string]string{
		filepath.Join(base, "blobs", "sha256", sum[:2], sum, "data"):                      config,
		filepath.Join(base, "repositories", repository, "_layers", "sha256", sum, "link"): "sha256:" + sum,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Emit implements front.Sender: the event is the push of a tag.
func (s *registries) Emit(ctx context.Context, e front.Event) error {
	s.mu.Lock()
	to, ok := s.of[e.Endpoint]
	s.mu.Unlock()
	if !ok {
		return fmt.Errorf("no endpoint %q", e.Endpoint)
	}
	manifest := fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":"application/vnd.oci.image.config.v1+json","size":%d,"digest":"sha256:%x"},"layers":[]}`,
		mediaType, len(config), sha256.Sum256([]byte(config)))
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, to.url+"/v2/"+repository+"/manifests/"+e.Marker, strings.NewReader(manifest))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", mediaType)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err == nil && res.StatusCode != http.StatusCreated {
		err = fmt.Errorf("the registry answered %d: %s", res.StatusCode, text)
	}
	return err
}
