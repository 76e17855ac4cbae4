package mockreceiver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/gorilla/mux"
)

// control is the control API: JSON in and out, on a listener of its own. An error is {"error": "one sentence"}.
type control struct{ r *Receiver }

// maxControlBody bounds a request to the control API: a plan of the largest size, quoted.
const maxControlBody = 256 << 10

// handler answers with what handle returns.
func (c control) handler(handle func(*http.Request) (int, any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !c.r.begin(&c.r.handlers) {
			writeError(w, errClosing)
			return
		}
		defer c.r.handlers.Done()
		req.Body = http.MaxBytesReader(w, req.Body, maxControlBody)
		if req.ContentLength == 0 {
			// The request is read. The deadline for that would end a long answer: net/http goes on reading to see a hang-up.
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		} else {
			// Whoever sends a body slowly must not hold up the end of the receiver.
			stop := context.AfterFunc(c.r.ctx, func() { _ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0)) })
			defer stop()
		}
		if err := readPath(req); err != nil {
			writeError(w, err)
			return
		}
		status, answer, err := handle(req)
		if err != nil {
			writeError(w, err)
			return
		}
		if other, ok := answer.(writer); ok {
			other.write(w, req)
			return
		}
		writeJSON(w, status, answer)
	})
}

// readPath decodes the parts of the path that a route names; mux.Vars holds them from then on.
func readPath(req *http.Request) error {
	vars := mux.Vars(req)
	for name, raw := range vars {
		part, err := url.PathUnescape(raw)
		if err != nil {
			return fmt.Errorf("path: %w", err)
		}
		vars[name] = part
	}
	return nil
}

// readJSON reads the body strictly: a field that is misspelt, in other letters or there twice is an error.
func readJSON(req *http.Request, v any) error {
	text, err := io.ReadAll(req.Body)
	if err == nil {
		err = soundNames(text, reflect.TypeOf(v))
	}
	if err != nil {
		return fmt.Errorf("body: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("body: %w%s", err, knownFields(err, reflect.TypeOf(v).Elem()))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("body: want one JSON value and nothing after it")
	}
	return nil
}

// knownFields names the fields that a body can have where the error is about one that it cannot have.
func knownFields(err error, t reflect.Type) string {
	if !strings.Contains(err.Error(), "unknown field") { // the standard library has no type for it
		return ""
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return "; the body can have " + strings.Join(names, ", ")
}
