package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

const (
	// An archive is for looking at single exchanges with common tools: what a body begins with does, and evidence.ndjson has all
	// of it. A run of 2500 requests with bodies up to 4 MiB stays below 10 MB.
	maxHARBody = 2 << 10
	// A sender that never stops must not make an archive that no tool opens.
	maxHAREntries = 20_000
)

// exchange is an entry of the archive: a request of the run and its answer.
type exchange struct {
	evidence.HAREntry
	Line     int    `json:"_line"` // of evidence.ndjson
	Scenario string `json:"_scenario,omitempty"`
	Event    string `json:"_event,omitempty"`
	Attempt  int    `json:"_attempt,omitempty"` // within its round; 0: no attempt
	Round    int    `json:"_round,omitempty"`   // 0: the schedule; k: the k-th replay
	Class    string `json:"_class,omitempty"`
	Fault    string `json:"_fault,omitempty"`
	End      string `json:"_end,omitempty"`
	// Cut says what of the bodies is not here.
	Cut string `json:"_cut,omitempty"`
}

// exchangesOf returns the requests of a run in their order, without what could hold a key in a form that is not recognised:
// bodies that are no text, and bodies that carry a signature.
func exchangesOf(c *contract.Contract, run *evidence.Run, ts []judge.Timeline) []exchange {
	at := map[int]place{}
	for i := range ts {
		for _, a := range ts[i].Attempts {
			at[a.Record] = place{&ts[i], a}
		}
	}
	sealed, carries := inBody(c), carrying(c)
	out := make([]exchange, 0, min(len(run.Attempts), maxHAREntries))
	for i := range run.Attempts {
		if len(out) == maxHAREntries {
			break
		}
		a := &run.Attempts[i]
		host := "http://"
		if head, _ := evidence.ParseHead(a.Head); head.Get("Host") != "" {
			host += head.Get("Host")
		}
		e := exchange{HAREntry: evidence.NewHAREntry(&a.Arrival, a.Outcome, host), Line: a.N, Scenario: a.Scenario}
		if p, ok := at[a.N]; ok {
			e.Scenario, e.Event, e.Attempt, e.Round, e.Class = p.t.Scenario, eventName(*p.t), p.a.Number, p.a.Round, p.a.Class
		}
		if o := a.Outcome; o != nil {
			e.Fault, e.End = o.Fault, o.End
		}
		for _, fields := range [][]evidence.HARField{e.Request.Headers, e.Request.Trailers} {
			for i, h := range fields {
				if secretHeader.MatchString(h.Name) || carries(h.Name) {
					fields[i].Value = gone // also what is too short to be known by its look
				}
			}
		}
		e.cut(a, sealed)
		out = append(out, e)
	}
	return out
}

// cut shortens the bodies, whole characters at a time.
func (e *exchange) cut(a *evidence.Attempt, sealed bool) {
	if b := e.Request.Body; b != nil {
		switch {
		case sealed:
			b.Text, b.Encoding, e.Cut = "", "", "the request's body, which carries its signature"
		case b.Encoding != "":
			b.Text, b.Encoding = "", ""
			e.Cut = fmt.Sprintf("the request's body, %d bytes that are no text, SHA-256 %s", a.BodySize, a.BodySHA256)
		case len(b.Text) > maxHARBody:
			b.Text = firstBytes(b.Text, maxHARBody)
			e.Cut = fmt.Sprintf("the request's body after %d of %d bytes, SHA-256 %s", len(b.Text), a.BodySize, a.BodySHA256)
		}
	}
	if c := &e.Response.Content; c.Encoding != "" || len(c.Text) > maxHARBody {
		c.Text, c.Encoding = "", ""
		e.Cut = or(e.Cut, "the answer's body")
	}
}

// firstBytes returns at most n bytes of s without splitting a character.
func firstBytes(s string, n int) string {
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

func writeHAR(w io.Writer, r Report) error {
	version, err := json.Marshal(plain(r.Results.Versions.Suite))
	if err != nil {
		return err
	}
	comment := ""
	if n := r.requests - len(r.exchanges); n > 0 {
		comment = fmt.Sprintf(`"comment":"%d more requests are in %s",`, n, evidenceFile)
	}
	if _, err := fmt.Fprintf(w, `{"log":{"version":"1.2","creator":{"name":"hookassay","version":%s},%s"entries":[`, version, comment); err != nil {
		return err
	}
	sep := "\n"
	for _, e := range r.exchanges {
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := w.Write(append([]byte(sep), text...)); err != nil {
			return err
		}
		sep = ",\n"
	}
	_, err = io.WriteString(w, "\n]}}\n")
	return err
}
