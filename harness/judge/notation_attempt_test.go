package judge_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

func (n *notation) attempt(name string, o opts, answer string, ao opts) {
	n.seq++
	at := n.dur(o, "at", 0)
	emit := n.events[name]
	endpoint := n.hook
	if o["endpoint"] != "" {
		endpoint = o["endpoint"]
	}
	typ, data := "ping.sent", `{}`
	if emit != nil {
		typ, data = emit.Type, string(emit.Data)
	}
	if o["type"] != "" {
		typ = o["type"]
	}
	id := idOf(name)
	if o["id"] != "" {
		id = o["id"]
	}
	bodyID := id
	if o["body-id"] != "" {
		bodyID = o["body-id"]
	}
	if o["data"] != "" {
		data = o["data"]
	}
	body := n.body(name, bodyID, typ, data, o)
	if given, ok := o["body"]; ok {
		body = given
	}
	if o["coded"] != "" {
		body = gzipped(body)
	}
	a := &evidence.Arrival{
		Seq: n.seq, Scenario: n.scenario.Name, Endpoint: endpoint, FirstByte: at, BodyEnd: at + 1,
		Wall: started.Add(at + n.dur(o, "wall", 0)), Body: evidence.Raw(body), BodySize: int64(len(body)), Attempt: 1,
		Conn: evidence.Conn{ID: n.seq, Request: 1, Opened: n.dur(o, "opened", at)},
	}
	if conn, request, ok := strings.Cut(o["conn"], "/"); ok {
		a.Conn.ID, a.Conn.Request = int64(n.num(opts{"c": conn}, "c", 0)), n.num(opts{"r": request}, "r", 0)
	}
	if a.Conn.TLS = tlsOf(o["tls"]); a.Conn.TLS != nil {
		a.Conn.Local = "127.0.0.1"
	}
	if o["copy"] != "" {
		a.Origin = evidence.OriginHarness
	}
	if o["partial"] != "" {
		a.BodyEnd = 0
	}
	sum := sha256.Sum256([]byte(body))
	a.BodySHA256 = hex.EncodeToString(sum[:])
	a.Head = n.head(id, body, endpoint, at, o)
	if o["trailer"] != "" {
		a.Trailer = evidence.Raw(o["trailer"] + "\r\n\r\n")
	}
	if o["by"] != "" {
		a.VerifiedBy = strings.Split(o["by"], ",")
	}
	if o["unread"] != "" {
		a.Attempt, a.Body, a.BodySize, a.BodyEnd = 0, nil, 0, 0
	}
	if o["nowhere"] != "" {
		a.Scenario, a.Endpoint, a.Attempt = "", "", 0
	}
	n.add(a)
	if o["left"] != "" {
		conn := a.Conn
		conn.Request++
		n.seq++
		n.add(&evidence.Arrival{Seq: n.seq, FirstByte: at + 1, Head: evidence.Raw(o["left"]), Conn: conn, BodySHA256: a.BodySHA256})
	}
	out := n.answer(a, answer, ao)
	if o["copy"] == "" {
		if o["taken"] != "" {
			out = &evidence.Outcome{Fault: o["taken"], End: evidence.EndPeerGone}
		}
		n.made[name] = append(n.made[name], made{a, out, n.wasReplayed(name, at), n.dur(o, "began", at)})
	}
	n.effect(a, name, o)
}

// unseen is an attempt of which our side has no trace, and the sender's log has one.
func (n *notation) unseen(name string, o opts) {
	at := n.dur(o, "at", 0)
	a := &evidence.Arrival{FirstByte: at, Endpoint: n.hook}
	n.made[name] = append(n.made[name], made{a, &evidence.Outcome{Fault: "timeout", End: evidence.EndPeerGone}, n.wasReplayed(name, at), at})
}

func (n *notation) head(id, body, endpoint string, at time.Duration, o opts) evidence.Raw {
	h := http.Header{}
	switch o["media"] {
	case "":
		h.Set("Content-Type", "application/json")
	case "none":
	default:
		h.Set("Content-Type", o["media"])
	}
	keys := []string{n.secret(n.secrets[endpoint])}
	if o["key"] != "" {
		keys = keys[:0]
		for k := range strings.SplitSeq(o["key"], ",") {
			keys = append(keys, n.secret(k))
		}
	}
	signed := started.Add(n.dur(o, "signed", at))
	if n.scheme != nil && o["sign"] != "missing" {
		content := signature.Content{ID: id, At: signed, Body: []byte(body)}
		if o["sign"] == "other-body" {
			content.Body = []byte(body + " ")
		}
		made, err := n.scheme.Sign(content, keys...)
		if err != nil {
			n.t.Fatal(err)
		}
		maps.Copy(h, made)
		n.signOddly(h, o["sign"], keys[0], signed, body)
	}
	if idc := n.c.Identity; idc != nil && idc.Header != "" && o["no-id"] == "" {
		h.Set(idc.Header, id)
	}
	var b bytes.Buffer
	if o["coded"] != "" {
		h.Set("Content-Encoding", "gzip")
	}
	if o["length"] != "" {
		h.Set("Content-Length", o["length"])
	}
	method, target := "POST", n.targets[endpoint]
	if o["method"] != "" {
		method = o["method"]
	}
	if o["target"] != "" {
		target = o["target"]
	}
	proto := "HTTP/1.1"
	if o["proto"] != "" {
		proto = o["proto"]
	}
	b.WriteString(method + " " + target + " " + proto + "\r\n")
	for _, k := range slices.Sorted(keysOf(h)) {
		fmt.Fprintf(&b, "%s: %s\r\n", k, h.Get(k))
	}
	if o["header"] != "" {
		b.WriteString(o["header"] + "\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

func gzipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // a builder takes all
	_ = w.Close()
	return b.String()
}

func keysOf(h http.Header) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range h {
			if !yield(k) {
				return
			}
		}
	}
}

func (n *notation) answer(a *evidence.Arrival, answer string, o opts) *evidence.Outcome {
	if answer == "unknown" {
		return nil
	}
	out := &evidence.Outcome{Of: a.Seq, Fault: answer, Delay: n.dur(o, "delay", 0)}
	after := a.FirstByte + n.dur(o, "after", time.Millisecond)
	if o["retry-after"] != "" {
		out.Header = [][2]string{{"Retry-After", o["retry-after"]}}
	}
	if o["location"] != "" {
		out.Header = append(out.Header, [2]string{"Location", o["location"]})
	}
	if o["retry-at"] != "" {
		out.Header = [][2]string{{"Retry-After", started.Add(n.dur(o, "retry-at", 0)).Format(http.TimeFormat)}}
	}
	switch answer {
	case "timeout":
		out.End, out.Closed = evidence.EndPeerGone, n.dur(o, "hung-up", 0)
	case "reset":
		out.End, out.Closed = evidence.EndReset, after
	case "closed", "lost-ack":
		out.End, out.Closed = evidence.EndClosed, after
	case "goaway", "refused-stream":
		out.End, out.Closed, out.NotProcessed = evidence.EndClosed, after, true
	case "shutdown":
		out.End, out.Closed = evidence.EndShutdown, n.dur(o, "closed", 0)
	default:
		out.Fault = "status"
		out.Status = n.num(opts{"s": answer}, "s", 0)
		out.ReplyStart, out.ReplyEnd, out.End = after, after+n.dur(o, "writing", 0), evidence.EndComplete
		if o["cut"] != "" {
			out.Fault, out.End, out.Closed = "cut", o["cut"], n.dur(o, "closed", after+time.Millisecond)
		}
	}
	out.BodySize = int64(n.num(o, "size", 0))
	if o["reply"] != "" {
		out.Body = evidence.Raw(escapes.Replace(o["reply"]))
	}
	n.add(out)
	return out
}

func (n *notation) effect(a *evidence.Arrival, name string, o opts) {
	if o["effect"] == "" {
		return
	}
	def := map[string]int{evidence.EffectCommitted: 1, evidence.EffectAbsorbed: 1}[o["effect"]]
	n.add(&evidence.Effect{
		Of: a.Seq, Scenario: a.Scenario, Endpoint: a.Endpoint, Key: idOf(name), Result: o["effect"], At: a.FirstByte,
		Dedupe: o["dedupe"] != "" || def > 0, Rows: n.num(o, "rows", def),
	})
}
