// Package handshake answers what a provider asks of a receiver before it delivers: most send nothing to a URL that did not
// answer. Each provider has a file of its own; one that works as another does is a record with other words.
//
// A handshake is no attempt of an event. Whether its request is signed as it should be is for the caller to find out.
package handshake

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Proof says how a request shows that it comes from the provider.
type Proof int

// The proofs.
const (
	// Unproven shows nothing: anyone can ask.
	Unproven Proof = iota
	// MaySign is signed where the endpoint has a secret, which the provider leaves to its user.
	MaySign
	// MustSign is always signed, or answered by something that only the owner of the secret can make.
	MustSign
	// ByToken holds a token that was agreed on, in clear.
	ByToken
)

const (
	// maxChallenge bounds what is sent back: the longest that a provider documents have some 100 characters.
	maxChallenge = 4096
	// MaxBody is the largest body that is looked at; those of the providers have a few hundred bytes.
	MaxBody = 64 << 10
)

// Settings say which handshake an endpoint answers, and what it knows for it.
type Settings struct {
	Name string // hookassay list handshakes
	// Secrets are the texts of the keys by which its requests are signed, or the tokens that they show. Empty: those of the
	// endpoint's signatures. They are never shown.
	Secrets []string
	// Only is the one origin (cloudevents) or topic (websub) that is agreed to; empty: any.
	Only string
	// Rate is how many requests a minute are allowed to the sender (cloudevents); 0: as many as it likes.
	Rate int
}

// String shows no secret.
func (s Settings) String() string {
	return fmt.Sprintf("%s, %d secrets, only %q, rate %d", s.Name, len(s.Secrets), s.Only, s.Rate)
}

// GoString shows no secret.
func (s Settings) GoString() string { return s.String() }

// Signed tells whether the requests of the handshake are signed, or may be.
func (s Settings) Signed() bool {
	k, err := Lookup(s.Name)
	return err == nil && k.Scheme != ""
}

// Check refuses settings that mean nothing to the handshake, and returns it.
func (s *Settings) Check() (*Kind, error) {
	k, err := Lookup(s.Name)
	switch {
	case err != nil:
		return nil, err
	case len(s.Secrets) > 0 && k.Proof == Unproven:
		return nil, fmt.Errorf("handshake %s: takes no secret, since its requests prove nothing", s.Name)
	case slices.Contains(s.Secrets, ""):
		return nil, fmt.Errorf("handshake %s: a secret is empty", s.Name)
	case s.Only != "" && k.Only == "":
		return nil, fmt.Errorf("handshake %s: has neither origin nor topic, leave out only", s.Name)
	case s.Rate < 0 || s.Rate > 0 && !k.Rated:
		return nil, fmt.Errorf("handshake %s: rate %d: only cloudevents has one, which is not below zero", s.Name, s.Rate)
	case len(s.Secrets) == 0 && k.Proof == ByToken:
		return nil, fmt.Errorf("handshake %s: give the token that its requests show, as its secret", s.Name)
	}
	return k, nil
}

// Request is what is looked at.
type Request struct {
	Method, Target string
	Header         func(name string) string    // the first of a name; empty: there is none
	Body           func(pointer string) string // text or number at a JSON pointer; empty: there is none
}

// query is the first value of a parameter.
func (r *Request) query(name string) string {
	_, text, _ := strings.Cut(r.Target, "?")
	values, _ := url.ParseQuery(text) // of a query with a mistake, what can be read
	return values.Get(name)
}

// Kind is one handshake.
type Kind struct {
	Name     string
	Provider string
	Asked    string // what the request is told by
	Answered string
	Reason   string // for which a receiver wants it
	Proof    Proof
	Scheme   string // by which it is signed; empty: it is not
	Only     string // what Settings.Only names; empty: nothing
	Rated    bool   // Settings.Rate means something

	told    told
	answer  func(s *Settings, r *Request) (fault.Reply, bool)
	refusal int // status of a request that is asked wrongly; 0: 400
}

// told is what tells a handshake from a delivery: a method and, at one place, a value; empty: whatever is there.
type told struct{ method, header, query, pointer, value string }

// ByHead tells whether the head alone tells the handshake.
func (k *Kind) ByHead() bool { return k.told.pointer == "" }

// Asks tells whether a request is the handshake.
func (k *Kind) Asks(r *Request) bool {
	t := &k.told
	if r.Method != t.method {
		return false
	}
	var got string
	switch {
	case t.header != "":
		got = r.Header(t.header)
	case t.query != "":
		got = r.query(t.query)
	case t.pointer != "":
		got = r.Body(t.pointer)
	default:
		return true
	}
	return got != "" && (t.value == "" || got == t.value)
}

// Answer is what a request gets whose signature, if it has one, is in order; ok is false where it is refused all the same, for a token
// that is wrong or a challenge that nobody would send.
func (k *Kind) Answer(s *Settings, r *Request) (reply fault.Reply, ok bool) {
	if reply, ok = k.answer(s, r); !ok {
		status := k.refusal
		if status == 0 {
			status = http.StatusBadRequest
		}
		return refused(status), false
	}
	return reply, true
}

// Unsigned is what a request gets whose signature is not in order.
func Unsigned() fault.Reply { return refused(http.StatusUnauthorized) }

// refused has one text for all reasons: who guesses at a secret must not learn how near it came.
func refused(status int) fault.Reply {
	return fault.Reply{Status: status, Header: inert("application/json"), Body: `{"error":"handshake refused"}` + "\n"}
}

// inert are the fields of an answer with parts of a stranger's request in it: no browser takes it for a page.
func inert(contentType string) [][2]string {
	return [][2]string{{"Content-Type", contentType}, {"X-Content-Type-Options", "nosniff"}}
}

// challenge sends a text back as it came.
func challenge(text string) (fault.Reply, bool) {
	if text == "" || len(text) > maxChallenge {
		return fault.Reply{}, false
	}
	return fault.Reply{Status: http.StatusOK, Header: inert("text/plain; charset=utf-8"), Body: text}, true
}

// echo answers with the text at a pointer.
func echo(pointer string) func(*Settings, *Request) (fault.Reply, bool) {
	return func(_ *Settings, r *Request) (fault.Reply, bool) { return challenge(r.Body(pointer)) }
}

// always answers alike.
func always(status int, contentType, body string) func(*Settings, *Request) (fault.Reply, bool) {
	return func(*Settings, *Request) (fault.Reply, bool) {
		if body == "" {
			return fault.Reply{Status: status}, true
		}
		return fault.Reply{Status: status, Header: inert(contentType), Body: body}, true
	}
}
