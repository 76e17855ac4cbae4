package container

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

const (
	// DefaultHost is the name of the harness's machine inside of each container; Docker Desktop has it by itself.
	DefaultHost = "host.docker.internal"
	// bridge is the network that the engine makes by itself, and whose address is that of host-gateway.
	bridge = "bridge"
	// answerWithin is for an engine that is just starting; one that runs answers in milliseconds.
	answerWithin = 10 * time.Second
	// fetchWithin bounds the download or build of an image of some hundred MB on a slow line.
	fetchWithin = 15 * time.Minute
	// removeWithin bounds what Close waits for.
	removeWithin = time.Minute
)

// Engine is where containers run. It is safe for concurrent use. Whoever opens it calls Close, after the senders' own.
type Engine struct {
	provider *testcontainers.DockerProvider
	docker   client.APIClient

	mu     sync.Mutex
	images map[string]*image
}

// image is fetched or built once, however many containers ask for it.
type image struct {
	once sync.Once
	name string
	err  error
	ours bool // it was built here, and goes with the engine
}

// Open connects to the engine of this machine, or of DOCKER_HOST. An error says that none answers.
func Open(ctx context.Context) (*Engine, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	log.SetDefault(quiet{})
	options := testcontainers.Generic2DockerOptions(testcontainers.WithLogger(quiet{}))
	p, err := testcontainers.NewDockerProvider(options...)
	if err != nil {
		return nil, fmt.Errorf("containers: no Docker answers: %w; start it, or name it by DOCKER_HOST", err)
	}
	e := &Engine{provider: p, docker: p.Client(), images: map[string]*image{}}
	if _, err := e.docker.Ping(ctx, client.PingOptions{}); err != nil {
		return nil, errors.Join(fmt.Errorf("containers: no Docker answers: %w; start it, or name it by DOCKER_HOST", err), p.Close())
	}
	return e, nil
}

// quiet is the library's logger: what matters of its words stands in the errors.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// Place tells how containers reach this machine. On Linux they share a bridge with it, on whose address the receiver must
// listen. Docker Desktop hands on what is for its name of the machine to loopback.
func (e *Engine) Place(ctx context.Context) (sender.Place, error) {
	place := sender.Place{Host: DefaultHost}
	r, err := e.docker.NetworkInspect(ctx, bridge, client.NetworkInspectOptions{})
	if err != nil {
		return place, fmt.Errorf("containers: the network %s: %w", bridge, err)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return place, fmt.Errorf("containers: addresses of this machine: %w", err)
	}
	for _, part := range r.Network.IPAM.Config {
		for _, a := range own {
			if p, err := netip.ParsePrefix(a.String()); err == nil && part.Subnet.Contains(p.Addr()) {
				place.Listen = p.Addr().String()
				return place, nil
			}
		}
	}
	return place, nil
}

// New returns a sender that does not run yet. Lines of its output, and an end of any of its containers that nobody asked for, go to
// w; a nil w hears nothing.
func (e *Engine) New(spec process.Containers, w process.Watcher) (process.Runner, error) {
	if err := check(spec); err != nil {
		return nil, fmt.Errorf("containers: %w", err)
	}
	return newGroup(e, spec, w), nil
}

// check wants all that no start can do without.
func check(spec process.Containers) error {
	if spec.Port < 1 || spec.Port > 65535 {
		return fmt.Errorf("%s: port %d: want that of the sender's API, 1 to 65535", spec.Name, spec.Port)
	}
	for _, c := range append([]process.Container{spec.Sender}, spec.Beside...) {
		if (c.Image == "") == (c.Build.Folder == "") {
			return fmt.Errorf("%s: container %s: want either an image or what to build one of", spec.Name, c.Name)
		}
	}
	return nil
}

// Fetch takes the image of a container from a registry, or builds it, unless that has been done.
func (e *Engine) Fetch(ctx context.Context, c process.Container) error {
	_, err := e.image(ctx, c)
	return err
}

// image returns the image of a container, which is there once it returns.
func (e *Engine) image(ctx context.Context, c process.Container) (string, error) {
	key := c.Image
	if key == "" {
		key = fmt.Sprintf("%q %q %q", c.Build.Folder, c.Build.Dockerfile, c.Build.Args)
	}
	e.mu.Lock()
	i := e.images[key]
	if i == nil {
		i = &image{name: c.Image, ours: c.Image == ""}
		e.images[key] = i
	}
	e.mu.Unlock()
	i.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchWithin)
		defer cancel()
		if i.ours {
			i.name, i.err = e.build(ctx, c.Build)
			return
		}
		i.err = e.fetch(ctx, c.Image)
	})
	return i.name, i.err
}

func (e *Engine) fetch(ctx context.Context, name string) error {
	if _, err := e.docker.ImageInspect(ctx, name); err == nil {
		return nil
	}
	if err := e.provider.PullImage(ctx, name); err != nil {
		return fmt.Errorf("image %s is not on this machine, and cannot be had: %w", name, err)
	}
	return nil
}

func (e *Engine) build(ctx context.Context, b process.Build) (string, error) {
	args := map[string]*string{}
	for name, value := range b.Args {
		args[name] = &value
	}
	req := testcontainers.ContainerRequest{FromDockerfile: testcontainers.FromDockerfile{
		Context: b.Folder, Dockerfile: b.Dockerfile, BuildArgs: args, KeepImage: true,
	}}
	name, err := e.provider.BuildImage(ctx, &req)
	if err != nil {
		return "", fmt.Errorf("build an image of %s: %w", b.Folder, err)
	}
	return name, nil
}

// Close removes the images that were built, and ends the connection.
func (e *Engine) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), removeWithin)
	defer cancel()
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for i := range maps.Values(e.images) {
		if i.ours && i.name != "" {
			_, err := e.docker.ImageRemove(ctx, i.name, client.ImageRemoveOptions{PruneChildren: true})
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, e.provider.Close())...)
}
