package judge_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// made is a request of an event as written down, for records that tell the truth unless told otherwise.
type made struct {
	a        *evidence.Arrival
	o        *evidence.Outcome
	replayed bool
	began    time.Duration // by the sender's view
}

// wasReplayed tells whether the event was replayed before at.
func (n *notation) wasReplayed(name string, at time.Duration) bool {
	return slices.ContainsFunc(n.records, func(r evidence.Record) bool {
		a, ok := r.(*evidence.Act)
		return ok && (a.Act == evidence.ActReplay && a.Marker == markerOf(name) || a.Act == evidence.ActReplayRange) && a.Called <= at && a.OK()
	})
}

// body is the envelope that the contract declares; without one it is bounded-6's.
func (n *notation) body(name, id, typ, data string, o opts) string {
	env := n.c.Envelope
	if env == nil {
		env = &contract.Envelope{Type: "/type", Created: "/created", APIVersion: "/api_version", Data: "/data"}
	}
	created := n.created[name]
	if created.IsZero() {
		created = started
	}
	stamp := created.Format(time.RFC3339Nano)
	if o["created"] != "" {
		stamp = o["created"]
	}
	stamp = strconv.Quote(stamp)
	if o["created-number"] != "" {
		stamp = o["created-number"]
	}
	var b strings.Builder
	b.WriteString("{")
	if n.c.Identity == nil || n.c.Identity.Body != "" {
		fmt.Fprintf(&b, `"id":%q,`, id)
	}
	fmt.Fprintf(&b, `%q:%q,`, env.Type[1:], typ)
	if env.Created != "" {
		fmt.Fprintf(&b, `%q:%s,`, env.Created[1:], stamp)
	}
	if env.APIVersion != "" {
		fmt.Fprintf(&b, `%q:"1",`, env.APIVersion[1:])
	}
	fmt.Fprintf(&b, `%s%q:%s}`, o["extra"], env.Data[1:], data)
	return b.String()
}

// signOddly replaces the signature by one that is made wrongly.
func (n *notation) signOddly(h http.Header, how, key string, at time.Time, body string) {
	mac := func(key []byte, parts ...string) []byte {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(strings.Join(parts, ".")))
		return m.Sum(nil)
	}
	seconds, millis := fmt.Sprint(at.Unix()), fmt.Sprint(at.UnixMilli()/1000*1000)
	carry := func(at string, sum []byte) { h.Set(n.scheme.Header(), "t="+at+",v1="+hex.EncodeToString(sum)) }
	switch how {
	case "body-only":
		carry(seconds, mac([]byte(key), body))
	case "ms":
		carry(millis, mac([]byte(key), millis, body))
	case "other-ms":
		carry(seconds, mac([]byte(key), millis, body))
	case "text":
		carry("today", mac([]byte(key), "today", body))
	case "no-id":
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_"))
		if err != nil {
			n.t.Fatal(err)
		}
		h.Set(n.scheme.Header(), "v1,"+base64.StdEncoding.EncodeToString(mac(raw, seconds, body)))
	}
}

func (n *notation) rolledBack(name string, o opts) {
	n.emit(name, o)
	n.events[name].Act = evidence.ActEmitRolledBack
}

func (n *notation) replayRange(endpoint string, o opts) {
	at := n.dur(o, "at", 0)
	from, to := started.Add(n.dur(o, "from", 0)), started.Add(n.dur(o, "to", 0))
	n.add(&evidence.Act{
		Act: evidence.ActReplayRange, Scenario: n.scenario.Name, Instance: n.scenario.Instance, Endpoint: endpoint,
		From: &from, To: &to, Called: at, Returned: n.dur(o, "returned", at), Err: o["refused"],
	})
}

// inOrder lists attempts as the sender made them: the one of a number, if it is not 0, came first, when its connection was opened.
func inOrder(attempts []made, first int) []made {
	if first == 0 {
		return attempts
	}
	m := attempts[first-1]
	m.began = m.a.Conn.Opened
	return slices.Insert(slices.Delete(slices.Clone(attempts), first-1, first), 0, m)
}

// log writes an entry that records all attempts of the event so far, as they were.
func (n *notation) log(name string, o opts) {
	at, skew := n.dur(o, "at", 0), n.dur(o, "skew", 0)
	l := &evidence.LogEntry{
		Scenario: n.scenario.Name, Endpoint: n.at(o), Marker: markerOf(name), Event: idOf(name), Read: at, State: o["state"], Err: o["err"],
	}
	for _, m := range inOrder(n.made[name], n.num(o, "first", 0)) {
		if m.began > at || m.o == nil || m.a.Endpoint != l.Endpoint {
			continue
		}
		if len(l.Attempts) == n.num(o, "after", len(n.made[name])) {
			break
		}
		rec := evidence.LogAttempt{Number: len(l.Attempts) + 1, At: started.Add(m.began + skew), Outcome: "failed", Trigger: "schedule"}
		if m.replayed {
			rec.Trigger = "replay"
		}
		if rec.Status = m.o.Status; rec.Status == 0 {
			rec.Error = m.o.Fault
		} else {
			sum := sha256.Sum256(m.o.Body)
			rec.Digest = hex.EncodeToString(sum[:])
		}
		if n.c.Class(rec.Status) == contract.Success {
			rec.Outcome = evidence.StateDelivered
		} else {
			l.LastFailure = fault(m.o)
		}
		if o["digest"] != "" {
			rec.Digest = o["digest"]
		}
		if o["said"] != "" {
			rec.Status = n.num(o, "said", 0)
		}
		l.Attempts = append(l.Attempts, rec)
	}
	for i, number := range strings.Split(o["numbers"], ",") {
		if number != "" && i < len(l.Attempts) {
			l.Attempts[i].Number, _ = strconv.Atoi(number)
			l.Attempts[i].Trigger = ""
		}
	}
	if k := n.num(o, "records", len(l.Attempts)); k < len(l.Attempts) {
		l.Attempts = l.Attempts[:k]
	}
	if text, ok := o["failure"]; ok {
		l.LastFailure = text
	}
	if o["next"] != "" {
		next := started.Add(n.dur(o, "next", 0))
		l.Next = &next
	}
	n.add(l)
}

func (n *notation) at(o opts) string {
	if o["endpoint"] != "" {
		return o["endpoint"]
	}
	return n.hook
}

func fault(o *evidence.Outcome) string {
	switch {
	case o.Status != 0:
		return fmt.Sprintf("status %d", o.Status)
	case o.End == evidence.EndPeerGone:
		return "timeout: no complete answer"
	}
	return "connection: broken"
}

// deadLetter writes an entry that says of the event what was seen of it.
func (n *notation) deadLetter(name string, o opts) {
	d := &evidence.DeadLetter{
		Scenario: n.scenario.Name, Endpoint: n.at(o), Marker: markerOf(name), Event: idOf(name), Read: n.dur(o, "at", 0), Reason: o["reason"],
		Hint: "look at the configuration",
	}
	for _, m := range n.made[name] {
		switch {
		case m.a.Endpoint != d.Endpoint || m.o == nil:
		case m.replayed && len(d.Replays) < n.num(o, "replays", 0):
			r := evidence.Replay{At: started.Add(m.a.FirstByte), Status: m.o.Status, Outcome: "failed", Reason: "test"}
			if n.c.Class(r.Status) == contract.Success {
				r.Outcome = evidence.StateDelivered
			}
			if o["said"] != "" {
				r.Status = n.num(o, "said", 0)
			}
			d.Replays = append(d.Replays, r)
		case !m.replayed:
			d.Attempts++
			d.LastStatus, d.LastError = m.o.Status, fault(m.o)
			if len(d.Payload) == 0 {
				d.Payload = m.a.Body
			}
		}
	}
	d.Attempts, d.LastStatus = n.num(o, "attempts", d.Attempts), n.num(o, "status", d.LastStatus)
	for key, field := range map[string]*string{"hint": &d.Hint, "error": &d.LastError} {
		if text, ok := o[key]; ok {
			*field = text
		}
	}
	if text, ok := o["payload"]; ok {
		d.Payload = evidence.Raw(text)
	}
	if o["given-up"] != "" {
		at := started.Add(n.dur(o, "given-up", 0))
		d.At = &at
	}
	n.add(d)
}

func (n *notation) output(stream string, o opts) {
	out := &evidence.Output{Instance: n.scenario.Instance, Stream: stream, At: n.dur(o, "at", 0), Line: escapes.Replace(o["line"])}
	if o["leaks"] != "" {
		out.Leaks = strings.Split(o["leaks"], ",")
	}
	n.add(out)
}
