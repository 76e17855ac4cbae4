package signature

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// each stands for any index in the path to an own value.
const each = "*"

// ownValues are the paths of what a scheme itself puts into a body, anew at each attempt: its signature, the time and the id that it
// signs there.
func (s *Scheme) ownValues() (all [][]string) {
	path := func(pointer string) []string { return strings.Split(strings.TrimPrefix(pointer, "/"), "/") }
	if p := s.rec.Carrier.BodyPointer; p != "" && s.code == nil {
		own := path(p)
		if list := s.rec.Carrier.Each; list != "" {
			own = slices.Concat(path(list), []string{each}, own)
		}
		all = append(all, own)
	}
	for _, p := range []string{s.rec.Timestamp.Pointer, s.rec.MessageID.Pointer} {
		if p != "" && s.rec.Carrier.Each == "" {
			all = append(all, path(p))
		}
	}
	return all
}

// WritesBody tells whether the scheme has values of its own in the body, so that two attempts which are signed anew differ there.
func (s *Scheme) WritesBody() bool { return len(s.ownValues()) > 0 }

// Members are the top-level members of a body that the scheme needs for itself.
func (s *Scheme) Members() (names []string) {
	for _, p := range s.ownValues() {
		if !slices.Contains(names, p[0]) {
			names = append(names, p[0])
		}
	}
	return names
}

// Apart returns the bytes of a JSON body apart from the scheme's own values; a body that is no JSON, as it is. What of two bodies
// is equal so is equal byte by byte but for the signatures, and the time and id that they cover.
func (s *Scheme) Apart(body []byte) []byte {
	own := s.ownValues()
	if len(own) == 0 || !json.Valid(body) {
		return body
	}
	w := walker{dec: json.NewDecoder(bytes.NewReader(body)), body: body, own: own}
	w.dec.UseNumber()
	w.value(nil)
	return append(w.out, body[w.kept:]...)
}

// Strip takes the scheme's own values out of a decoded body, and the objects that held nothing else.
func (s *Scheme) Strip(root any) {
	for _, path := range s.ownValues() {
		strip(root, path)
	}
}

// strip returns true where root has become an object without members.
func strip(root any, path []string) bool {
	switch v := root.(type) {
	case map[string]any:
		if below, there := v[path[0]]; there && (len(path) == 1 || strip(below, path[1:])) {
			delete(v, path[0])
		}
		return len(v) == 0
	case []any:
		for i, item := range v {
			if len(path) > 1 && (path[0] == each || path[0] == strconv.Itoa(i)) {
				strip(item, path[1:])
			}
		}
	}
	return false
}

// walker copies a body that is known to be JSON, without the values at its paths.
type walker struct {
	dec  *json.Decoder
	body []byte
	own  [][]string
	out  []byte
	kept int // so much of the body is copied or left out
}

// value reads one value at a path. Those of its own that are no single ones are left where they are.
func (w *walker) value(path []string) {
	before := int(w.dec.InputOffset())
	token, err := w.dec.Token()
	if err != nil {
		return
	}
	delim, composite := token.(json.Delim)
	if !composite {
		if slices.ContainsFunc(w.own, func(own []string) bool { return matches(own, path) }) {
			end := int(w.dec.InputOffset())
			start := before + len(w.body[before:end]) - len(bytes.TrimLeft(w.body[before:end], " \t\r\n:,"))
			w.out, w.kept = append(w.out, w.body[w.kept:start]...), end
		}
		return
	}
	for i := 0; w.dec.More(); i++ {
		name := strconv.Itoa(i)
		if delim == '{' {
			key, err := w.dec.Token()
			if err != nil {
				return
			}
			name, _ = key.(string)
		}
		w.value(append(path, name))
	}
	_, _ = w.dec.Token() // it is there, since the body is JSON
}

func matches(own, path []string) bool {
	return slices.EqualFunc(own, path, func(o, p string) bool { return o == p || o == each })
}
