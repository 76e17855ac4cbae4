// Command registry makes Debian's docker-registry notify endpoints. The registry learns of endpoints at its start only, sends every
// event to all of them, and one at a time to each; so each endpoint has a registry of its own here. What is tested is the
// registry: this program starts it, pushes to it and stays out of the way.
//
// A push of a tag whose manifest and blobs are there already is one event. The tag is free text of up to 128 characters, and so
// carries what an event is known again by.
package main

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
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

// server is the API that the harness calls.
type server struct {
	dir string
	mu  sync.Mutex
	of  map[string]registry
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: registry FOLDER")
	}
	s := &server{dir: os.Args[1], of: map[string]registry{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /endpoints", s.register)
	mux.HandleFunc("POST /events", s.emit)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ready http://%s\n", l.Addr())
	log.Fatal(http.Serve(l, mux))
}

func (s *server) register(w http.ResponseWriter, r *http.Request) {
	var in struct {
		URL string `json:"url"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.URL == "" {
		http.Error(w, "want {url}", http.StatusBadRequest)
		return
	}
	id := rand.Text()
	started, err := start(filepath.Join(s.dir, id), in.URL)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	s.of[id] = started
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]string{"id": id})
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

func (s *server) emit(w http.ResponseWriter, r *http.Request) {
	var in struct{ Endpoint, Marker string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	to, ok := s.of[in.Endpoint]
	s.mu.Unlock()
	if !ok {
		http.Error(w, "no such endpoint", http.StatusNotFound)
		return
	}
	status, answer, err := push(r, to, in.Marker)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

// push pushes a tag and hands the registry's own answer on.
func push(r *http.Request, to registry, tag string) (status int, answer string, err error) {
	manifest := fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":"application/vnd.oci.image.config.v1+json","size":%d,"digest":"sha256:%x"},"layers":[]}`,
		mediaType, len(config), sha256.Sum256([]byte(config)))
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPut, to.url+"/v2/"+repository+"/manifests/"+tag, strings.NewReader(manifest))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", mediaType)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close() //nolint:errcheck // read to its end
	b, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	return res.StatusCode, string(b), err
}
