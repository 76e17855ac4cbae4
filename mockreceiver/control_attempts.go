package mockreceiver

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// listAttempts answers {"attempts": […], "next": SEQ}: the newest first, or from after on the oldest first. next is the
// before or the after of the following page.
func (c control) listAttempts(req *http.Request) (int, any, error) {
	q := queryOf(req)
	f, s := filterOf(q), spanOf(q)
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if err := c.known(req.Context(), f.endpoint); err != nil {
		return 0, nil, err
	}
	list := []summary{}
	next, err := c.r.page(req.Context(), f, s, func(_ *journal.Attempt, s summary) error {
		list = append(list, s)
		return nil
	})
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, map[string]any{"attempts": list, "next": cursor(next)}, nil
}

// spanOf reads which part of a list is wanted.
func spanOf(q *query) span {
	s := span{
		oldest: q.has("after"), after: q.number("after", 0, maxSeq), before: q.number("before", 0, maxSeq), limit: q.limit(),
	}
	if q.has("after") && q.has("before") && q.err == nil {
		q.err = errBothEnds
	}
	if q.values.Get("before") == "0" {
		q.fail("before %q: want a number from 1, or leave it out", "0")
	}
	return s
}

// detail is all that is known of a request. Head and Body are base64 in JSON: their bytes are a stranger's.
type detail struct {
	summary
	Head       []byte            `json:"head"`
	Body       []byte            `json:"body"`     // the first bytes, see BodyCut
	BodyCut    bool              `json:"body_cut"` // GET …/body has all that was kept
	BodyKept   int               `json:"body_kept"`
	BodyErr    string            `json:"body_err"`
	Trailer    []byte            `json:"trailer"` // the fields behind the body; null: there were none
	ConnFacts  evidence.Conn     `json:"connection"`
	Outcome    *evidence.Outcome `json:"outcome"`
	FullEffect *evidence.Effect  `json:"effect_record"`
	VerifiedBy []string          `json:"verified_by,omitempty"`
	Because    string            `json:"class_because"`
	Of         int64             `json:"class_of"`
	Diagnosis  *diagnosis        `json:"signature_detail"` // null where nothing was checked
}

// diagnosis is what the signature's scheme has to say. It holds no key and no signature.
type diagnosis struct {
	Reason   signature.Reason `json:"reason"`
	Detail   string           `json:"detail"`
	Causes   []string         `json:"causes"` // the mistakes that explain it together, by name; empty: none is known
	Keys     []int            `json:"keys"`   // which of the endpoint's secrets made it, from 0
	SignedAt *time.Time       `json:"signed_at"`
	Text     string           `json:"signed_at_text"`
	Age      time.Duration    `json:"age_ns"`
	Signed   []byte           `json:"signed"` // the first bytes of what a signature covers; null where that cannot be told
	Size     int              `json:"signed_size"`
}

// shownBody is how much of a body a detail shows: more than a person reads, and 1.4 MiB in base64.
const shownBody = 1 << 20

// shownSigned is how much of the signed bytes a detail shows. They end with the body, which it shows as well.
const shownSigned = 64 << 10

func (c control) showAttempt(req *http.Request) (int, any, error) {
	a, err := c.attempt(req)
	if err != nil {
		return 0, nil, err
	}
	d, err := c.r.detail(req.Context(), a)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, d, nil
}

func (r *Receiver) detail(ctx context.Context, a *journal.Attempt) (*detail, error) {
	s, err := r.summarise(ctx, a)
	if err != nil {
		return nil, err
	}
	class, err := r.classify(ctx, a)
	if err != nil {
		return nil, err
	}
	d := &detail{
		summary: s, Head: a.Head, Body: a.Body, BodyKept: len(a.Body), BodyErr: a.BodyErr, Trailer: a.Trailer, ConnFacts: a.Conn,
		Outcome: a.Outcome, FullEffect: a.Effect, VerifiedBy: a.VerifiedBy, Because: class.Because, Of: class.Of,
	}
	if len(d.Body) > shownBody {
		d.Body, d.BodyCut = d.Body[:shownBody], true
	}
	if s.Signature.State != SignatureUnchecked {
		d.Diagnosis = r.diagnosis(a)
	}
	return d, nil
}

func (r *Receiver) diagnosis(a *journal.Attempt) *diagnosis {
	f, ok := r.Diagnose(&a.Arrival)
	if !ok {
		return nil
	}
	d := &diagnosis{Reason: f.Reason, Detail: f.Detail, Keys: f.Keys, Text: f.SignedAtText, Age: f.Age(a.Wall)}
	d.Signed = r.Signed(&a.Arrival)
	if d.Size = len(d.Signed); d.Size > shownSigned {
		d.Signed = d.Signed[:shownSigned]
	}
	if !f.SignedAt.IsZero() {
		d.SignedAt = &f.SignedAt
	}
	if d.Causes = f.Causes; d.Causes == nil {
		d.Causes = []string{}
	}
	if d.Keys == nil {
		d.Keys = []int{}
	}
	return d
}

// attempt reads the request that the path names.
func (c control) attempt(req *http.Request) (*journal.Attempt, error) {
	text := mux.Vars(req)["seq"]
	seq, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seq < 1 || seq > maxSeq {
		return nil, fmt.Errorf("attempt %q: want the number of a request, from 1", text)
	}
	return c.r.attempt(req.Context(), seq, 0)
}

// showBody answers with the bytes of a body as they were received.
func (c control) showBody(req *http.Request) (int, any, error) {
	q := queryOf(req)
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	a, err := c.attempt(req)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, fileAnswer{"application/octet-stream", fmt.Sprintf("attempt-%d.bin", a.Seq), a.Body}, nil
}
