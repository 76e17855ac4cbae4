package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// maxWorkbench bounds what is read of a file: an archive or a body of 64 MiB takes a second.
const maxWorkbench = 64 << 20

// found is all that the flags and files say.
type found struct {
	scheme *signature.Scheme
	req    signature.Request
	at     time.Time
	hints  signature.Hints
	keys   []string
}

// source is what a file holds beside the request. What flags say wins over it.
type source struct {
	req    signature.Request
	at     time.Time
	scheme string
	keys   []string
	hints  signature.Hints
}

func (w *workbench) found(s streams) (*found, error) {
	if w.stdin && w.body == "-" {
		return nil, errors.New("--secret-stdin and --body - both want the standard input; give one of them a file")
	}
	src, err := w.source(s)
	if err != nil {
		return nil, err
	}
	c := &found{req: src.req, at: src.at, hints: src.hints}
	if c.scheme, err = w.lookup(src); err != nil {
		return nil, err
	}
	if c.keys, err = w.secrets(s); err != nil {
		return nil, err
	}
	if len(c.keys) == 0 {
		c.keys = src.keys
	}
	if w.at != "" {
		if c.at, err = parseAt(w.at); err != nil {
			return nil, err
		}
	}
	certified, err := w.certificates.key(c.scheme, c.req, c.at)
	if err != nil {
		return nil, err
	}
	if certified != "" {
		c.keys = append(c.keys, certified)
	}
	if err := w.hinted(&c.hints); err != nil {
		return nil, err
	}
	c.hints.Received = c.at
	past, _ := c.scheme.Tolerance()
	const usual = 5 * time.Minute // of Standard Webhooks, and of what most senders advise
	c.hints.Tolerance = cmp.Or(w.tolerance, past, usual)
	return c, nil
}

func (w *workbench) lookup(src *source) (*signature.Scheme, error) {
	text := cmp.Or(w.scheme, src.scheme)
	if w.contract != "" && w.scheme == "" {
		c, err := effectiveContract(w.contract, 1)
		if err != nil {
			return nil, err
		}
		if c.Signature == nil {
			return nil, fmt.Errorf("--contract %s: it promises no signature", w.contract)
		}
		text = c.Signature.SchemeText()
	}
	if text == "" {
		return nil, errors.New("--scheme is missing, such as timestamp-v1 (hookassay list schemes)")
	}
	return signature.Lookup(text)
}

func (w *workbench) hinted(h *signature.Hints) error {
	for _, path := range w.oldFile {
		secret, err := secretFrom("--old-secret-file", path)
		if err != nil {
			return err
		}
		h.Old = append(h.Old, secret)
	}
	for _, path := range w.otherFile {
		secret, err := secretFrom("--other-secret-file", path)
		if err != nil {
			return err
		}
		h.Foreign = append(h.Foreign, signature.NamedKey{Name: path, Secret: secret})
	}
	return nil
}

func (w *workbench) secrets(s streams) ([]string, error) {
	list := append([]string(nil), w.plain...)
	given := businessFlags{secretFile: w.files, secretIn: w.variables}
	named, err := given.secrets()
	if err != nil {
		return nil, err
	}
	list = append(list, named...)
	if w.stdin {
		text, err := io.ReadAll(io.LimitReader(s.in, maxSecret+1))
		if err != nil {
			return nil, fmt.Errorf("--secret-stdin: %w", err)
		}
		secret, err := oneSecret("--secret-stdin", text)
		if err != nil {
			return nil, err
		}
		list = append(list, secret)
	}
	return list, nil
}

func secretFrom(flag, path string) (string, error) {
	text, err := readUpTo(path, maxSecret+1)
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	return oneSecret(flag+" "+path, text)
}

// oneSecret takes the final line end away. A key in PEM has several lines, any other has one.
func oneSecret(where string, text []byte) (string, error) {
	if len(text) > maxSecret {
		return "", fmt.Errorf("%s: holds more than %d bytes, want a secret alone", where, maxSecret)
	}
	secret := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	if pem := strings.HasPrefix(secret, "-----BEGIN "); secret == "" || !pem && strings.ContainsAny(secret, "\r\n") {
		return "", fmt.Errorf("%s: want one secret on one line, or one block of PEM", where)
	}
	return secret, nil
}

func parseAt(text string) (time.Time, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 && n < 1<<40 {
		return time.Unix(n, 0).UTC(), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("--at %q: want a time such as 2006-01-02T15:04:05Z, or unix seconds", text)
	}
	return at, nil
}

// source reads the request.
func (w *workbench) source(s streams) (*source, error) {
	var src *source
	var err error
	switch {
	case w.curl != "":
		src, err = fromFile("--curl", w.curl, curlSource)
	case w.har != "":
		src, err = fromFile("--har", w.har, func(text []byte) (*source, error) { return harSource(text, w.record) })
	case w.evidence != "":
		src, err = evidenceSource(w.evidence, w.record)
	case w.journal != "":
		src, err = journalSource(w.journal, w.record)
	default:
		src = &source{req: signature.Request{Method: w.method}}
	}
	if err != nil {
		return nil, err
	}
	return src, w.override(s, &src.req)
}

// override lets flags win.
func (w *workbench) override(s streams, r *signature.Request) error {
	if w.url != "" {
		r.URL = w.url
	}
	for _, line := range w.headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return errors.New("--header: want 'Name: value'") // what was given may be a signature
		}
		r.Fields = append(r.Fields, [2]string{strings.TrimSpace(name), strings.TrimSpace(value)})
	}
	if r.Fields == nil {
		r.Fields = [][2]string{}
	}
	if w.body == "" {
		return nil
	}
	in := s.in
	if w.body != "-" {
		f, err := os.Open(w.body)
		if err != nil {
			return fmt.Errorf("--body: %w", err)
		}
		defer f.Close() //nolint:errcheck // opened for reading
		in = f
	}
	body, err := io.ReadAll(io.LimitReader(in, maxWorkbench+1))
	if err != nil {
		return fmt.Errorf("--body: %w", err)
	}
	if len(body) > maxWorkbench {
		return fmt.Errorf("--body %s: is larger than %d bytes", w.body, maxWorkbench)
	}
	r.Body = body
	return nil
}

func fromFile(flag, path string, read func([]byte) (*source, error)) (*source, error) {
	text, err := readUpTo(path, maxWorkbench+1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	if len(text) > maxWorkbench {
		return nil, fmt.Errorf("%s %s: is larger than %d bytes", flag, path, maxWorkbench)
	}
	src, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, path, err)
	}
	return src, nil
}
