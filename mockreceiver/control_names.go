package mockreceiver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// soundNames refuses a JSON text in which a name is there twice, of which readers take either one, or is a name of t's in
// other letters, which encoding/json takes. What is no JSON is left to whoever decodes it.
func soundNames(text []byte, t reflect.Type) error {
	if !json.Valid(text) {
		return nil // in a broken list the decoder's next element would never end
	}
	return namesOf(json.NewDecoder(bytes.NewReader(text)), t)
}

// namesOf goes through one value. t is nil where any name may be, and for types that decode themselves.
func namesOf(d *json.Decoder, t reflect.Type) error {
	open, err := d.Token()
	if err != nil {
		return nil //nolint:nilerr // the decoder says it better
	}
	t = plain(t)
	switch open {
	case json.Delim('{'):
		return namesOfObject(d, t)
	case json.Delim('['):
		if t != nil && t.Kind() == reflect.Slice {
			t = t.Elem()
		} else {
			t = nil
		}
		for d.More() {
			if err := namesOf(d, t); err != nil {
				return err
			}
		}
		_, _ = d.Token() // the end
	}
	return nil
}

func namesOfObject(d *json.Decoder, t reflect.Type) error {
	fields, seen := fieldsOf(t), map[string]bool{}
	for d.More() {
		token, _ := d.Token()
		name, ok := token.(string)
		if !ok {
			return nil // no JSON: the decoder says it better
		}
		if seen[name] {
			return fmt.Errorf("field %q is there twice: give it once", name)
		}
		seen[name] = true
		of, known := fields[name]
		for right := range fields {
			if !known && strings.EqualFold(name, right) {
				return fmt.Errorf("field %q: write it as %q", name, right)
			}
		}
		if err := namesOf(d, of); err != nil {
			return err
		}
	}
	_, _ = d.Token() // the end
	return nil
}

// fieldsOf are the types of the fields of a struct by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	return fields
}

// plain is what a type points to, nil if it decodes itself.
func plain(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	return t
}
