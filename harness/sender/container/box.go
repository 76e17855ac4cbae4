package container

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"

	"github.com/hookassay/hookassay/harness/sender/process"
)

// killedCode is the exit code of what SIGKILL ended: 128 and the signal's number.
const killedCode = 137

// box is one container, over all of its lives.
type box struct {
	engine *Engine
	spec   process.Container
	ports  []int
	ctr    testcontainers.Container
	host   string // where its ports are published
	line   func(stream, line string)
	exited func(error)

	mu   sync.Mutex
	life *life // the latest; nil before the first
}

// surroundings are what a box is put into.
type surroundings struct {
	networks []string
	host     string // name of the machine of the harness
}

// create makes the container and writes its files; it does not run yet.
func (b *box) create(ctx context.Context, in surroundings) error {
	name, err := b.engine.image(ctx, b.spec)
	if err != nil {
		return err
	}
	if b.host, err = b.engine.provider.DaemonHost(ctx); err != nil {
		return fmt.Errorf("where ports are published: %w", err)
	}
	req := testcontainers.ContainerRequest{
		Image: name, Entrypoint: b.spec.Entrypoint, Cmd: b.spec.Command,
		Networks: in.networks, NetworkAliases: map[string][]string{},
		ConfigModifier:     func(c *container.Config) { c.Env = b.spec.Env },
		HostConfigModifier: func(c *container.HostConfig) { b.attach(c, in.host) },
	}
	for _, n := range in.networks {
		req.NetworkAliases[n] = []string{b.spec.Name}
	}
	for _, p := range b.ports {
		req.ExposedPorts = append(req.ExposedPorts, portName(p))
	}
	for path, content := range b.spec.Files {
		// A sender need not run as root, and must read what it is given.
		req.Files = append(req.Files, testcontainers.ContainerFile{Reader: bytes.NewReader(content), ContainerFilePath: path, FileMode: 0o644})
	}
	b.ctr, err = b.engine.provider.CreateContainer(ctx, req)
	if err != nil {
		return fmt.Errorf("make the container of %s: %w", name, err)
	}
	return nil
}

// attach says what the container shares with the machine.
func (b *box) attach(c *container.HostConfig, host string) {
	c.ExtraHosts = []string{host + ":host-gateway"}
	for _, v := range b.spec.Volumes {
		c.Mounts = append(c.Mounts, mount.Mount{Type: mount.TypeVolume, Target: v})
	}
	if b.host != "localhost" && !isLoopback(b.host) {
		return // an engine on another machine: its loopback cannot be reached
	}
	c.PortBindings = network.PortMap{}
	for _, p := range b.ports {
		c.PortBindings[network.MustParsePort(portName(p))] = []network.PortBinding{{HostIP: netip.AddrFrom4([4]byte{127, 0, 0, 1})}}
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func portName(p int) string { return strconv.Itoa(p) + "/tcp" }

// address is where a port of the container is published since its latest start.
func (b *box) address(ctx context.Context, port int) (string, error) {
	p, err := b.ctr.MappedPort(ctx, portName(port)) // none where the container has ended
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(b.host, p.Port()), nil
}

// start starts the container and waits until it is ready. An error means that it does not run.
func (b *box) start(ctx context.Context) error {
	l, err := b.begin(ctx)
	if err != nil {
		return err
	}
	why := b.awaitReady(ctx, l)
	if why == nil && b.markStarted(l) {
		return nil
	}
	if why == nil {
		why = errors.New("it ended right after it was ready")
	}
	err = b.kill(context.WithoutCancel(ctx))
	return errors.Join(fmt.Errorf("%w; %s", why, l.printed()), err)
}

// markStarted makes an end of l from now on an unexpected one; false if it has ended already.
func (b *box) markStarted(l *life) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	l.started = !l.ended
	return l.started
}

// current returns the life that runs, whose end is wanted from now on if asked; nil if none does.
func (b *box) current(asked bool) *life {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.life == nil || b.life.ended {
		return nil
	}
	b.life.asked = b.life.asked || asked
	return b.life
}

// stop asks the container to end, by the signal of its image, and kills it after the grace.
func (b *box) stop(ctx context.Context, grace time.Duration) error {
	l := b.current(true)
	if l == nil {
		return nil
	}
	if grace < time.Second {
		grace = time.Second // the engine counts whole ones
	}
	if err := b.ctr.Stop(ctx, &grace); err != nil {
		return errors.Join(err, b.kill(context.WithoutCancel(ctx)))
	}
	if err := l.wait(ctx); err != nil {
		return err
	}
	if l.exit.Code == killedCode {
		return fmt.Errorf("it did not end within %s: %w", grace, process.ErrForced)
	}
	return nil
}

// kill ends the container by SIGKILL and waits until it is gone and its output is read.
func (b *box) kill(ctx context.Context) error {
	l := b.current(true)
	if l == nil {
		return nil
	}
	_, err := b.engine.docker.ContainerKill(ctx, b.ctr.GetContainerID(), client.ContainerKillOptions{Signal: "SIGKILL"})
	if gone := l.wait(ctx); gone != nil {
		return errors.Join(err, gone)
	}
	return nil // one that ended by itself meanwhile cannot be killed, and need not be
}

// remove ends the container and removes it with its volumes.
func (b *box) remove(ctx context.Context) error {
	if b.ctr == nil {
		return nil
	}
	return errors.Join(b.kill(ctx), b.ctr.Terminate(ctx, testcontainers.StopTimeout(0)))
}

// published lists the ports that have to be reached from outside.
func published(c process.Container, api int) []int {
	ports := []int{api, c.Ready.Port}
	slices.Sort(ports)
	return slices.DeleteFunc(slices.Compact(ports), func(p int) bool { return p == 0 })
}
