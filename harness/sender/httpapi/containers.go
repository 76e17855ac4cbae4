package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/process"
)

// Containers is where senders run whose adapter has a section container: package container's Engine.
type Containers interface {
	// Fetch sees to it that the image of a container is there: it is taken from a registry, or built. That can take minutes.
	Fetch(ctx context.Context, c process.Container) error
	// New returns a sender that does not run yet.
	New(spec process.Containers, w process.Watcher) (process.Runner, error)
	// Place tells how containers reach this machine.
	Place(ctx context.Context) (sender.Place, error)
}

var errNoContainers = errors.New("it runs in containers, and there is nothing here to run them: Options.Containers is nil")

// InContainers tells whether the sender runs in containers, so that Options.Containers is needed.
func (a *Adapter) InContainers() bool { return a.containers != nil }

// launched tells whether the harness starts the sender.
func (a *Adapter) launched() bool { return a.launch != nil || a.containers != nil }

// Place implements sender.Placer.
func (l *launcher) Place(ctx context.Context) (sender.Place, error) {
	c := l.adapter.containers
	if c == nil {
		return sender.Place{}, nil
	}
	place, err := l.options.Containers.Place(ctx)
	place.Listen = cmp.Or(c.listen, place.Listen)
	place.Host = cmp.Or(c.host, place.Host)
	return place, err
}

// Prepare sees to it that the images of the sender are there, so that a launch takes no longer than the sender needs. Nothing is to
// be done for senders that run in no containers.
func (l *launcher) Prepare(ctx context.Context) error {
	c := l.adapter.containers
	if c == nil {
		return nil
	}
	for _, b := range append([]box{c.sender}, c.beside...) {
		p, err := l.pictured(&b, l.values)
		if err == nil {
			err = l.options.Containers.Fetch(ctx, p)
		}
		if err != nil {
			return l.adapter.errorAt(b.at, "container: %w", err)
		}
	}
	return nil
}

// contain fills in what the instance runs in where that is containers.
func (l *launcher) contain(i *instance) error {
	c := l.adapter.containers
	spec := process.Containers{
		Name: i.name, Port: c.port, BasePath: c.basePath, Networks: c.networks, Host: c.host, Grace: c.grace,
	}
	var err error
	if spec.Sender, err = l.container(&c.sender, i.values); err != nil {
		return err
	}
	for n := range c.beside {
		b, err := l.container(&c.beside[n], i.values)
		if err != nil {
			return err
		}
		spec.Beside = append(spec.Beside, b)
	}
	i.proc, err = l.options.Containers.New(spec, watch{i.watcher, i.probe, i.secrets})
	return err
}

// container fills in the variables of one container.
func (l *launcher) container(b *box, v values) (process.Container, error) {
	c, err := l.pictured(b, v)
	c.Volumes, c.Ready, c.Files = b.volumes, b.ready, map[string][]byte{}
	var errs [4]error
	c.Entrypoint, errs[0] = expandAll(b.entrypoint, v)
	c.Command, errs[1] = expandAll(b.command, v)
	c.Env, errs[2] = assignments(b.env, v)
	errs[3] = l.files(c.Files, b.files, v)
	if err = errors.Join(append(errs[:], err)...); err != nil {
		return c, l.adapter.errorAt(b.at, "container: %v", err)
	}
	return c, nil
}

// pictured is a container of which nothing is known but its image.
func (l *launcher) pictured(b *box, v values) (c process.Container, err error) {
	c.Name = b.name
	if b.image == nil {
		c.Build, err = l.build(b.build, v)
		return c, err
	}
	if c.Image, err = b.image.expand(v, plain); err == nil && c.Image == "" {
		err = errors.New("image is empty")
	}
	return c, err
}

func (l *launcher) build(b *build, v values) (process.Build, error) {
	folder, err := b.folder.expand(v, plain)
	if err != nil {
		return process.Build{}, err
	}
	args := map[string]string{}
	for _, p := range b.args {
		if args[p.name], err = p.value.expand(v, plain); err != nil {
			return process.Build{}, err
		}
	}
	return process.Build{Folder: l.beside(folder), Dockerfile: b.dockerfile, Args: args}, nil
}

// files reads what is to be written into a container.
func (l *launcher) files(into map[string][]byte, files []boxFile, v values) error {
	for _, f := range files {
		if f.text != nil {
			text, err := f.text.expand(v, plain)
			if err != nil {
				return err
			}
			into[f.path] = []byte(text)
			continue
		}
		from, err := f.from.expand(v, plain)
		switch {
		case err != nil:
			return err
		case from == "" && f.optional:
			continue
		case from == "":
			return fmt.Errorf("files: %s: the name of the file to copy is empty", f.path)
		}
		if into[f.path], err = os.ReadFile(l.beside(from)); err != nil {
			return fmt.Errorf("files: %s: %w", f.path, err)
		}
	}
	return nil
}

// beside is a path from the folder of the adapter's file.
func (l *launcher) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(l.adapter.folder, path)
}

func expandAll(words []template, v values) ([]string, error) {
	var out []string
	for _, t := range words {
		word, err := t.expand(v, plain)
		if err != nil {
			return nil, err
		}
		out = append(out, word)
	}
	return out, nil
}

// assignments are NAME=value, without those that are optional and empty.
func assignments(pairs []pair, v values) ([]string, error) {
	var out []string
	for _, p := range pairs {
		value, err := p.value.expand(v, plain)
		if err != nil {
			return nil, err
		}
		if value != "" || !p.optional {
			out = append(out, p.name+"="+value)
		}
	}
	return out, nil
}
