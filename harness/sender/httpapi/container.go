package httpapi

import (
	"net"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/hookassay/hookassay/harness/sender/process"
)

// containers says how the sender runs in containers.
type containers struct {
	sender   box
	port     int
	basePath string
	networks []string
	listen   string // IP address for the receiver; empty: the engine says
	host     string // name of the harness's machine; empty: the engine's usual one
	grace    time.Duration
	beside   []box
}

// box is one container.
type box struct {
	name       string
	at         pos
	image      *template
	build      *build
	entrypoint []template
	command    []template
	env        []pair
	files      []boxFile
	volumes    []string
	ready      process.Ready
}

type build struct {
	folder     template
	dockerfile string
	args       []pair
}

// boxFile is a file inside: a copy of one on this machine, or a text.
type boxFile struct {
	path     string
	optional bool // it is left out where the name of its source is empty
	from     *template
	text     *template
}

// containersField reads the section container.
func (r *reader) containersField(n ast.Node, at pos) {
	c := &containers{}
	r.adapter.containers = c
	sc := scope{where: "container"}
	r.box(&c.sender, n, at, "container", sc, []field{
		{"port", true, func(n ast.Node, _ pos) { c.port = r.port(n, "container: port") }},
		{"base_path", false, func(n ast.Node, _ pos) { c.basePath = r.insidePath(n, "container: base_path") }},
		{"networks", false, func(n ast.Node, _ pos) { c.networks = r.texts(n, "container: networks") }},
		{"receiver", false, func(n ast.Node, at pos) { r.receiverPlace(c, n, at) }},
		{"stop_grace", false, func(n ast.Node, _ pos) { c.grace = r.duration(n, "container: stop_grace") }},
		{"beside", false, func(n ast.Node, _ pos) {
			for _, e := range r.entries(n, "container: beside") {
				b := box{name: e.key}
				if !hostForm.MatchString(e.key) {
					r.errorf(e.at, "container: beside: %q is no host name; it has lower-case letters, digits and -", e.key)
				}
				r.box(&b, e.value, e.at, "container: beside: "+e.key, sc, nil)
				c.beside = append(c.beside, b)
			}
		}},
	})
}

var hostForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`)

func (r *reader) receiverPlace(c *containers, n ast.Node, at pos) {
	r.fields(n, at, "container: receiver", []field{
		{"listen", false, func(n ast.Node, at pos) {
			c.listen, _ = r.text(n, "container: receiver: listen")
			if net.ParseIP(c.listen) == nil {
				r.errorf(at, "container: receiver: listen: want an IP address of this machine, got %q", c.listen)
			}
		}},
		{"host", false, r.textInto(&c.host, "container: receiver: host")},
	})
}

// box reads what every container has, and more.
func (r *reader) box(b *box, n ast.Node, at pos, what string, sc scope, more []field) {
	b.at = at
	r.fields(n, at, what, append([]field{
		{"image", false, func(n ast.Node, _ pos) { b.image = new(r.textTemplate(n, what+": image", sc.open())) }},
		{"build", false, func(n ast.Node, at pos) { b.build = r.build(n, at, what+": build", sc) }},
		{"entrypoint", false, func(n ast.Node, _ pos) { b.entrypoint = r.words(n, what+": entrypoint", sc) }},
		{"command", false, func(n ast.Node, _ pos) { b.command = r.words(n, what+": command", sc) }},
		{"env", false, func(n ast.Node, _ pos) { b.env = r.pairs(n, what+": env", sc) }},
		{"files", false, func(n ast.Node, _ pos) { b.files = r.boxFiles(n, what+": files", sc) }},
		{"volumes", false, func(n ast.Node, _ pos) {
			for _, item := range r.items(n, what+": volumes") {
				b.volumes = append(b.volumes, r.insidePath(item, what+": volumes"))
			}
		}},
		{"ready", true, func(n ast.Node, at pos) { b.ready = r.boxReady(n, at, what+": ready") }},
	}, more...))
	if (b.image == nil) == (b.build == nil) {
		r.errorf(at, "%s: want either image or build", what)
	}
}

func (r *reader) build(n ast.Node, at pos, what string, sc scope) *build {
	b := &build{}
	r.fields(n, at, what, []field{
		{"folder", true, func(n ast.Node, _ pos) { b.folder = r.textTemplate(n, what+": folder", sc) }},
		{"dockerfile", false, r.textInto(&b.dockerfile, what+": dockerfile")},
		{"args", false, func(n ast.Node, _ pos) { b.args = r.pairs(n, what+": args", sc) }},
	})
	return b
}

func (r *reader) boxFiles(n ast.Node, what string, sc scope) []boxFile {
	var out []boxFile
	for _, e := range r.entries(n, what) {
		name, optional := strings.CutSuffix(e.key, "?")
		f := boxFile{path: name, optional: optional}
		if !path.IsAbs(name) || strings.HasSuffix(name, "/") {
			r.errorf(e.at, "%s: %q: want the whole path of a file inside, such as /etc/sender.yaml", what, name)
		}
		if _, ok := e.value.(*ast.MappingNode); ok {
			r.fields(e.value, e.at, what+": "+name, []field{
				{"text", true, func(n ast.Node, _ pos) { f.text = new(r.textTemplate(n, what+": "+name+": text", sc)) }},
			})
		} else {
			f.from = new(r.textTemplate(e.value, what+": "+name, sc))
		}
		out = append(out, f)
	}
	return out
}

func (r *reader) boxReady(n ast.Node, at pos, what string) process.Ready {
	var ready process.Ready
	r.fields(n, at, what, []field{
		{"log", false, func(n ast.Node, _ pos) { ready.Log = r.regexp(n, what+": log") }},
		{"http", false, func(n ast.Node, _ pos) { ready.HTTP = r.insidePath(n, what+": http") }},
		{"port", false, func(n ast.Node, _ pos) { ready.Port = r.port(n, what+": port") }},
		{"within", false, func(n ast.Node, _ pos) { ready.Within = r.duration(n, what+": within") }},
	})
	asked := ready.HTTP != "" || ready.Port != 0
	switch {
	case ready.Log != nil && asked:
		r.errorf(at, "%s: want either log or what to ask for: http, port", what)
	case ready.Log == nil && !asked:
		r.errorf(at, "%s: want log, a pattern for a line of output, or http, a path to GET, or port, that takes connections", what)
	case ready.HTTP != "" && ready.Port == 0 && strings.Contains(what, "beside"):
		r.errorf(at, "%s: http needs port here", what)
	}
	return ready
}

func (r *reader) words(n ast.Node, what string, sc scope) []template {
	var out []template
	for _, word := range r.items(n, what) {
		out = append(out, r.textTemplate(word, what, sc))
	}
	return out
}

func (r *reader) texts(n ast.Node, what string) []string {
	var out []string
	for _, item := range r.items(n, what) {
		var s string
		r.textInto(&s, what)(item, posOf(item))
		out = append(out, s)
	}
	return out
}

func (r *reader) port(n ast.Node, what string) int {
	s, ok := r.text(n, what)
	p, err := strconv.Atoi(s)
	if ok && (err != nil || p < 1 || p > 65535) {
		r.errorf(posOf(n), "%s: want a port, 1 to 65535, got %q", what, s)
	}
	return p
}

// insidePath is a path that begins with a slash.
func (r *reader) insidePath(n ast.Node, what string) string {
	s, ok := r.text(n, what)
	if ok && !strings.HasPrefix(s, "/") {
		r.errorf(posOf(n), "%s: %q: want a path that begins with /", what, s)
	}
	return s
}
