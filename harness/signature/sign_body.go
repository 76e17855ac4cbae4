package signature

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// SignBody returns the body with its signature in it, for schemes that carry it there: with the time and the id where the record has
// their places, and one signature in each item where items are signed one by one. Names come in sorted order. It refuses
// what Sign refuses, and a body that is no JSON object.
func (s *Scheme) SignBody(c Content, keys ...string) ([]byte, error) {
	if s.rec.Carrier.BodyPointer == "" {
		return nil, fmt.Errorf("sign: %s carries its signature in headers; use Sign", s.rec.ID)
	}
	var d document
	root, err := d.at(c.Body)
	if err != nil {
		return nil, errors.New("sign: the body is no JSON, into which the signature would go")
	}
	at := s.formatTime(c.At)
	if err := s.setSigned(root, c, at); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	items := []any{root}
	if each := s.rec.Carrier.Each; each != "" {
		if items, _ = find(root, each).([]any); len(items) == 0 {
			return nil, fmt.Errorf("sign: the body has no items at %s", each)
		}
	}
	for _, item := range items {
		sums, err := s.sums(c, at, item, keys)
		if err == nil {
			err = set(item, s.rec.Carrier.BodyPointer, sums[0])
		}
		if err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
	}
	return encodeJSON(root)
}

// Stamp returns the body with the time and the id in it, for schemes that carry their signature in a header and have those in the body.
// Other schemes leave it as it is. Names come in sorted order. It refuses a body that is no JSON object.
func (s *Scheme) Stamp(c Content) ([]byte, error) {
	if s.InBody() || !s.WritesBody() {
		return c.Body, nil
	}
	var d document
	root, err := d.at(c.Body)
	if err != nil {
		return nil, errors.New("stamp: the body is no JSON, into which the time would go")
	}
	if err := s.setSigned(root, c, s.formatTime(c.At)); err != nil {
		return nil, fmt.Errorf("stamp: %w", err)
	}
	return encodeJSON(root)
}

// setSigned puts time and id into the body, where the record has them.
func (s *Scheme) setSigned(root any, c Content, at string) error {
	if s.rec.Timestamp.From == fromBody {
		if err := checkTime(c.At); err != nil {
			return err
		}
		if err := set(root, s.rec.Timestamp.Pointer, at); err != nil {
			return err
		}
	}
	if p := s.rec.MessageID.Pointer; p != "" {
		return set(root, p, c.ID)
	}
	return nil
}

// set puts a text at a pointer, and makes the objects on the way to it.
func set(root any, pointer, text string) error {
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	last := names[len(names)-1]
	for _, name := range names[:len(names)-1] {
		switch v := root.(type) {
		case map[string]any:
			if v[name] == nil {
				v[name] = map[string]any{}
			}
			root = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return fmt.Errorf("the body has no place at %s", pointer)
			}
			root = v[i]
		}
	}
	object, ok := root.(map[string]any)
	if !ok {
		return fmt.Errorf("the body has no object at %s", pointer)
	}
	object[last] = text
	return nil
}

func encodeJSON(root any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(root); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
