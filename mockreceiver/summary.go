package mockreceiver

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// summary is a request as lists show it: what is recorded, and what follows from it.
type summary struct {
	Seq         int64         `json:"seq"`
	Endpoint    string        `json:"endpoint"` // empty: its path had none
	Key         string        `json:"key"`
	KeyFrom     string        `json:"key_from"`
	Attempt     int           `json:"attempt"`
	At          time.Time     `json:"at"`
	Offset      time.Duration `json:"offset_ns"`
	Method      string        `json:"method"`
	Path        string        `json:"path"` // the target as it was sent, with its query
	Proto       string        `json:"proto"`
	Conn        int64         `json:"conn"`
	ConnRequest int           `json:"conn_request"`
	TLS         *evidence.TLS `json:"tls"` // null: the connection had none
	BodySize    int64         `json:"body_size"`
	BodySHA256  string        `json:"body_sha256"`
	ContentType string        `json:"content_type"`
	Type        string        `json:"type"`
	Handshake   string        `json:"handshake"` // which one it was; empty: none
	Chosen      string        `json:"chosen"`
	Fault       string        `json:"fault"`  // as really acted out; empty while the request is open
	Status      int           `json:"status"` // 0: none was written, or not yet
	End         string        `json:"end"`    // empty while the request is open, or if that was never recorded
	// Reply is how long after its first byte the answer was written to its last; 0 without an answer.
	Reply     time.Duration    `json:"reply_ns"`
	Class     journal.Class    `json:"class"`
	Signature signatureSummary `json:"signature"`
	Effect    *effectSummary   `json:"effect"`
	Origin    string           `json:"origin"`
	Reason    string           `json:"reason"`
	Open      bool             `json:"open"` // in flight
}

type signatureSummary struct {
	State  SignatureState `json:"state"`
	Reason string         `json:"reason"`
}

type effectSummary struct {
	Result string `json:"result"`
	Rows   int    `json:"rows"`
	// Inbox is where a queued event stands now.
	Inbox *business.Item `json:"inbox,omitempty"`
}

// plain is what the records of a request say by themselves.
func (r *Receiver) plain(a *journal.Attempt) summary {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	s := summary{
		Seq: a.Seq, Endpoint: a.Endpoint, Key: a.Key, KeyFrom: a.KeyFrom, Attempt: a.Attempt,
		At: a.Wall, Offset: a.FirstByte, Method: head.Method, Path: head.Target, Proto: a.Conn.Proto,
		Conn: a.Conn.ID, ConnRequest: a.Conn.Request, TLS: a.Conn.TLS,
		BodySize: a.BodySize, BodySHA256: a.BodySHA256, ContentType: head.Get("Content-Type"), Type: r.eventType(&a.Arrival, head),
		Handshake: a.Handshake, Chosen: a.Chosen, Origin: a.Origin, Reason: a.Reason, Open: a.Outcome == nil && r.activity.isOpen(a.Seq),
	}
	if o := a.Outcome; o != nil {
		s.Fault, s.Status, s.End = o.Fault, o.Status, o.End
		if o.ReplyEnd > 0 {
			s.Reply = o.ReplyEnd - a.FirstByte
		}
	}
	if a.Effect != nil {
		s.Effect = &effectSummary{Result: a.Effect.Result, Rows: a.Effect.Rows}
	}
	return s
}

// classify says what a request was to its event. It reads at most journal.HistoryLimit rows.
func (r *Receiver) classify(ctx context.Context, a *journal.Attempt) (journal.Classified, error) {
	var earlier []journal.Attempt
	if a.Attempt > 1 && a.Origin == "" {
		var err error
		earlier, err = r.journal.Attempts(ctx, journal.Query{
			Endpoint: a.Endpoint, ByKey: true, Key: a.Key, Before: a.Seq, Newest: true, Limit: journal.HistoryLimit, MaxBody: -1,
		})
		if err != nil {
			return journal.Classified{}, err
		}
	}
	c := journal.Classify(a, earlier, r.activity.isOpen)
	if c.Class == journal.TransportReplay && r.due(a, &earlier[slices.IndexFunc(earlier, func(e journal.Attempt) bool { return e.Seq == c.Of })]) {
		c = journal.Classified{Class: journal.Retry, Because: fmt.Sprintf("after request %d, and no sooner than the contract has it", c.Of), Of: c.Of}
	}
	return c, nil
}

// due tells whether a came no sooner after the one before it than the contract lets the next attempt come: then it is that
// attempt, as the judge has it, even where it looks like a resend by the HTTP library.
func (r *Receiver) due(a, before *journal.Attempt) bool {
	if r.cfg.Window == nil {
		return false
	}
	w, ok := r.cfg.Window(a.Attempt, before)
	from, known := before.Answered()
	if w.FromStart || !known {
		from = before.Wall
	}
	return ok && a.Wall.Sub(from) >= w.Min
}

// signed says what the signature of a request is worth. A body that a list left out leaves it unchecked.
func (r *Receiver) signed(a *journal.Attempt) signatureSummary {
	if leftOut(a) {
		return signatureSummary{SignatureUnchecked, "the body is too large to check it here, look at the attempt"}
	}
	s := r.Signature(&a.Arrival)
	out := signatureSummary{State: s.State, Reason: string(s.Reason)}
	if s.State == SignatureStale {
		out.Reason = "signed " + s.Age.Round(time.Second).String() + " before it arrived"
	}
	return out
}

// whole reads the body of a request that a list left out.
func (r *Receiver) whole(ctx context.Context, a *journal.Attempt) error {
	if !leftOut(a) {
		return nil
	}
	full, err := r.attempt(ctx, a.Seq, 0)
	if err != nil {
		return err
	}
	a.Body = full.Body
	return nil
}

// leftOut tells whether the body of a request is in the journal only.
func leftOut(a *journal.Attempt) bool { return len(a.Body) == 0 && a.BodySize > 0 }

// attempt reads one request. A body beyond maxBody is left out; 0: none is.
func (r *Receiver) attempt(ctx context.Context, seq, maxBody int64) (*journal.Attempt, error) {
	list, err := r.journal.Attempts(ctx, journal.Query{After: seq - 1, Before: seq + 1, Limit: 1, MaxBody: maxBody})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, unknownAttemptError(seq)
	}
	return &list[0], nil
}

// summarise says all that lists show of a request.
func (r *Receiver) summarise(ctx context.Context, a *journal.Attempt) (summary, error) {
	if err := r.whole(ctx, a); err != nil {
		return summary{}, err
	}
	return r.summariseAsRead(ctx, a)
}

// summariseAsRead does the same without the body, if that was left out.
func (r *Receiver) summariseAsRead(ctx context.Context, a *journal.Attempt) (summary, error) {
	class, err := r.classify(ctx, a)
	if err != nil {
		return summary{}, err
	}
	s := r.plain(a)
	s.Signature, s.Class = r.signed(a), class.Class
	if s.Effect != nil {
		s.Effect.Inbox, err = r.queued(ctx, a.Effect)
	}
	return s, err
}
