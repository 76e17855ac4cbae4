package httpapi

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

const (
	// defaultGather is long against the time in which scenarios that begin together register, and short against any wait for a
	// person.
	defaultGather = 300 * time.Millisecond
	// defaultSettle is for senders that are told to read their file and do not say when they have.
	defaultSettle = time.Second
)

// config is how a sender without an API for endpoints learns of them: from a file with all of them, and by being told.
type config struct {
	file    template
	content *query
	gather  time.Duration
	reload  reload
}

// reload is how the sender is told that its file has changed. One of signal, restart, command and request is set.
type reload struct {
	signal  os.Signal
	restart bool
	command []template
	request *op
	settle  time.Duration
}

func (r *reader) config(n ast.Node, at pos) {
	c := &config{gather: defaultGather}
	r.adapter.config = c
	sc := scope{where: "config"}
	r.fields(n, at, "config", []field{
		{"file", true, func(n ast.Node, _ pos) { c.file = r.textTemplate(n, "config: file", sc) }},
		{"content", true, func(n ast.Node, _ pos) { c.content = r.query(n, "config: content") }},
		{"gather", false, func(n ast.Node, _ pos) { c.gather = r.duration(n, "config: gather") }},
		{"reload", true, func(n ast.Node, at pos) { c.reload = r.reload(n, at, sc) }},
	})
}

func (r *reader) reload(n ast.Node, at pos, sc scope) reload {
	l, ways := reload{settle: -1}, 0
	way := func(read func(n ast.Node, at pos)) func(ast.Node, pos) {
		return func(n ast.Node, at pos) { ways++; read(n, at) }
	}
	r.fields(n, at, "config: reload", []field{
		{"signal", false, way(func(n ast.Node, _ pos) { l.signal = r.signal(n) })},
		{"restart", false, way(func(n ast.Node, _ pos) { l.restart = r.yes(n, "config: reload: restart") })},
		{"command", false, way(func(n ast.Node, _ pos) {
			for _, word := range r.items(n, "config: reload: command") {
				l.command = append(l.command, r.textTemplate(word, "config: reload: command", sc))
			}
		})},
		{"request", false, way(func(n ast.Node, at pos) { l.request = r.op(n, at, opReload) })},
		{"settle", false, func(n ast.Node, _ pos) { l.settle = r.duration(n, "config: reload: settle") }},
	})
	if ways != 1 {
		r.errorf(at, "config: reload: want one of signal, restart, command and request")
	}
	if r.adapter.launch == nil && (l.signal != nil || l.restart) {
		r.errorf(at, "config: reload: only a sender with a launch section can be sent a signal or started again")
	}
	if l.settle < 0 {
		l.settle = 0
		if l.signal != nil || l.command != nil {
			l.settle = defaultSettle
		}
	}
	return l
}

// signal reads the name of a signal. Those that end a process by default, and are used for nothing else, are not among them.
func (r *reader) signal(n ast.Node) os.Signal {
	s, _ := r.text(n, "config: reload: signal")
	if sig, ok := userSignal(strings.TrimPrefix(s, "SIG")); ok {
		return sig
	}
	r.errorf(posOf(n), "config: reload: signal: want HUP, USR1 or USR2, got %q; Windows has none of them", s)
	return nil
}

func (r *reader) yes(n ast.Node, what string) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok || !b.Value {
		r.errorf(posOf(n), "%s: want true, or leave it out", what)
	}
	return true
}

// checkIDs refuses ops that ask by an id of events that nobody gives: the sender would be blamed for the answer.
func (r *reader) checkIDs() {
	emit := r.adapter.ops[opEmit]
	if emit == nil || slices.ContainsFunc(emit.extractions(), func(x extraction) bool { return x.name == "id" }) {
		return
	}
	for _, name := range []opName{opReplay, opLog} {
		if places := r.adapter.ops[name].places("delivery.event"); len(places) > 0 {
			r.errorf(places[0].at, "op %s: ${delivery.event} is an id that op emit must extract, and it extracts none", name)
		}
	}
}
