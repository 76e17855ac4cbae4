package refsender

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// bodyMax bounds request bodies. The largest payload that the harness emits has 4 MiB of data; 8 leave room for its
// escapes.
const bodyMax = 8 << 20

// decode reads the request's body as exactly one JSON object with known fields.
func decode(q *http.Request, into any) error {
	text, err := readBody(q)
	if err != nil {
		return err
	}
	return decodeText(text, into)
}

// decodeOptional is decode for requests that need no body.
func decodeOptional(q *http.Request, into any) error {
	text, err := readBody(q)
	if err != nil || len(text) == 0 {
		return err
	}
	return decodeText(text, into)
}

func readBody(q *http.Request) ([]byte, error) {
	text, err := io.ReadAll(http.MaxBytesReader(nil, q.Body, bodyMax))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, refuse(http.StatusBadRequest, "the body exceeds %d bytes", bodyMax)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "the body ended early")
	case !utf8.Valid(text):
		return nil, refuse(http.StatusBadRequest, "the body is not UTF-8")
	}
	return text, nil
}

func decodeText(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return refuse(http.StatusBadRequest, "%s", decodeError(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return refuse(http.StatusBadRequest, "the body holds more than one JSON value")
	}
	return nil
}

// decodeError says what is wrong in words about the body, not about Go.
func decodeError(err error) string {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if kind.Field == "" {
			return "the body must be a JSON object, not a " + kind.Value
		}
		return "field " + kind.Field + " must not be a " + kind.Value
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return "field " + name + " is unknown"
	}
	return "the body is not JSON"
}

// object returns raw in compact form if it is a JSON object.
func object(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, refuse(http.StatusBadRequest, "data must be a JSON object")
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return nil, refuse(http.StatusBadRequest, "data must be a JSON object")
	}
	return out.Bytes(), nil
}
