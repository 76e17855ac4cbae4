package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
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
func citedBy(c *contract.Contract, run *evidence.Run, vs []judge.Verdict, ts []judge.Timeline) map[int]cited {
	x := citer{c, map[int]bool{}, map[int]cited{}, map[int]place{}, map[int64]int{}, map[[2]string]*judge.Timeline{}, carrying(c), inBody(c)}
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

func (x *citer) add(m evidence.Meta, t *judge.Timeline, at time.Duration, format string, args ...any) {
	if !x.wanted[m.N] {
		return
	}
	// Records that were never written to a file have no kind of their own yet.
	r := cited{Kind: string(m.Kind), At: at, What: fmt.Sprintf(format, args...)}
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
			x.add(a.Meta, t, a.FirstByte, "%s", x.requestText(a))
		}
		if o := a.Outcome; o != nil {
			x.add(o.Meta, t, max(o.ReplyEnd, o.Closed, a.FirstByte), "%s", outcomeText(o))
		}
	}
	for _, f := range run.Effects {
		dedupe := "no dedupe row"
		if f.Dedupe {
			dedupe = "dedupe row"
		}
		x.add(f.Meta, x.byArrival[x.bySeq[f.Of]].t, f.At, "%s: %s, %s", f.Result, dedupe, plural(f.Rows, "business row"))
	}
}

// requestText says what distinguishes a request from the others of its event.
func (x *citer) requestText(a *evidence.Attempt) string {
	// A head that ParseHead objects to still gives what stands before the odd line.
	h, _ := evidence.ParseHead(a.Head)
	p, known := x.byArrival[a.N]
	parts := []string{or(h.Method, "request")}
	switch {
	case !known:
		parts[0] += " of no known event"
	case p.a.Class == classCopy:
		parts[0] += " copy sent by the harness"
	case p.a.Number == 0:
		parts[0] += " resend by the sender's HTTP library"
	case p.a.Round > 0:
		parts[0] += fmt.Sprintf(" replay %d, attempt %d", p.a.Round, p.a.Number)
	default:
		parts[0] += fmt.Sprintf(" attempt %d", p.a.Number)
	}
	if x.c.Identity != nil && x.c.Identity.Header != "" {
		switch id := h.Get(x.c.Identity.Header); {
		case id == "":
			parts = append(parts, "no "+x.c.Identity.Header)
		case !known || id != eventName(*p.t):
			parts = append(parts, "id "+id)
		}
	}
	if x.c.Signature != nil {
		parts = append(parts, x.signedText(h))
	}
	sum := a.BodySHA256
	return fmt.Sprintf("%s, body %d B, SHA-256 %s", strings.Join(parts, ", "), a.BodySize, sum[:min(8, len(sum))])
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
		return "signature in the body (redacted)"
	}
	there, at := false, ""
	for _, f := range h.Fields {
		name := strings.ToLower(f[0])
		isSig := strings.Contains(name, "signature") || x.carries(f[0])
		there = there || isSig
		if m := signedTime.FindStringSubmatch(f[1]); m != nil && (isSig || strings.Contains(name, "time")) && at == "" {
			at = "t=" + m[1] + " "
		}
	}
	if !there {
		return "no signature header"
	}
	return "signature " + at + "(redacted)"
}

func outcomeText(o *evidence.Outcome) string {
	var parts []string
	if o.Status == 0 {
		parts = append(parts, "no status sent")
	} else {
		parts = append(parts, fmt.Sprintf("answered %d", o.Status))
	}
	if o.Fault != "" && o.Fault != "status" && o.Fault != "none" {
		parts[0] += " (" + o.Fault + ")"
	}
	for _, f := range o.Header {
		if strings.EqualFold(f[0], "Retry-After") || strings.EqualFold(f[0], "Location") {
			parts = append(parts, f[0]+": "+f[1])
		}
	}
	return strings.Join(append(parts, endText(o.End)), ", ")
}

func endText(end string) string {
	switch end {
	case evidence.EndComplete:
		return "in full"
	case evidence.EndReset:
		return "connection reset by the receiver"
	case evidence.EndClosed:
		return "connection closed by the receiver"
	case evidence.EndPeerGone:
		return "the sender hung up"
	case evidence.EndShutdown:
		return "the receiver was closed"
	}
	return or(end, "end unknown")
}

func (x *citer) acts(run *evidence.Run) {
	for i := range run.Acts {
		a := &run.Acts[i]
		what := strings.Join(slices.DeleteFunc([]string{string(a.Act), a.Type, a.Note}, func(s string) bool { return s == "" }), " ")
		how := "accepted after " + span(a.Returned-a.Called)
		if !a.OK() {
			how = "failed: " + a.Err
		}
		x.add(a.Meta, x.find(a.Scenario, a.Marker, a.Event), a.Called, "%s, %s", what, how)
	}
}

// told shortens what the sender says of itself.
func (x *citer) told(run *evidence.Run) {
	for i := range run.Logs {
		l := &run.Logs[i]
		what := fmt.Sprintf("the sender's log says %s, %s", or(l.State, "nothing"), plural(len(l.Attempts), "attempt"))
		if l.LastFailure != "" {
			what += ", last failure: " + l.LastFailure
		}
		if l.Next != nil {
			what += ", next attempt " + clock(*l.Next)
		}
		if l.Err != "" {
			what = "the sender's log could not be read: " + l.Err
		}
		x.add(l.Meta, x.find(l.Scenario, l.Marker, l.Event), l.Read, "%s", what)
	}
	for i := range run.DeadLetters {
		d := &run.DeadLetters[i]
		what := fmt.Sprintf("dead letter: %s, %s, last status %s", or(d.Reason, "no reason stated"), plural(d.Attempts, "attempt"), statusText(d.LastStatus))
		if d.LastError != "" {
			what += ", last error " + d.LastError
		}
		if n := len(d.Replays); n > 0 {
			what += ", " + plural(n, "replay record")
		}
		x.add(d.Meta, x.find(d.Scenario, d.Marker, d.Event), d.Read, "%s", what)
	}
	for i := range run.Output {
		o := &run.Output[i]
		x.add(o.Meta, nil, o.At, "%s of %s: %s", o.Stream, or(o.Instance, "the sender"), o.Line)
	}
}

func (x *citer) rest(run *evidence.Run) {
	for i := range run.Endpoints {
		e := &run.Endpoints[i]
		x.add(e.Meta, nil, 0, "endpoint %s with %s", e.Name, plural(len(e.Secrets), "key"))
	}
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		x.add(s.Meta, nil, s.From, "%s was watched from here to %s", s.Name, span(s.WatchUntil))
	}
	for i := range run.Noise {
		n := &run.Noise[i]
		var worst int64
		for _, us := range n.LateUS {
			worst = max(worst, us)
		}
		x.add(n.Meta, nil, n.From, "%s: %s, at most %s late", n.Source, plural(len(n.LateUS), "sample"), span(time.Duration(worst)*time.Microsecond))
	}
	for i := range run.Troubles {
		t := &run.Troubles[i]
		x.add(t.Meta, nil, t.At, "%s", t.What)
	}
	x.add(run.Header.Meta, nil, 0, "the run's settings and contract")
	if f := run.Footer; f != nil {
		x.add(f.Meta, nil, f.Ended, "the end of the run")
	}
}
