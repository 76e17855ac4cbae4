package httpapi

import (
	"fmt"
	"net/http"

	"github.com/goccy/go-yaml/ast"
)

// auth says how every call proves who makes it: by a bearer token, or by a user and a password.
type auth struct{ bearer, user, password *template }

func (r *reader) auth(n ast.Node, at pos, sc scope) *auth {
	a := &auth{}
	into := func(dst **template, name string) field {
		return field{name, false, func(n ast.Node, _ pos) { *dst = new(r.textTemplate(n, "auth: "+name, sc)) }}
	}
	r.fields(n, at, "auth", []field{into(&a.bearer, "bearer"), into(&a.user, "user"), into(&a.password, "password")})
	if basic := a.user != nil; basic == (a.bearer != nil) || basic != (a.password != nil) {
		r.errorf(at, "auth: want bearer, or user and password")
	}
	return a
}

// put adds what proves it to a request. A nil a adds nothing.
func (a *auth) put(req *http.Request, v values) error {
	switch {
	case a == nil:
		return nil
	case a.bearer != nil:
		token, err := a.bearer.expand(v, headerValue)
		if err != nil {
			return fmt.Errorf("auth: bearer: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	user, err := a.user.expand(v, plain)
	if err != nil {
		return fmt.Errorf("auth: user: %w", err)
	}
	password, err := a.password.expand(v, plain)
	if err != nil {
		return fmt.Errorf("auth: password: %w", err)
	}
	req.SetBasicAuth(user, password)
	return nil
}
