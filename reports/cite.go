package reports

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// How many records are shown below a verdict: a thousand lines are not read, and the verdict names the others by their
// number. Below a pass a few examples do; a run of six hundred verdicts must not make a page of megabytes.
const (
	maxCited     = 16
	maxCitedPass = 1
)

// worthReading tells whether the records of an outcome are what its reader is after.
func worthReading(o judge.Outcome) bool {
	return o == judge.Fail || o == judge.Warn || o == judge.Error || o == judge.Inconclusive
}

func mostCited(o judge.Outcome) int {
	if worthReading(o) {
		return maxCited
	}
	return maxCitedPass
}

// cited is a record that a verdict rests on, in short. What is not yet cut, since half a key is still a secret.
type cited struct {
	Kind, Event, What string
	At                time.Duration // in the run
	Since             time.Duration // after the emit of Event
	Attributed        bool          // Since is known
}

// citer shortens records. Times are told from the emit of the event that a record belongs to.
type citer struct {
	w         words.Texts
	c         *contract.Contract
	wanted    map[int]bool
	out       map[int]cited
	byArrival map[int]place                 // by line of the arrival
	bySeq     map[int64]int                 // Arrival.Seq → line
	byKey     map[[2]string]*judge.Timeline // by scenario, and marker or event
	carries   func(header string) bool      // whether a header carries signatures
	inBody    bool                          // they stand in the body
}

type place struct {
	t *judge.Timeline
	a judge.TimelineAttempt
}

// citedBy returns the records that the verdicts rest on, as many as are shown.
func citedBy(w words.Texts, c *contract.Contract, run *evidence.Run, vs []judge.Verdict, ts []judge.Timeline) map[int]cited {
	x := citer{w, c, map[int]bool{}, map[int]cited{}, map[int]place{}, map[int64]int{}, map[[2]string]*judge.Timeline{}, carrying(c), inBody(c)}
	for _, v := range vs {
		for _, n := range v.Records[:min(mostCited(v.Outcome), len(v.Records))] {
			x.wanted[n] = true
		}
	}
	for i := range ts {
		t := &ts[i]
		for _, key := range []string{t.Marker, t.Event} {
			x.byKey[[2]string{t.Scenario, key}] = t
		}
		for _, a := range t.Attempts {
			x.byArrival[a.Record] = place{t, a}
		}
	}
	x.requests(run)
	x.acts(run)
	x.told(run)
	x.rest(run)
	return x.out
}

// add shortens a record to the text of a key.
func (x *citer) add(m evidence.Meta, t *judge.Timeline, at time.Duration, key string, args ...any) {
	if x.wanted[m.N] {
		x.put(m, t, at, x.w.Text(key, args...))
	}
}

func (x *citer) put(m evidence.Meta, t *judge.Timeline, at time.Duration, what string) {
	if !x.wanted[m.N] {
		return
	}
	// Records that were never written to a file have no kind of their own yet.
	r := cited{Kind: string(m.Kind), At: at, What: what}
	if t != nil {
		r.Event, r.Since, r.Attributed = eventName(*t), at-t.Emitted, true
	}
	x.out[m.N] = r
}

func (x *citer) find(scenario, marker, event string) *judge.Timeline {
	for _, key := range []string{marker, event} {
		if t := x.byKey[[2]string{scenario, key}]; t != nil && key != "" {
			return t
		}
	}
	return nil
}

func (x *citer) requests(run *evidence.Run) {
	for i := range run.Attempts {
		a := &run.Attempts[i]
		x.bySeq[a.Seq] = a.N
		t := x.byArrival[a.N].t
		if x.wanted[a.N] {
			x.put(a.Meta, t, a.FirstByte, x.requestText(a))
		}
		if o := a.Outcome; o != nil {
			x.put(o.Meta, t, max(o.ReplyEnd, o.Closed, a.FirstByte), x.outcomeText(o))
		}
	}
	for _, f := range run.Effects {
		dedupe := x.w.Text("cite.no-dedupe")
		if f.Dedupe {
			dedupe = x.w.Text("cite.dedupe")
		}
		x.add(f.Meta, x.byArrival[x.bySeq[f.Of]].t, f.At, "cite.effect", x.w.Known("effect", f.Result), dedupe, x.w.Count("n.business-row", f.Rows))
	}
}

// requestText says what distinguishes a request from the others of its event.
func (x *citer) requestText(a *evidence.Attempt) string {
	// A head that ParseHead objects to still gives what stands before the odd line.
	h, _ := evidence.ParseHead(a.Head)
	p, known := x.byArrival[a.N]
	what := or(h.Method, x.w.Text("cite.request"))
	switch {
	case !known:
		what = x.w.Text("cite.request-unknown", what)
	case p.a.Class == classCopy:
		what = x.w.Text("cite.request-copy", what)
	case p.a.Number == 0:
		what = x.w.Text("cite.request-resend", what)
	case p.a.Round > 0:
		what = x.w.Text("cite.request-replay", what, p.a.Round, p.a.Number)
	default:
		what = x.w.Text("cite.request-attempt", what, p.a.Number)
	}
	parts := []string{what}
	if x.c.Identity != nil && x.c.Identity.Header != "" {
		switch id := h.Get(x.c.Identity.Header); {
		case id == "":
			parts = append(parts, x.w.Text("cite.no-header", x.c.Identity.Header))
		case !known || id != eventName(*p.t):
			parts = append(parts, x.w.Text("cite.id", id))
		}
	}
	if x.c.Signature != nil {
		parts = append(parts, x.signedText(h))
	}
	sum := a.BodySHA256
	return x.w.Text("cite.body", strings.Join(parts, x.w.Text("list.comma")), a.BodySize, sum[:min(8, len(sum))])
}

// signedTime is a time in a signature header: as t=…, or as the whole value of a header of its own.
var signedTime = regexp.MustCompile(`(?:^|\b(?:t|ts|created)=)(\d{9,14}|\d{4}-\d\d-\d\dT[0-9:.]{8,18}Z)(?:$|\D)`)

// carrying tells which headers carry the contract's signatures. Without a scheme that is known it is none.
func carrying(c *contract.Contract) func(header string) bool {
	if c.Signature != nil {
		if s, err := c.Signature.Lookup(); err == nil {
			return s.CarriesIn
		}
	}
	return func(string) bool { return false }
}

// inBody tells whether the contract's signatures stand in the body.
func inBody(c *contract.Contract) bool {
	if c.Signature == nil {
		return false
	}
	s, err := c.Signature.Lookup()
	return err == nil && s.InBody()
}

// signedText says when a request was signed, and never by what: not even a part of a signature is shown.
func (x *citer) signedText(h evidence.Head) string {
	if x.inBody {
		return x.w.Text("cite.signature-body")
	}
	there, at := false, ""
	for _, f := range h.Fields {
		name := strings.ToLower(f[0])
		isSig := strings.Contains(name, "signature") || x.carries(f[0])
		there = there || isSig
		if m := signedTime.FindStringSubmatch(f[1]); m != nil && (isSig || strings.Contains(name, "time")) && at == "" {
			at = "t=" + m[1]
		}
	}
	if !there {
		return x.w.Text("cite.no-signature")
	}
	if at == "" {
		return x.w.Text("cite.signature")
	}
	return x.w.Text("cite.signature-at", at)
}

func (x *citer) outcomeText(o *evidence.Outcome) string {
	var parts []string
	if o.Status == 0 {
		parts = append(parts, x.w.Text("cite.no-status"))
	} else {
		parts = append(parts, x.w.Text("cite.answered", o.Status))
	}
	if o.Fault != "" && o.Fault != "status" && o.Fault != "none" {
		parts[0] += x.w.Text("cite.fault", o.Fault)
	}
	for _, f := range o.Header {
		if strings.EqualFold(f[0], "Retry-After") || strings.EqualFold(f[0], "Location") {
			parts = append(parts, f[0]+": "+f[1])
		}
	}
	return strings.Join(append(parts, or(x.w.Known("cite.end", o.End), x.w.Text("end.unknown"))), x.w.Text("list.comma"))
}

func (x *citer) acts(run *evidence.Run) {
	for i := range run.Acts {
		a := &run.Acts[i]
		what := strings.Join(slices.DeleteFunc([]string{string(a.Act), a.Type, a.Note}, func(s string) bool { return s == "" }), " ")
		how := x.w.Text("cite.accepted", span(a.Returned-a.Called))
		if !a.OK() {
			how = x.w.Text("cite.failed", a.Err)
		}
		x.add(a.Meta, x.find(a.Scenario, a.Marker, a.Event), a.Called, "cite.act", what, how)
	}
}

// told shortens what the sender says of itself.
func (x *citer) told(run *evidence.Run) {
	for i := range run.Logs {
		l := &run.Logs[i]
		what := x.w.Text("cite.log", or(x.w.Known("state", l.State), x.w.Text("cite.log-nothing")), x.w.Count("n.attempt", len(l.Attempts)))
		if l.LastFailure != "" {
			what += x.w.Text("cite.log-failure", l.LastFailure)
		}
		if l.Next != nil {
			what += x.w.Text("cite.log-next", clockIn(x.w, *l.Next))
		}
		if l.Err != "" {
			what = x.w.Text("cite.log-unread", l.Err)
		}
		x.put(l.Meta, x.find(l.Scenario, l.Marker, l.Event), l.Read, what)
	}
	for i := range run.DeadLetters {
		d := &run.DeadLetters[i]
		what := x.w.Text("cite.dead", or(d.Reason, x.w.Text("dead.no-reason")), x.w.Count("n.attempt", d.Attempts), lastStatus(x.w, d.LastStatus))
		if d.LastError != "" {
			what += x.w.Text("cite.dead-error", d.LastError)
		}
		if n := len(d.Replays); n > 0 {
			what += x.w.Text("cite.dead-replays", x.w.Count("n.replay-record", n))
		}
		x.put(d.Meta, x.find(d.Scenario, d.Marker, d.Event), d.Read, what)
	}
	for i := range run.Output {
		o := &run.Output[i]
		x.add(o.Meta, nil, o.At, "cite.output", o.Stream, or(o.Instance, x.w.Text("cite.the-sender")), o.Line)
	}
}

func (x *citer) rest(run *evidence.Run) {
	for i := range run.Endpoints {
		e := &run.Endpoints[i]
		x.add(e.Meta, nil, 0, "cite.endpoint", e.Name, x.w.Count("n.key", len(e.Secrets)))
	}
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		x.add(s.Meta, nil, s.From, "cite.watched", s.Name, span(s.WatchUntil))
	}
	for i := range run.Noise {
		n := &run.Noise[i]
		var worst int64
		for _, us := range n.LateUS {
			worst = max(worst, us)
		}
		x.add(n.Meta, nil, n.From, "cite.noise", n.Source, x.w.Count("n.sample", len(n.LateUS)), span(time.Duration(worst)*time.Microsecond))
	}
	for i := range run.Troubles {
		t := &run.Troubles[i]
		x.put(t.Meta, nil, t.At, t.What)
	}
	x.add(run.Header.Meta, nil, 0, "cite.header")
	if f := run.Footer; f != nil {
		x.add(f.Meta, nil, f.Ended, "cite.footer")
	}
}
