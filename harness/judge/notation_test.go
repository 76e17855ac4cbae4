package judge_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

// The notation of evidence in the archives. A line is a verb, a name, pairs of words, and for attempts the answer after ->.
// Words with blanks stand in single quotes. Everything not said has a plain default: attempts are signed with the key of
// their endpoint at the time of their arrival, and carry the event's id and body.
//
//	scenario family/name checks a,b watch 23s [instance main] [not-run 'why']
//	abilities log,dead-letters
//	endpoint hook2 [tls yes] [secret s] [until 5s] [secret2 s2] [from 5s] [issued k1] [issued2 k2] [tenant t] [environment test] [types a,b] [query 'a=b'] [header 'Name: value']
//	emit e1 at 0ms [object o] [returned 2ms] [type t] [data '{}'] [refused 'why'] [endpoint hook] [for all] [tenant t] [environment test]
//	    [created 10ms]
//	attempt e1 at 5ms [signed 4ms] [sign missing|body-only|no-id|ms|other-ms|text] [key s,s2] [by k1,k2] [id x] [body-id x]
//	    [body 'text'] [type t] [created 'text'] [extra '"x":1,'] [endpoint hook2] [conn 7/2] [opened 1ms] [wall 80ms]
//	    [effect committed|rolled-back|absorbed] [rows 1] [dedupe yes] [copy yes] [header 'Name: value'] [media 'a/b'|none]
//	    [method GET] [target '/x?a=b'] [nowhere yes] [unread yes] [coded yes] [length 12] [left 'text'] [proto HTTP/2.0] [tls ok|FLAW]
//	    -> answer
//	answers: 502 | timeout 505ms | reset | closed | goaway | refused-stream | unknown | shutdown 9s, with [after 1ms] [retry-after 2] [cut closed|peer-gone|reset] [delay 3s] [size 70000] [location '/x']
//	connection 127.0.0.1:9 at 20ms [end reset] [tls none|ok|FLAW] [fault 'text']; none: the handshake came to no end
//	kill|stop|exit|start|down|up|rotate|revoke|disable|enable|delete|read-endpoint|read-dead-letters at 1s [returned 1100ms]
//	count-connections at 9s [open 1,2,3]; by their numbers, which stand in conn or follow from the order
//	replay e1 at 5s [refused 'why'] | change e1 at 5s | emit-rolled-back p1 at 5s | replay-range hook at 5s from 1s to 2s
//	log e1 at 9s state delivered [err 'why'] [next 12s] [failure 'text'] [records 1] [skew 5s] [said 200] [digest x] [first 2]
//	deadletter e1 at 9s reason 'r' [replays 1] [attempts 6] [status 404] [hint 'text'] [payload 'text'] [given-up 3s] [said 200]
//	output stderr at 1s line 'text' [leaks k1]; in a line and in a reply, \n, \r and \e stand for line end, return and escape
//	noise ticker at 1s late 900ms | trouble 'what' [lost 3] | end 30s | cut
type notation struct {
	t        testing.TB
	c        *contract.Contract
	scheme   *signature.Scheme
	header   evidence.Header
	records  []evidence.Record
	scenario *evidence.Scenario
	secrets  map[string]string // of endpoints
	targets  map[string]string // of endpoints
	events   map[string]*evidence.Act
	made     map[string][]made
	created  map[string]time.Time
	seq      int64
	end      time.Duration
	cut      bool
	hook     string // the endpoint of the scenario at hand
	hooks    int
}

const firstHook = "hook"

// tlsOf is what is known of a session; nil for one that is none.
func tlsOf(word string) *evidence.TLS {
	switch word {
	case "":
		return nil
	case "none":
		return &evidence.TLS{}
	case "ok":
		return &evidence.TLS{Version: "TLS 1.3"}
	}
	return &evidence.TLS{Flaw: word}
}

// escapes are what replies and lines of output may hold and a line of the notation may not.
var escapes = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\e`, "\x1b")

var started = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func parseEvidence(t testing.TB, c *contract.Contract, text string) *evidence.Run {
	t.Helper()
	n := newNotation(t, c)
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			n.line(line)
		}
	}
	return n.run()
}

func newNotation(t testing.TB, c *contract.Contract) *notation {
	n := &notation{
		t: t, c: c, secrets: map[string]string{}, targets: map[string]string{}, events: map[string]*evidence.Act{}, made: map[string][]made{}, created: map[string]time.Time{},
	}
	n.header = evidence.Header{Schema: evidence.Schema, Suite: "test", Started: started}
	if c.Signature != nil {
		var err error
		if n.scheme, err = signature.Lookup(c.Signature.Scheme); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func (n *notation) run() *evidence.Run {
	var file bytes.Buffer
	rec, err := evidence.NewRecorder(evidence.NewWriter(&file), &n.header)
	if err != nil {
		n.t.Fatal(err)
	}
	for _, r := range n.records {
		if err := rec.Add(r); err != nil {
			n.t.Fatal(err)
		}
	}
	if n.cut {
		return rec.Run()
	}
	if n.end == 0 && n.scenario != nil {
		n.end = n.scenario.WatchUntil
	}
	if _, err := rec.Close(n.end, ""); err != nil {
		n.t.Fatal(err)
	}
	run, err := evidence.Read(&file)
	if err != nil {
		n.t.Fatal(err)
	}
	return run
}

func (n *notation) add(r evidence.Record) { n.records = append(n.records, r) }

func words(line string) []string {
	var out []string
	quoted := false
	start := -1
	for i, r := range line + " " {
		switch {
		case r == '\'':
			quoted = !quoted
			if start < 0 {
				start = i
			}
		case r == ' ' && !quoted && start >= 0:
			out = append(out, strings.ReplaceAll(line[start:i], "'", ""))
			start = -1
		case r != ' ' && start < 0:
			start = i
		}
	}
	return out
}

// opts are the pairs of a line.
type opts map[string]string

func pairs(t testing.TB, line string, ws []string) opts {
	t.Helper()
	if len(ws)%2 != 0 {
		t.Fatalf("%s: words after the name come in pairs: %q", line, ws)
	}
	o := opts{}
	for i := 0; i < len(ws); i += 2 {
		o[ws[i]] = ws[i+1]
	}
	return o
}

func (n *notation) dur(o opts, key string, def time.Duration) time.Duration {
	if o[key] == "" {
		return def
	}
	d, err := time.ParseDuration(o[key])
	if err != nil {
		n.t.Fatal(err)
	}
	return d
}

func (n *notation) num(o opts, key string, def int) int {
	if o[key] == "" {
		return def
	}
	i, err := strconv.Atoi(o[key])
	if err != nil {
		n.t.Fatal(err)
	}
	return i
}

func (n *notation) line(line string) {
	ws := words(line)
	verb := ws[0]
	switch verb {
	case "cut":
		n.cut = true
		return
	case "end":
		n.end = n.dur(opts{"at": ws[1]}, "at", 0)
		return
	case "abilities":
		n.header.Sender.Abilities = strings.Split(ws[1], ",")
		return
	case "kill", "stop", "exit", "start", "down", "up", "rotate", "revoke", "disable", "enable", "delete", "clock",
		"read-endpoint", "read-dead-letters", "count-connections":
		n.act(evidence.ActKind(verb), "", pairs(n.t, line, ws[1:]))
		return
	}
	name, rest := ws[1], ws[2:]
	if i := slices.Index(ws, "->"); verb == "attempt" && i > 0 {
		n.attempt(name, pairs(n.t, line, ws[2:i]), ws[i+1], pairs(n.t, line, ws[i+2:]))
		return
	}
	o := pairs(n.t, line, rest)
	switch verb {
	case "scenario":
		n.addScenario(name, o)
	case "endpoint":
		n.addEndpoint(name, o)
	case "emit":
		n.emit(name, o)
	case "replay", "change":
		n.act(evidence.ActKind(verb), name, o)
	case "emit-rolled-back":
		n.rolledBack(name, o)
	case "replay-range":
		n.replayRange(name, o)
	case "log":
		n.log(name, o)
	case "deadletter":
		n.deadLetter(name, o)
	case "output":
		n.output(name, o)
	case "noise":
		n.add(&evidence.Noise{Source: name, From: n.dur(o, "at", 0), Step: 10 * time.Millisecond, LateUS: []int64{n.dur(o, "late", 0).Microseconds()}})
		n.add(&evidence.Noise{Source: name, From: 0, Step: 10 * time.Millisecond, LateUS: make([]int64, 2000)})
	case "connection":
		at := n.dur(o, "at", 0)
		n.seq++
		n.add(&evidence.Connection{
			ID: n.seq, Local: name, Opened: at, Closed: n.dur(o, "closed", at+time.Millisecond), End: cmp.Or(o["end"], evidence.EndPeerGone),
			TLS: tlsOf(o["tls"]), Fault: o["fault"],
		})
	case "trouble":
		n.add(&evidence.Trouble{Scenario: n.scenario.Name, What: name, Lost: n.num(o, "lost", 0)})
	default:
		n.t.Fatalf("%s: unknown verb", line)
	}
}

func (n *notation) addScenario(name string, o opts) {
	family, _, _ := strings.Cut(name, "/")
	n.scenario = &evidence.Scenario{
		Name: name, Family: family, Checks: strings.Split(o["checks"], ","), Instance: o["instance"], NotRun: o["not-run"],
		WatchUntil: n.dur(o, "watch", 0),
	}
	n.add(n.scenario)
	n.hooks++
	n.hook = firstHook
	if n.hooks > 1 {
		n.hook += strconv.Itoa(n.hooks)
	}
	n.addEndpoint(n.hook, opts{})
}

// addEndpoint adds an endpoint, or replaces the keys of one.
func (n *notation) addEndpoint(name string, o opts) {
	secret := o["secret"]
	if secret == "" {
		secret = "canary-" + name
	}
	n.secrets[name], n.targets[name] = secret, "/"+name
	if o["query"] != "" {
		n.targets[name] += "?" + o["query"]
	}
	e := &evidence.Endpoint{
		Name: name, Scenario: n.scenario.Name, URL: "http://127.0.0.1" + n.targets[name], Tenant: o["tenant"], Environment: o["environment"],
	}
	if o["tls"] != "" {
		e.URL = strings.Replace(e.URL, "http:", "https:", 1)
	}
	if name, value, ok := strings.Cut(o["header"], ": "); ok {
		e.Headers = map[string]string{name: value}
	}
	if o["types"] != "" {
		e.Types = strings.Split(o["types"], ",")
	}
	first := evidence.Secret{Value: n.secret(secret), Until: n.dur(o, "until", 0)}
	if o["issued"] != "" {
		first.Value, first.Name = "", o["issued"]
	}
	e.Secrets = append(e.Secrets, first)
	if o["secret2"] != "" || o["issued2"] != "" {
		second := evidence.Secret{Name: o["issued2"], From: n.dur(o, "from", 0), Until: n.dur(o, "until2", 0)}
		if second.Name == "" {
			second.Value = n.secret(o["secret2"])
		}
		e.Secrets = append(e.Secrets, second)
	}
	for i, r := range n.records {
		if old, ok := r.(*evidence.Endpoint); ok && old.Name == name && old.Scenario == n.scenario.Name {
			n.records[i] = e
			return
		}
	}
	n.add(e)
}

// secret is the key that a name stands for: itself, where the scheme takes any text.
func (n *notation) secret(name string) string {
	if n.scheme == nil || n.scheme.ID() == "timestamp-v1" {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	text, err := n.scheme.Secret(sum[:])
	if err != nil {
		n.t.Fatal(err)
	}
	return text
}

func markerOf(name string) string {
	return evidence.MarkerPrefix + strings.ToLower(name) + strings.Repeat("0", 20-len(name))
}

func idOf(name string) string { return "evt-" + name }

func (n *notation) emit(name string, o opts) {
	data := o["data"]
	if data == "" {
		data = `{"marker":"` + markerOf(name) + `","amount":12.50}`
	}
	typ := o["type"]
	if typ == "" {
		typ = "payment.succeeded"
	}
	endpoint := o["endpoint"]
	if endpoint == "" {
		endpoint = n.hook
	}
	if o["for"] == "all" {
		endpoint = ""
	}
	at := n.dur(o, "at", 0)
	n.created[name] = started.Add(n.dur(o, "created", at))
	a := &evidence.Act{
		Tenant: o["tenant"], Environment: o["environment"], Object: o["object"],
		Act: evidence.ActEmit, Scenario: n.scenario.Name, Instance: n.scenario.Instance, Endpoint: endpoint, Marker: markerOf(name),
		Event: idOf(name), Type: typ, Data: evidence.Raw(data), Called: at, Returned: n.dur(o, "returned", at), Err: o["refused"],
	}
	n.events[name] = a
	n.add(a)
}

func (n *notation) act(kind evidence.ActKind, name string, o opts) {
	at := n.dur(o, "at", 0)
	a := &evidence.Act{
		Act: kind, Scenario: n.scenario.Name, Instance: n.scenario.Instance, Called: at, Returned: n.dur(o, "returned", at),
		Err: o["refused"], Endpoint: o["endpoint"], Advance: n.dur(o, "advance", 0),
	}
	if name != "" {
		a.Marker, a.Event, a.Endpoint = markerOf(name), idOf(name), n.hook
	}
	if kind == evidence.ActCount {
		a.Endpoint = cmp.Or(a.Endpoint, n.hook)
	}
	for id := range strings.SplitSeq(o["open"], ",") {
		if id != "" {
			a.Open = append(a.Open, evidence.OpenConn{ID: int64(n.num(opts{"id": id}, "id", 0)), Opened: 1, Requests: 1})
		}
	}
	n.add(a)
}

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
		n.made[name] = append(n.made[name], made{a, out, n.wasReplayed(name, at)})
	}
	n.effect(a, name, o)
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
