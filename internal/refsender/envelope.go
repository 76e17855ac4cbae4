package refsender

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// apiVersion is the version of the payloads' shape; it changes when an old receiver would misread a new payload.
const apiVersion = "2026-11-01"

// createdForm is RFC 3339 with the offset spelt out, which no reader can take for local time.
const createdForm = "2006-01-02T15:04:05.000-07:00"

// envelope writes payloads in the contract's shape. It is pure: equal fields give equal bytes.
type envelope struct {
	members []member
}

type member struct {
	path []string // names from the root, at least one
	of   string   // id, type, created, api_version or data
}

type fields struct {
	id, kind, created string
	data              json.RawMessage // compact JSON
}

func newEnvelope(c *contract.Contract, d defect) (*envelope, error) {
	shape := contract.Envelope{Type: "/type", Data: "/data"}
	if c.Envelope != nil {
		shape = *c.Envelope
	}
	id := ""
	if c.Identity != nil {
		id = c.Identity.Body
	}
	e := &envelope{}
	for _, m := range [][2]string{
		{"id", id}, {"type", shape.Type}, {"created", shape.Created}, {"api_version", shape.APIVersion}, {"data", shape.Data},
	} {
		if m[1] == "" && m[0] != "data" || d.omits(m[0], shape.APIVersion != "") {
			continue
		}
		path, err := pointer(m[1])
		if err != nil {
			return nil, fmt.Errorf("reference sender: contract %s places %s at %q: %w", c.Name, m[0], m[1], err)
		}
		e.members = append(e.members, member{path: path, of: m[0]})
	}
	return e, e.check(c.Name)
}

// check refuses two members of which one would have to hold the other, except that they share parents.
func (e *envelope) check(name string) error {
	for i, a := range e.members {
		for j, b := range e.members {
			if i != j && len(a.path) <= len(b.path) && strings.Join(a.path, "/") == strings.Join(b.path[:len(a.path)], "/") {
				return fmt.Errorf("reference sender: contract %s places %s inside or upon %s, which this sender cannot write",
					name, b.of, a.of)
			}
		}
	}
	return nil
}

// pointer splits a JSON pointer (RFC 6901) into member names.
func pointer(p string) ([]string, error) {
	rest, ok := strings.CutPrefix(p, "/")
	if !ok {
		return nil, fmt.Errorf("want a JSON pointer to a member, such as /data")
	}
	names := strings.Split(rest, "/")
	for i, n := range names {
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(n)
	}
	return names, nil
}

// write returns the payload. Numbers and text of data keep their tokens.
func (e *envelope) write(f fields) []byte {
	var out bytes.Buffer
	e.object(&out, e.members, 0, f)
	return out.Bytes()
}

// object writes the object whose members share their first depth names, in the order in which they first appear.
func (e *envelope) object(out *bytes.Buffer, members []member, depth int, f fields) {
	out.WriteByte('{')
	written := map[string]bool{}
	for _, m := range members {
		name := m.path[depth]
		if written[name] {
			continue
		}
		if len(written) > 0 {
			out.WriteByte(',')
		}
		written[name] = true
		out.Write(text(name))
		out.WriteByte(':')
		if len(m.path) == depth+1 {
			out.Write(f.value(m.of))
			continue
		}
		var inside []member
		for _, n := range members {
			if n.path[depth] == name {
				inside = append(inside, n)
			}
		}
		e.object(out, inside, depth+1, f)
	}
	out.WriteByte('}')
}

func (f fields) value(of string) []byte {
	switch of {
	case "id":
		return text(f.id)
	case "type":
		return text(f.kind)
	case "created":
		return text(f.created)
	case "api_version":
		return text(apiVersion)
	}
	return f.data
}

// text is a JSON string. Marshalling a string cannot err.
func text(s string) []byte {
	b, _ := json.Marshal(s)
	return b
}

func created(at time.Time) string { return at.UTC().Format(createdForm) }
