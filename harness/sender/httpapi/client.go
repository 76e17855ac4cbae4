package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hookassay/hookassay/harness/sender"
)

const (
	// maxAnswer holds the dead letters of an acceptance run, 1000 events of a few KiB, several times over.
	maxAnswer = 32 << 20
	// maxValue is far over any id, key or cursor; each value stands in the evidence and in verdicts, many times over.
	maxValue = 4 << 10
	// shownAnswer is enough for the sentence with which APIs refuse something.
	shownAnswer = 200
)

// client performs ops. It is safe for concurrent use.
type client struct {
	adapter  *Adapter
	http     *http.Client
	timeout  time.Duration // of one call
	launched bool
	values   values // what holds for every op: vars, contract.*, file.*, setup.*
	secrets  *sender.Redactor
	own      *sender.Redactor // knows the adapter's secrets only
	watcher  sender.Watcher
	setup    map[string]string // extracted by the op setup, before anybody else has the client
}

// answer is what came back, as jq expressions see it.
type answer struct {
	status int
	body   []byte
	json   any            // nil if the body is no JSON
	in     map[string]any // $in
}

// do performs an op. subject opens every message. inputs are the variables of the op; JSON inputs are JSON text.
func (c *client) do(ctx context.Context, base string, o *op, subject string, inputs values) (map[string]string, answer, error) {
	v := maps.Clone(c.values)
	maps.Copy(v, inputs)
	for name, value := range c.setup {
		v["setup."+name] = value
	}
	got := map[string]string{}
	var last answer
	for _, step := range o.steps {
		a, err := c.step(ctx, base, step, v)
		if step.optional && errors.Is(err, errStatus) {
			continue
		}
		if err != nil {
			return nil, answer{}, c.secrets.Wrap(fmt.Errorf("%s: %w; see %s", subject, err, c.adapter.place(step.at)))
		}
		if err := c.extract(ctx, step, a, got); err != nil {
			return nil, answer{}, c.secrets.Wrap(fmt.Errorf("%s: %s %s %w", subject, step.method, c.shownURL(step, base, v), err))
		}
		for name, value := range got {
			v["got."+name] = value
		}
		a.in = inputTree(v)
		last = a
	}
	return got, last, nil
}

// step performs one call, polling if the call says so.
func (c *client) step(ctx context.Context, base string, s *call, v values) (answer, error) {
	if s.poll == nil {
		return c.once(ctx, base, s, v)
	}
	limit := time.NewTimer(s.poll.max)
	defer limit.Stop()
	tick := time.NewTicker(s.poll.every)
	defer tick.Stop()
	for n := 1; ; n++ {
		a, err := c.once(ctx, base, s, v)
		if err != nil {
			return a, err
		}
		done, err := s.poll.until.run(ctx, a)
		if err != nil {
			return a, fmt.Errorf("poll: %w", err)
		}
		if done == true {
			return a, nil
		}
		select {
		case <-tick.C:
		case <-limit.C:
			return a, fmt.Errorf("%s %s: asked %d times within %s, and jq %s was never true; last answer: %s",
				s.method, c.shownURL(s, base, v), n, s.poll.max, s.poll.until, c.shown(s, a))
		case <-ctx.Done():
			return a, ctx.Err()
		}
	}
}

// once makes one request and reads its answer.
func (c *client) once(ctx context.Context, base string, s *call, v values) (answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errNoAnswer)
	defer cancel()
	req, err := s.request(ctx, base, c.adapter, v)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", s.method, err)
	}
	where := fmt.Sprintf("%s %s", s.method, c.secrets.Clean(req.URL.String()))
	var w wire
	res, err := c.http.Do(w.watch(req))
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", where, c.trouble(ctx, req, &w, err))
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	c.tell(s, res.StatusCode, body)
	if err != nil {
		return answer{}, fmt.Errorf("%s: read the answer: %w", where, c.trouble(ctx, req, &w, err))
	}
	if len(body) > maxAnswer {
		return answer{}, fmt.Errorf("%s: the answer is over %d bytes long", where, maxAnswer)
	}
	a := answer{status: res.StatusCode, body: body, json: decode(body), in: inputTree(v)}
	if slices.Contains(s.refuse, a.status) && !slices.Contains(s.expect, a.status) {
		return a, fmt.Errorf("%s answered %d: %w: %s", where, a.status, sender.ErrRefused, c.shown(s, a))
	}
	if !slices.Contains(s.expect, a.status) {
		return a, &statusError{fmt.Sprintf("%s answered %d (want %s): %s%s", where, a.status, statusList(s.expect), c.shown(s, a), c.sent(s, v))}
	}
	return a, nil
}

// errStatus says that an answer has a status that the adapter does not expect.
var errStatus = errors.New("unexpected status")

type statusError struct{ text string }

func (e *statusError) Error() string { return e.text }
func (e *statusError) Unwrap() error { return errStatus }

// sent is the beginning of the body that a call has sent, for a message.
func (c *client) sent(s *call, v values) string {
	text, _, err := s.payload(v)
	if err != nil || text == nil {
		return ""
	}
	return "; sent: " + clip(c.secrets.Clean(string(text)), shownAnswer)
}

// ErrUnreachable says that nobody listens where the sender's API should be.
var ErrUnreachable = errors.New("the sender cannot be reached")

var errNoAnswer = errors.New("no answer in time")

// trouble says what a failed call means and what to check.
func (c *client) trouble(ctx context.Context, req *http.Request, w *wire, err error) error {
	switch why := context.Cause(ctx); {
	case errors.Is(why, errNoAnswer) && !w.connected.Load():
		return fmt.Errorf("%w at %s: no connection within %s; %s", ErrUnreachable, req.URL.Host, c.timeout, c.toCheck())
	case errors.Is(why, errNoAnswer):
		return fmt.Errorf("no answer within %s", c.timeout)
	case errors.Is(why, context.DeadlineExceeded): // the caller's time, who knows why it is so short
		return fmt.Errorf("no answer: %w", why)
	}
	err = withoutURL(err)
	closed := w.silent() && ctx.Err() == nil
	if closed && c.adapter.containers != nil {
		// The engine itself takes connections to a published port, and closes those that it cannot hand on.
		return fmt.Errorf("%w at %s: the connection was closed without an answer; check port of the adapter, and that the API listens "+
			"on 0.0.0.0 inside of the container, not on its loopback alone", ErrUnreachable, req.URL.Host)
	}
	if closed {
		return fmt.Errorf("the sender closed the connection without an answer (%w)", err)
	}
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "dial" {
		return err
	}
	return fmt.Errorf("%w at %s (%w); %s", ErrUnreachable, req.URL.Host, op.Err, c.toCheck())
}

// toCheck is what keeps a sender from being reached, mostly.
func (c *client) toCheck() string {
	if c.launched {
		return "check its output, and what its ready line says"
	}
	return "check that it runs and that base_url of the adapter is right"
}

// extract fills got with the values that s names.
func (c *client) extract(ctx context.Context, s *call, a answer, got map[string]string) error {
	for _, x := range s.extract {
		value, err := x.query.scalar(ctx, a)
		missing := errors.Is(err, errMissing) || err == nil && value == ""
		switch {
		case missing && x.optional:
			continue
		case missing:
			return fmt.Errorf("answered %d without %s (jq %s): %s; see %s", a.status, x.name, x.query, c.shown(s, a), c.adapter.place(x.query.at))
		case err != nil:
			return fmt.Errorf("answered %d: extract %s: %w: %s; see %s", a.status, x.name, err, c.shown(s, a), c.adapter.place(x.query.at))
		case len(value) > maxValue:
			return fmt.Errorf("answered %d: extract %s: jq %s gave %d bytes; no id or key has more than %d; see %s",
				a.status, x.name, x.query, len(value), maxValue, c.adapter.place(x.query.at))
		}
		if x.name == "secret" {
			c.secrets.Add(value)
		}
		got[x.name] = value
	}
	return nil
}

// shown is the beginning of an answer for a message. An answer that grants something may hold a secret that nobody knows
// yet, so it is not shown where the call is one that can.
func (c *client) shown(s *call, a answer) string {
	grants := s.op.grantsKey() || slices.ContainsFunc(s.extract, func(x extraction) bool { return x.name == "secret" })
	if grants && a.status < http.StatusBadRequest {
		return "(not shown, since it may hold a secret)"
	}
	text := strings.Join(strings.FieldsFunc(c.secrets.Clean(string(a.body)), func(r rune) bool {
		return unicode.IsControl(r) || r == unicode.ReplacementChar
	}), " ")
	if text == "" {
		return "(empty answer)"
	}
	return clip(text, shownAnswer)
}

func (c *client) shownURL(s *call, base string, v values) string {
	u, err := s.url(base, v)
	if err != nil {
		return base
	}
	return c.secrets.Clean(u)
}

// decode returns the body's JSON with its number tokens, or nil if it is none.
func decode(body []byte) any {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil
	}
	return v
}

// inputTree is $in: the values with a dot in their name, without secrets and payloads.
func inputTree(v values) map[string]any {
	tree := map[string]any{}
	for name, value := range v {
		space, rest, ok := strings.Cut(name, ".")
		if !ok || isJSONName(name) || rest == "secret" || space == "file" || space == environment {
			continue
		}
		sub, ok := tree[space].(map[string]any)
		if !ok {
			sub = map[string]any{}
			tree[space] = sub
		}
		sub[rest] = value
	}
	return tree
}

func statusList(codes []int) string {
	words := make([]string, len(codes))
	for i, code := range codes {
		words[i] = fmt.Sprint(code)
	}
	return strings.Join(words, " or ")
}
