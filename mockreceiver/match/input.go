package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

// MaxBody is the largest body, in bytes, that expressions see. A parsed body takes up to twenty times its size in memory.
const MaxBody = 1 << 20

// Input is what expressions see of a request, as one object:
//
//	method, path, query, proto    texts; path is decoded, query is as sent, without the question mark
//	header                        an object of lists by lower-case name, in the order sent: .header["x-tenant"][0]
//	text                          the body as text; null if it is over MaxBody or was not read
//	body                          the body parsed, numbers exact; null if it is no JSON, over MaxBody or was not read
//	key, attempt                  what the event is known by, and how many requests with this key there were, this one included
//	connection                    the number of its connection
//	request_on_connection         its number on that connection, from 1
//
// Its exported fields are set before first use; it may then be used for several expressions, one after the other.
type Input struct {
	Head evidence.Head
	// Body is the body; nil if it was not read.
	Body                []byte
	Key                 string
	Attempt             int
	Connection          int64
	RequestOnConnection int

	once sync.Once
	made map[string]any
}

// value is the object. Expressions leave it as it is.
func (in *Input) value() map[string]any {
	in.once.Do(func() { in.made = in.build() })
	return in.made
}

func (in *Input) build() map[string]any {
	path, query, _ := strings.Cut(in.Head.Target, "?")
	if u, err := url.ParseRequestURI(in.Head.Target); err == nil {
		path, query = u.Path, u.RawQuery
	}
	header := map[string]any{}
	for _, f := range in.Head.Fields {
		name := strings.ToLower(f[0])
		list, _ := header[name].([]any)
		header[name] = append(list, f[1])
	}
	out := map[string]any{
		"method": in.Head.Method, "path": path, "query": query, "proto": in.Head.Proto, "header": header,
		"text": nil, "body": nil,
		"key": in.Key, "attempt": in.Attempt, "connection": int(in.Connection), "request_on_connection": in.RequestOnConnection,
	}
	if in.Body == nil || len(in.Body) > MaxBody {
		return out
	}
	out["text"] = string(in.Body)
	if v, err := parse(in.Body); err == nil {
		out["body"] = v
	}
	return out
}

// parse reads one JSON value. Numbers keep their tokens.
func parse(body []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return v, nil
}
