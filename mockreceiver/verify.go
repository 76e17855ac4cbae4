package mockreceiver

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Verify says how the requests of an endpoint are signed, and what becomes of those that are not.
type Verify struct {
	Scheme string // its id (hookassay list schemes), or a record of your own in JSON (signature.Lookup)
	// Secrets are the keys' texts: at least one, several during a rotation. One that the scheme cannot use is refused, the
	// empty one first of all. They are never shown.
	Secrets []string
	// Tolerance is how far the signed time may lie from the arrival, before or after it. 0: 300 s, as Standard Webhooks and
	// bounded-6 have it.
	Tolerance time.Duration
	// Reject answers 401 where the signature is missing, bad or stale. Such a request takes its attempt number and its step
	// of the plan, writes no business row, and is recorded as refused: Outcome.Fault is FaultRejected. Without Reject
	// the signature changes nothing. A fault that answers before the body is read acts before anything can be verified.
	Reject bool
}

// What Outcome.Fault says where no kind of fault was acted out.
const (
	// FaultRejected is for a request that Verify.Reject refused.
	FaultRejected = "rejected"
	// FaultRefused is for one that the receiver could not take: a head or body that is broken or over a limit.
	FaultRefused = "refused"
)

const defaultTolerance = 300 * time.Second

// SignatureState says what the signature of a request is worth.
type SignatureState string

// The states of a signature.
const (
	SignatureVerified  SignatureState = "verified"
	SignatureStale     SignatureState = "stale"     // made by a known key, at a time out of tolerance
	SignatureFailed    SignatureState = "failed"    // Signature.Reason says how
	SignatureMissing   SignatureState = "missing"   // a header that carries it, or the time, is not there
	SignatureUnchecked SignatureState = "unchecked" // the endpoint has no Verify, or the body is not all there
)

// Signature is what is found of a request's signature. It holds no key and no signature.
type Signature struct {
	State  SignatureState
	Reason signature.Reason // of State failed or missing
	Age    time.Duration    // how long before its arrival the request was signed, by its own word
}

// String shows no secret.
func (v Verify) String() string {
	return fmt.Sprintf("%s, %d secrets, tolerance %s, reject %t", schemeName(v.Scheme), len(v.Secrets), v.Tolerance, v.Reject)
}

// schemeName is the id of a scheme, also where its record stands instead.
func schemeName(text string) string {
	if s, err := signature.Lookup(text); err == nil {
		return s.ID()
	}
	return text
}

// GoString shows no secret.
func (v Verify) GoString() string { return v.String() }

// verifier is a Verify that is ready for use. A nil one leaves everything unchecked.
type verifier struct {
	Verify
	scheme *signature.Scheme
	keys   *signature.Verifier
	sealed bool // it came back from the journal, which keeps no secrets: there is nothing to check with
}

func newVerifier(v *Verify) (*verifier, error) {
	if v == nil {
		return nil, nil // nothing to verify is no failure
	}
	if v.Scheme == "" {
		return nil, errors.New("verify: give a scheme, such as timestamp-v1 (hookassay list schemes)")
	}
	scheme, err := signature.Lookup(v.Scheme)
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	if v.Tolerance < 0 {
		return nil, fmt.Errorf("verify: tolerance %s: want none below zero", v.Tolerance)
	}
	keys, err := scheme.Verifier(v.Secrets...)
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	own := *v
	own.Secrets = slices.Clone(v.Secrets)
	orDefault(&own.Tolerance, defaultTolerance)
	return &verifier{Verify: own, scheme: scheme, keys: keys}, nil
}

// check looks at a request that arrived at a time. Only the signed time tells its age. A copy that we sent ourselves, on the
// operator's order, is as fresh as it was when it first came.
func (v *verifier) check(e *endpoint, head evidence.Head, a *evidence.Arrival) Signature {
	if v == nil || v.sealed || a.BodyErr != "" {
		return Signature{State: SignatureUnchecked}
	}
	f := v.keys.VerifyRequest(v.request(e, head, a))
	s := Signature{Age: f.Age(a.Wall)}
	switch {
	case f.OK() && (a.Origin == evidence.OriginHarness || f.Fresh(a.Wall, v.Tolerance)):
		s.State = SignatureVerified
	case f.OK():
		s.State = SignatureStale
	case f.Reason == signature.MissingHeader || f.Reason == signature.NoTimestamp:
		s.State, s.Reason = SignatureMissing, f.Reason
	default:
		s.State, s.Reason = SignatureFailed, f.Reason
	}
	return s
}

// rejects tells whether a request with that signature is refused. What could not be checked is.
func (v *verifier) rejects(s Signature) bool {
	return v != nil && v.Reject && s.State != SignatureVerified
}

// rejection is one answer for all reasons, since a sender that has no key must not learn how near it came.
func rejection() fault.Reply {
	return fault.Reply{
		Status: http.StatusUnauthorized, Header: [][2]string{{"Content-Type", "application/json"}}, Body: `{"error":"signature verification failed"}` + "\n",
	}
}

// SetVerify changes how an endpoint verifies, from the next request on: a rotation adds a secret and later takes the old one
// away, a revocation takes one away at once. nil ends the verification.
func (r *Receiver) SetVerify(endpoint string, v *Verify) error {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return fmt.Errorf("set verify: %w", err)
	}
	ready, err := newVerifier(v)
	if err != nil {
		return fmt.Errorf("set verify at %s: %w", endpoint, err)
	}
	e.verify.Store(ready)
	return r.keep(endpoint, "")
}

// Signature looks at the signature of a recorded request with the present secrets of its endpoint. It costs a digest per secret.
func (r *Receiver) Signature(a *evidence.Arrival) Signature {
	e, v := r.verifierOf(a)
	if v == nil {
		return Signature{State: SignatureUnchecked}
	}
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	return v.check(e, head, a)
}

// Diagnose does the same and looks for the cause, also among the secrets of other endpoints, which costs up to 1024 digests: it is for
// whoever reads about one request. ok is false where there is nothing to verify with.
func (r *Receiver) Diagnose(a *evidence.Arrival) (f signature.Finding, ok bool) {
	e, v := r.verifierOf(a)
	if v == nil {
		return signature.Finding{}, false
	}
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	return v.scheme.Diagnose(v.request(e, head, a), r.hints(e, v, a), v.Secrets...), true
}

// hints are what the receiver knows beside a request. A copy that we sent ourselves is as fresh as it was when it first came.
func (r *Receiver) hints(own *endpoint, v *verifier, a *evidence.Arrival) signature.Hints {
	h := signature.Hints{Tolerance: v.Tolerance}
	if a.Origin != evidence.OriginHarness {
		h.Received = a.Wall
	}
	for _, e := range r.endpoints.list() {
		other := e.verify.Load()
		if e == own || other == nil {
			continue
		}
		for _, secret := range other.Secrets {
			h.Foreign = append(h.Foreign, signature.NamedKey{Name: e.Name, Secret: secret})
		}
	}
	return h
}

// Signed returns the exact bytes that the signature of a recorded request covers by its endpoint's scheme; nil where that
// cannot be told.
func (r *Receiver) Signed(a *evidence.Arrival) []byte {
	e, v := r.verifierOf(a)
	if v == nil {
		return nil
	}
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	content, _ := v.scheme.SignedRequest(v.request(e, head, a))
	return content
}

func (r *Receiver) verifierOf(a *evidence.Arrival) (*endpoint, *verifier) {
	e, err := r.endpoints.named(a.Endpoint)
	if err != nil {
		return nil, nil
	}
	return e, e.verify.Load()
}

// URL is the whole URL of a recorded request at the host that senders are told; empty where its endpoint is gone.
func (r *Receiver) URL(a *evidence.Arrival) string {
	e, err := r.endpoints.named(a.Endpoint)
	if err != nil {
		return ""
	}
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	return head.URL(e.url)
}

// request is what is verified. Its URL is made only for a scheme that may cover it.
func (v *verifier) request(e *endpoint, head evidence.Head, a *evidence.Arrival) signature.Request {
	r := signature.Request{Method: head.Method, Fields: head.Fields, Body: a.Body}
	if v.scheme.Targeted() {
		r.URL = head.URL(e.url)
	}
	return r
}

// verify looks at the signature of a request. Where the body was left unread on purpose there is nothing to verify, and
// nothing that the answer would let in.
func (x *exchange) verify(head evidence.Head) {
	x.signature.State = SignatureUnchecked
	if x.endpoint == nil {
		return
	}
	v := x.endpoint.verify.Load()
	x.signature = v.check(x.endpoint, head, x.arrival)
	x.rejected = !x.intake.Unread && v.rejects(x.signature)
}
