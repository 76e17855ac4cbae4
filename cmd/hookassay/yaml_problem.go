package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/hookassay/hookassay/internal/near"
)

// yamlProblem puts the parser's finding on one line: position, then what is wrong. into is what the file was read into, whose fields are
// the ones that there may be.
func yamlProblem(err error, into any) string {
	var ye yaml.Error
	if !errors.As(err, &ye) {
		return err.Error()
	}
	at := ye.GetToken()
	what := strings.ReplaceAll(ye.GetMessage(), "\n", " ")
	if _, unknown := errors.AsType[*yaml.UnknownFieldError](err); unknown {
		what += near.Meant(at.Value, yamlNames(reflect.TypeOf(into)))
	}
	return fmt.Sprintf("line %d, column %d: %s", at.Position.Line, at.Position.Column, what)
}

// yamlNames lists the fields of a type, and of those within it.
func yamlNames(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" {
			names = append(names, name)
			names = append(names, yamlNames(f.Type)...)
		}
	}
	return names
}
