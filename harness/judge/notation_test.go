package judge_test

import (
	"bytes"
	"cmp"
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
//	    [body 'text'] [type t] [created 'text' | created-number 1.5] [extra '"x":1,'] [endpoint hook2] [conn 7/2] [opened 1ms] [wall 80ms]
//	    [began 4ms] [taken timeout], which are the sender's view of it
//	    [effect committed|rolled-back|absorbed] [rows 1] [dedupe yes] [copy yes] [header 'Name: value'] [media 'a/b'|none]
//	    [method GET] [target '/x?a=b'] [nowhere yes] [unread yes] [coded yes] [length 12] [left 'text'] [proto HTTP/2.0] [tls ok|FLAW]
//	    -> answer
//	answers: 502 | timeout 505ms | reset | closed | goaway | refused-stream | unknown | shutdown 9s, with [after 1ms] [retry-after 2] [cut closed|peer-gone|reset] [delay 3s] [size 70000] [location '/x']
//	unseen e1 at 5s: an attempt that the sender's log has, and our side not
//	connection 127.0.0.1:9 at 20ms [end reset] [tls none|ok|FLAW] [fault 'text']; none: the handshake came to no end
//	kill|stop|exit|start|down|up|rotate|revoke|disable|enable|delete|read-endpoint|read-dead-letters at 1s [returned 1100ms] [all yes]
//	    all: down and up of all listeners, since the run was interrupted
//	count-connections at 9s [open 1,2,3]; by their numbers, which stand in conn or follow from the order
//	replay e1 at 5s [refused 'why'] | change e1 at 5s | emit-rolled-back p1 at 5s | replay-range hook at 5s from 1s to 2s
//	log e1 at 9s state delivered [err 'why'] [next 12s] [failure 'text'] [records 1] [after 1] [skew 5s] [said 200] [digest x] [first 2]
//	    [numbers 1,2,1], which says nothing of triggers; after: as it was when so many attempts were recorded
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
	case "again", "kill", "stop", "exit", "start", "down", "up", "rotate", "revoke", "disable", "enable", "delete", "clock",
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
	case "unseen":
		n.unseen(name, o)
	case "log":
		n.log(name, o)
	case "deadletter":
		n.deadLetter(name, o)
	case "output":
		n.output(name, o)
	case "noise":
		step := 10 * time.Millisecond
		if name != "ticker" {
			step *= 10
		}
		n.add(&evidence.Noise{Source: name, From: n.dur(o, "at", 0), Step: step, LateUS: []int64{n.dur(o, "late", 0).Microseconds()}})
		n.add(&evidence.Noise{Source: name, From: 0, Step: step, LateUS: make([]int64, 2000)})
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
