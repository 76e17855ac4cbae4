package mockreceiver

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/mockreceiver/business"
)

// ready checks the settings that need more than a look, and prepares the keys.
func (e *Endpoint) ready() (*verifier, error) {
	if e.Business == "" {
		e.Business = business.Transaction
	}
	if !slices.Contains(business.Modes(), e.Business) {
		return nil, fmt.Errorf("business %q: want transaction, inbox or none", e.Business)
	}
	switch {
	case e.Business == business.None && len(e.Types) > 0:
		return nil, errors.New("types mean nothing with business none, which handles no event")
	case e.Business != business.Inbox && e.Worker != (business.Worker{}):
		return nil, errors.New("worker settings mean nothing without business inbox")
	}
	var err error
	if e.Worker, err = e.Worker.WithDefaults(); err != nil {
		return nil, err
	}
	for _, t := range e.Types {
		if !typePattern(t) {
			return nil, fmt.Errorf("type %q: want a name such as payment.succeeded, or payment.* for all of a resource", t)
		}
	}
	e.Types = slices.Clone(e.Types)
	if err := e.settleFields(); err != nil {
		return nil, err
	}
	v, err := newVerifier(e.Verify)
	e.Verify = nil // SetVerify changes it, so that it is kept in one place only
	return v, err
}

// settlePlace fills in the path, and refuses one that no client would ask for.
func (e *Endpoint) settlePlace() error {
	if e.Listener == FirstListener {
		e.Listener = ""
	}
	if e.Path == "" {
		e.Path = "/hooks/" + e.Name
	}
	if !strings.HasPrefix(e.Path, "/") || strings.ContainsAny(e.Path, "?#") {
		return fmt.Errorf("path %q: want a path such as /hooks/orders, without query or fragment", e.Path)
	}
	if path.Clean(e.Path) != e.Path && path.Clean(e.Path)+"/" != e.Path {
		return fmt.Errorf("path %q: HTTP clients would ask for %s instead", e.Path, path.Clean(e.Path))
	}
	return nil
}

// settleFields fills in the usual places and refuses what is no JSON pointer.
func (e *Endpoint) settleFields() error {
	own := DefaultFields()
	if e.Fields != nil {
		own = *e.Fields
	}
	for _, p := range own.list() {
		if p != "" && !strings.HasPrefix(p, "/") {
			return fmt.Errorf("field %q: want a JSON pointer such as /data/id", p)
		}
	}
	if len(e.Types) > 0 && own.Type == "" {
		return errors.New("types are given, and no field that holds the type")
	}
	e.Fields = &own
	return nil
}

// typePattern tells whether a text is an exact name, or a prefix that ends in .* and nothing else.
func typePattern(t string) bool {
	name := strings.TrimSuffix(t, ".*")
	return name != "" && !strings.Contains(name, "*")
}
