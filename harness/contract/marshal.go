package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Marshal returns the contract as YAML that Parse reads back to an equal contract. Optional fields with zero values are
// left out. It refuses a contract that is not valid, since Parse would.
func (c *Contract) Marshal() ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("marshal contract %s: %w", c.Name, err)
	}
	var b bytes.Buffer
	writeFields(&b, reflect.ValueOf(c).Elem(), "")
	return b.Bytes(), nil
}

// writeFields mirrors decoder.mapping. Lists stand in one line, groups of fields are indented.
func writeFields(b *bytes.Buffer, v reflect.Value, indent string) {
	for i, name := range fieldNames(v.Type()) {
		f := v.Field(i)
		if f.IsZero() && strings.HasSuffix(v.Type().Field(i).Tag.Get("yaml"), ",omitempty") {
			continue
		}
		b.WriteString(indent + name + ":")
		if f.Kind() == reflect.Pointer {
			f = f.Elem()
		}
		if f.Kind() != reflect.Struct {
			b.WriteString(" " + flow(f) + "\n")
			continue
		}
		var inner bytes.Buffer
		writeFields(&inner, f, indent+"  ")
		if inner.Len() == 0 {
			b.WriteString(" {}")
		}
		b.WriteByte('\n')
		b.Write(inner.Bytes())
	}
}

// flow returns a value in one line. Text is quoted unless it can only be text.
func flow(v reflect.Value) string {
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		return time.Duration(v.Int()).String()
	case v.Kind() == reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = flow(v.Index(i))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case v.Kind() == reflect.Struct:
		var fields []string
		for i, name := range fieldNames(v.Type()) {
			if f := v.Field(i); !f.IsZero() {
				fields = append(fields, name+": "+flow(f))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case v.Kind() == reflect.String:
		return quoted(v.String())
	case v.Kind() == reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}

// quoted writes text in double quotes, in the escapes that JSON and YAML share.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return strconv.Quote(s)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
